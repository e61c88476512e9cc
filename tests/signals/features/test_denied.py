"""A fault that is denied is praise, in every language; one that goes on or is asked stays what it is."""

import pytest

from tests.session.talk import agent, human
from thruline.signals.cues import LANGUAGES, load_denied
from thruline.signals.features.denied import read_denied
from thruline.signals.miner import mine
from thruline.signals.signal import Signal

DONE = "Done. I added the helper to `src/app.ts` and updated the two callers. All tests pass."


def hear(text: str, answer: str = "") -> list[Signal]:
    """The corrections and decisions of what is said after a delivery."""
    parts = [human(1, "Please add the helper."), agent(2, DONE), human(3, text)]
    return [one for one in mine([*parts, *([agent(4, answer)] if answer else [])]) if one.line == 3]


@pytest.mark.parametrize(
    "text",
    [
        "No problem, take your time.",
        "Not bad at all!",
        "not too shabby",
        "Hmm, that's not bad.",
        "No worries, whenever you’re ready",
        "couldn't be better",
        "Not bad, please commit.",
        "Not bad at all! Now add the tests.",
        "Kein Problem, lass dir Zeit.",
        "Gar nicht schlecht!",
        "Nada mal, gracias",
        "Pas mal du tout !",
        "неплохо!",
        "没问题",
        "悪くないですね",
    ],
)
@pytest.mark.parametrize("answer", ["", "Thanks! I'll go on with the next step."])
def test_who_denies_a_fault_corrects_nothing_and_settles_nothing(text: str, answer: str) -> None:
    assert [one.kind for one in hear(text, answer)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Not bad, but the name is wrong, it should be load.",
        "No problems so far, but the footer is still missing",
        "no problem in the first caller, the second one still crashes",
        "No, that's not bad luck, the test is wrong.",
    ],
)
def test_what_comes_behind_a_denied_fault_is_still_heard(text: str) -> None:
    assert "correction" in [one.kind for one in hear(text)]


@pytest.mark.parametrize("text", ["not bad?", "no problem in the parser", "nothing wrong was found by the linter"])
def test_a_denied_fault_that_goes_on_or_is_asked_is_read_as_it_is(text: str) -> None:
    assert read_denied(text).text == text


def test_every_language_tells_how_a_fault_is_denied() -> None:
    listed = load_denied()
    assert set(listed) == set(LANGUAGES)
    assert all(set(works) == {"before", "denied", "behind", "on"} for works in listed.values())
    assert all(phrase == phrase.lower() for works in listed.values() for each in works.values() for phrase in each)
