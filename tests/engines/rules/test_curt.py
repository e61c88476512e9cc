"""A correction counts however little it says, and whatever it was pasted from."""

import pytest

from tests.engines.rules.talk import build, fold, render
from tests.session.talk import agent, human, refuse
from thruline.engines.rules.candidates import OVERRULED
from thruline.session.parts import Part

FILE = "/home/dev/bakery/oven.py"


def session(reason: str, *before: Part) -> list[Part]:
    return [
        human(2, "The oven of the bakery is too hot."),
        *before,
        *refuse(10, FILE),
        human(11, reason, "rejection", about=f"Edit {FILE}"),
        agent(12, "I will look at the sensor."),
    ]


REASONS = [
    "no",
    "1",
    "https://bakery.example/issue/12",
    "```\nheat(limit=220)\n```",
    "Traceback (most recent call last):\n  File \"oven.py\", line 3, in <module>\nKeyError: 'heat'",
    "| oven | heat |\n| - | - |",
    "# wrong file",
    "oven_door.py:12",
]


@pytest.mark.feature("F001-23", via="unit")
@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("budget", [600, 1_000, 3_000])
def test_a_refused_edit_is_told_with_its_reason_whatever_it_is(reason: str, budget: int) -> None:
    text = render(session(reason), budget)
    assert "Refused `Edit " in text
    assert "_No dead end and no correction was found._" not in text
    assert "not quoted" not in text


def test_it_is_told_beside_other_corrections() -> None:
    before = [
        agent(3, "I made the fan faster."),
        human(4, "No, that's wrong, the fan must stay as it is."),
        agent(5, "Sorry."),
    ]
    (section,) = [one for name, one in build(session("no", *before)).items() if name == "dead_ends"]
    told = [
        (quote.pointer.line, quote.text)
        for claim in section.claims
        if claim.topic == OVERRULED
        for quote in claim.quotes
    ]
    assert (11, "no") in told
    assert any(line == 4 for line, _ in told)


def test_what_a_sentence_tells_is_not_told_twice() -> None:
    claims = build(session("No, the sensor is broken, leave the heat alone."))["dead_ends"].claims
    quoted = [quote.pointer.line for claim in claims for quote in claim.quotes]
    assert quoted.count(11) == 1


def test_the_miner_is_sure_of_each() -> None:
    for reason in REASONS:
        assert any(one.kind == "correction" and one.line == 11 for one in fold(session(reason)).signals)
