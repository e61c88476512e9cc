"""A rule that the user said otherwise later is no rule any more: it stands among the conflicts, with both places."""

import pytest

from tests.engines.rules.talk import build, fold, render, words
from tests.session.talk import agent, human
from thruline.engines.rules import superseded
from thruline.engines.rules.superseded import contradicts, find_superseded, read_asked
from thruline.session.parts import Part
from thruline.signals.signal import Signal


def session(later: str) -> list[Part]:
    return [
        human(2, "Make the export faster. Always use tabs in this repo."),
        agent(3, "The export reads each row twice; I changed that."),
        human(4, later),
        agent(5, "Done: indentation uses what you asked for."),
    ]


@pytest.mark.parametrize("later", ["Use spaces, not tabs. And port 8080.", "Don't use tabs, use spaces."])
def test_a_rule_said_otherwise_later_stands_among_the_conflicts_with_both_places(later: str) -> None:
    sections = build(session(later))
    (claim,) = [one for one in sections["open_threads"].claims if one.topic == "Conflicts"]
    assert [quote.pointer.line for quote in claim.quotes] == [2, 4]
    assert claim.quotes[0].text == "Always use tabs in this repo."
    assert "Always use tabs" not in words(sections["basics"])
    assert "Make the export faster." in words(sections["basics"])


def test_what_took_a_rules_place_is_quoted_once() -> None:
    text = render(session("Use spaces, not tabs. And port 8080."))
    assert text.count("Use spaces, not tabs") == 1
    assert text.count("Always use tabs") == 1


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("Always use tabs in this repo.", "Use spaces, not tabs.", True),
        ("Always use tabs in this repo.", "Use spaces instead of tabs.", True),
        ("Always use tabs.", "No tabs.", True),
        ("Never touch the schema.", "You may touch the schema now.", True),
        ("Immer Tabs verwenden.", "Nimm Leerzeichen, keine Tabs.", True),
        ("Always use pnpm, never npm.", "Always use pnpm, never yarn.", False),
        ("Always use tabs in this repo.", "Never use emoji.", False),
        ("Always run the tests before you commit.", "Push it, don't commit.", False),
        ("Never touch the schema.", "Don't touch the schema.", False),
        ("Always use tabs in this repo.", "Use tabs in the docs as well.", False),
    ],
)
def test_only_what_denies_most_of_a_rule_takes_its_place(earlier: str, later: str, expected: bool) -> None:
    assert contradicts(read_asked(earlier), read_asked(later)) is expected
    # A session's sentences are read only as far as it takes to tell.
    told = Signal("constraint", "human", earlier, 2), Signal("correction", "human", later, 4)
    assert find_superseded(told) == ([told] if expected else [])


def test_of_many_rules_the_newest_are_held_against_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = session("Use spaces, not tabs.")
    assert find_superseded(fold(parts).signals)
    monkeypatch.setattr(superseded, "MOST_HELD", 1)
    assert find_superseded(fold(parts).signals) == []
