"""A correction that its writer takes back is marked, and taking it back corrects nothing."""

import pytest

from tests.session.talk import agent, human
from thruline.session.parts import Part
from thruline.signals.miner import mine
from thruline.signals.signal import Signal

CORRECTED = [
    human(1, "Set up the formatter."),
    agent(2, "I set the formatter to tabs in .editorconfig."),
    human(3, "No, that's wrong, the formatter must use spaces."),
    agent(4, "You're right, I switched the formatter to spaces."),
]
BETWEEN = [human(5, "now add a readme section"), agent(6, "Added the section.")]


def hear(parts: list[Part]) -> list[Signal]:
    return [one for one in mine(parts) if one.kind == "correction"]


@pytest.mark.parametrize(
    "text",
    [
        "You were right, the repo uses tabs. Go back to tabs.",
        "Sorry, you were right, the repo uses tabs. Go back to tabs.",
        "Never mind, tabs are right.",
        "Ignore that, keep the tabs.",
        "I was wrong, tabs it is.",
        "Actually you were right about the tabs.",
        "Scratch that, tabs are fine.",
        "Sorry, my mistake, tabs were right",
        "my bad, the tabs were fine, go on",
    ],
)
@pytest.mark.parametrize("between", [[], BETWEEN])
def test_who_goes_back_to_what_was_corrected_takes_the_correction_back(text: str, between: list[Part]) -> None:
    found = hear([*CORRECTED, *between, human(9, text), agent(10, "Switched back to tabs.")])
    assert [(one.line, one.withdrawn) for one in found] == [(3, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "hmm no, you were right the first time",
        "You were right.",
        "oh sorry, you were right after all, my mistake",
        "wait, I take that back, sorry",
    ],
)
def test_a_plain_retraction_right_after_takes_it_back_and_later_does_not(text: str) -> None:
    assert [(one.line, one.withdrawn) for one in hear([*CORRECTED, human(9, text), agent(10, "Ok.")])] == [(3, 9)]
    late = hear([*CORRECTED, *BETWEEN, human(9, text), agent(10, "Ok.")])
    assert [one.withdrawn for one in late if one.line == 3] == [0]


@pytest.mark.parametrize(
    "text",
    [
        "you were right about the readme",
        "My mistake, I meant two spaces.",
        "sorry, my mistake, the readme was right",
        "now go back to the readme",
        "why were you right?",
    ],
)
def test_what_speaks_of_something_else_takes_nothing_back(text: str) -> None:
    assert [one.withdrawn for one in hear([*CORRECTED, human(9, text), agent(10, "Ok.")]) if one.line == 3] == [0]


@pytest.mark.parametrize("again", ["No, that's wrong, the formatter must use spaces.", "the formatter must use spaces"])
def test_what_was_taken_back_and_is_said_again_stands_again(again: str) -> None:
    found = hear([
        *CORRECTED, human(5, "Never mind, tabs are right."), agent(6, "I set it to tabs again."), human(7, again),
        agent(8, "Ok."),
    ])  # fmt: skip
    assert [(one.line, one.withdrawn) for one in found] == [(7, 0)]


def test_taking_back_with_a_but_still_corrects() -> None:
    text = "You were right about the tabs, but the line length is wrong, it must be 100."
    found = hear([*CORRECTED, human(5, text), agent(6, "You're right, sorry. I set it to 100.")])
    assert [(one.line, one.withdrawn) for one in found] == [(3, 5), (5, 0)]


@pytest.mark.parametrize(
    "text", ["Sorry, my mistake, floats were right", "my bad, I misread that, the numbers are correct"]
)
def test_who_owns_up_to_a_mistake_corrects_nothing_and_takes_nothing_else_back(text: str) -> None:
    found = hear([*CORRECTED, *BETWEEN, human(9, text), agent(10, "No problem, floats stay.")])
    assert [(one.line, one.withdrawn) for one in found] == [(3, 0)]


@pytest.mark.parametrize("text", ["my mistake, I meant the header, the footer is still missing", "my bad, revert that"])
def test_an_apology_with_something_to_mend_is_still_judged(text: str) -> None:
    assert [one.line for one in hear([*CORRECTED, human(9, text), agent(10, "Sorry, I reverted it.")])] == [3, 9]
