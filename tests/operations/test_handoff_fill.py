"""How often a brief is built until it uses its budget: no more often than that can bring something."""

from typing import cast

import pytest

from tests.engines.rules.talk import fold
from tests.session.talk import agent, human
from thruline.brief.attempts.watch import AttemptWatch
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import NAMES, Brief, Claim, Section
from thruline.engines.rules import Rules
from thruline.operations.handoff.brief import fill_brief
from thruline.session.parts import Part
from thruline.value import replace

FRAME = Brief((), title="Brief: pottery")


def talk(turns: int) -> list[Part]:
    parts: list[Part] = []
    for at in range(turns):
        rule = f"No, never fire shelf {at} with `burner_{at}` above {at * 9} degrees, it cracked `bowl_{at}` last week."
        parts += [human(10 * at + 1, rule), agent(10 * at + 2, f"You are right: `burner_{at}` is at {at * 9} degrees.")]
    return parts


def count(monkeypatch: pytest.MonkeyPatch, parts: list[Part], budget: int) -> tuple[int, int]:
    """How often the sections were built, and how many bytes the brief has."""
    build, rooms = Rules.build, []

    def note(self: Rules, room: int) -> tuple[Section, ...]:
        rooms.append(room)
        return build(self, room)

    monkeypatch.setattr(Rules, "build", note)
    _, rendered = fill_brief(Rules(fold(parts)), FRAME, AttemptWatch(), budget)
    return len(rooms), len(rendered.text.encode())


def test_where_nothing_is_missing_more_room_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count(monkeypatch, talk(2), 3_000)[0] == 1


def test_a_roomy_brief_that_is_nearly_full_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, size = count(monkeypatch, talk(200), 3_000)
    assert tries == 1
    assert 0.96 * 12_000 < size <= 12_000


def test_a_small_brief_is_tried_until_its_room_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, size = count(monkeypatch, talk(200), 1_000)
    assert tries > 1
    assert 0.9 * 4_000 < size <= 4_000


class Crowding:
    """Rules that lose what the user said to something longer as soon as they have more room."""

    def __init__(self) -> None:
        self.rooms: list[int] = []

    def build(self, room: int) -> tuple[Section, ...]:
        self.rooms.append(room)
        kept = Claim("", (Quote("No, never fire shelf 3.", place(4)),), keep=True)
        long = Claim("", (Quote("The kiln was cold. " * 40, place(5), "agent"),))
        claims = (kept,) if len(self.rooms) == 1 else (long,)
        return tuple(Section(name, claims if name == "dead_ends" else ()) for name in NAMES)


def test_a_fuller_brief_that_lost_a_correction_is_no_better_one() -> None:
    rules = Crowding()
    _, rendered = fill_brief(cast(Rules, rules), replace(FRAME, corrections=(place(4),)), AttemptWatch(), 1_000)
    assert len(rules.rooms) > 1
    assert rendered.lost == 0
    assert "never fire shelf 3" in rendered.text
