"""A correction from words and from a refusal: told once, quoted, and marked where it was taken back."""

import pytest

from tests.session.talk import agent, human
from tests.signals.miner.kinds import kinds
from thruline.session.parts import Said
from thruline.signals.miner import mine

CORRECTED = [
    human(1, "add a retry to the upload"),
    agent(2, "Done. I added a retry with a fixed delay of five seconds to `upload()`."),
    human(3, "no, that's wrong, don't use a fixed delay. use exponential backoff instead"),
    agent(4, "You're right, I apologize. Let me revert that and use exponential backoff instead."),
]


def test_a_plain_correction_is_strong_and_quotes_its_words() -> None:
    (found,) = kinds(mine(CORRECTED), "correction")
    assert found.line == 3
    assert found.uuid == "u3"
    assert found.by == "human"
    assert found.strength > 0.7
    assert found.quote in CORRECTED[2].text
    assert "exponential backoff" in found.quote
    assert found.variety in ("overrule", "error")
    assert found.about.startswith("I added a retry")


def test_a_request_and_its_approval_are_no_corrections() -> None:
    session = [
        human(1, "add a test"),
        agent(2, "Added a test. Commit it?"),
        human(3, "yes please"),
        agent(4, "Committed."),
    ]
    assert kinds(mine(session), "correction") == []
    (decided,) = kinds(mine(session), "decision")
    assert (decided.line, decided.quote) == (3, "yes please")


def test_a_pasted_log_alone_is_no_correction() -> None:
    log = "--- FAIL: TestUpload (0.01s)\n    upload_test.go:12: wrong delay, should not be fixed\nFAIL\n"
    session = [human(1, "add a retry"), agent(2, "Done, all tests pass."), human(3, log), agent(4, "You're right.")]
    assert kinds(mine(session), "correction") == []


def test_the_same_correction_typed_again_is_told_once_the_fuller_one() -> None:
    fuller = "no, don't use a fixed delay there, use exponential backoff instead please, with jitter"
    session = [
        *CORRECTED[:2],
        human(3, "no, don't use a fixed delay there, use exponential backoff"),
        Said(4, "client", "interrupt", "[Request interrupted by user]"),
        human(5, fuller),
        agent(6, "You're right, I'll use exponential backoff with jitter."),
    ]
    (found,) = kinds(mine(session), "correction")
    assert (found.line, found.quote) == (5, fuller)


def test_a_correction_taken_back_is_marked() -> None:
    session = [*CORRECTED, human(5, "never mind, you were right about the fixed delay"), agent(6, "Okay.")]
    found = kinds(mine(session), "correction")
    assert found[0].withdrawn == 5


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("never mind", 5),
        ("forget what I said", 5),
        ("sorry, continue", 0),
        ("my mistake, go on", 0),
        ("sorry, I was not clear: no fixed delay, use exponential backoff as I said", 0),
        ("never mind the failing lint, please go on and write the changelog entry", 0),
        ("I was wrong about the fixed delay, keep it", 5),
        ("Actually forget that, the fixed delay may stay.", 5),
        ("ok, never mind", 5),
        ("Forget my remark about the delay, a fixed one is fine", 5),
        ("no, forget that", 0),
        ("I forget that delay every time, is it fixed or not?", 0),
    ],
)
def test_only_a_retraction_of_that_very_point_takes_a_correction_back(answer: str, line: int) -> None:
    found = kinds(mine([*CORRECTED, human(5, answer), agent(6, "Okay.")]), "correction")
    assert found[0].withdrawn == line


def test_a_rule_goes_with_the_correction_it_was_laid_down_in() -> None:
    ruled = human(3, "no, don't use a fixed delay there. Never use fixed delays in this project.")
    session = [*CORRECTED[:2], ruled, CORRECTED[3], human(5, "Forget my rule about delays."), agent(6, "Okay.")]
    found = mine(session)
    assert [signal.withdrawn for signal in kinds(found, "correction")][:1] == [5]
    assert [signal.withdrawn for signal in kinds(found, "constraint")] == [5]


def test_a_retraction_long_after_takes_nothing_back() -> None:
    between = [part for at in (5, 7, 9) for part in (human(at, "and the docs?"), agent(at + 1, "Written."))]
    session = [*CORRECTED, *between, human(11, "never mind, you were right about the fixed delay"), agent(12, "Okay.")]
    assert kinds(mine(session), "correction")[0].withdrawn == 0


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        (
            "nein, das ist falsch, bitte rückgängig machen und stattdessen pnpm verwenden",
            "Du hast recht, Entschuldigung.",
        ),
        ("no, eso está mal, revierte el cambio y usa pnpm en vez de npm", "Tienes razón, perdón."),
        ("いや、違います。元に戻して、代わりにpnpmを使ってください", "おっしゃる通りです。申し訳ありません。"),
        ("不对，错了，撤销这个修改，改成 pnpm", "你说得对，抱歉。"),
        ("нет, это неправильно, откати и используй вместо этого pnpm", "Вы правы, извините."),
    ],
)
def test_a_plain_correction_is_found_in_other_languages_too(told: str, answer: str) -> None:
    found = kinds(mine([human(1, "x"), agent(2, "npm."), human(3, told), agent(4, answer)]), "correction")
    assert [signal.line for signal in found] == [3]
