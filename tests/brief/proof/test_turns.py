"""Which words a correction answers, what was announced last, and how many corrections there can be, by the session."""

import pytest

from tests.brief.sessions import check_text
from tests.session.talk import agent, edit, human
from thruline.brief.proof.turns import Turns
from thruline.session.parts import Asked, Changed, Part

HOME = "/home/dev/reef"
SESSION: list[Part] = [
    Changed(1, "cwd", HOME),
    human(2, "Mend the export."),
    agent(3, "I could retry with a longer pause. A pause is the fix."),
    human(4, "No, don't add a pause."),
    human(5, "Look at the cursor instead."),
    agent(6, "A set of all ids is the fix."),
    human(7, "No, it must run in constant memory."),
    *edit(8, f"{HOME}/reef.py"),
    agent(10, "The cursor is exclusive now. Next I will mend the docs. The name is short."),
]
BRIEF = """\
# Brief: reef

## Convergence
- > agent, transcript:L10: `The cursor is exclusive now.`

## Dead-ends
### Overruled by the user
- > agent, transcript:L3: `A pause is the fix.`
  > user, transcript:L5: `Look at the cursor instead.`
- > agent, transcript:L6: `A set of all ids is the fix.`
  > user, transcript:L7: `No, it must run in constant memory.`

## Code-state
- edited `reef.py` (`transcript:L9`)

## Open-threads & conflicts
- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L9`)
- ⚑ verify: uncommitted: the session made no commit. (`transcript:L9`)
- ⚑ verify: announced; the session shows no such change:
  > agent, transcript:L10: `Next I will mend the docs.`

## Basics
- In `/home/dev/reef`. (`transcript:L1`)

_1 of 3 corrections by the user is not quoted._

## Sources
- `transcript` `/x/s.jsonl` · session `0b7e5c1a`
- by `rules`
"""


def tell(was: str, now: str) -> list[tuple[str, str]]:
    """What is wrong with the brief once one thing was changed in it."""
    assert was in BRIEF
    return [(one.kind, one.section) for one in check_text(BRIEF.replace(was, now), SESSION).troubles]


def test_what_stands_above_a_correction_is_what_it_answered() -> None:
    assert tell("reef", "reef") == []
    stale = "- > agent, transcript:L3: `A pause is the fix.`\n  > user, transcript:L7"
    now = "- > agent, transcript:L6: `A set of all ids is the fix.`\n  > user, transcript:L7"
    assert tell(now, stale) == [("label", "dead_ends")]


@pytest.mark.parametrize(("words", "stands"), [("Yes, go on.", True), ("Yes, go on with it.", False)])
def test_few_words_in_between_settle_nothing(words: str, stands: bool) -> None:
    talk = [one for one in SESSION if one.line not in (4, 5)]
    talk.insert(3, human(4, words))
    stale = BRIEF.replace("L5: `Look at the cursor instead.`", f"L4: `{words}`").replace("of 3", "of 2")
    stale = stale.replace("- > agent, transcript:L6: `A set of all ids", "- > agent, transcript:L3: `A pause")
    assert [one.kind for one in check_text(stale, talk).troubles] == ([] if stands else ["label"])


@pytest.mark.parametrize(
    "words", ["transcript:L10: `The name is short.`", "transcript:L3: `I could retry with a longer pause.`"]
)
def test_what_announces_nothing_or_was_overtaken_is_not_announced(words: str) -> None:
    assert tell("transcript:L10: `Next I will mend the docs.`", words) == [("untrue", "open_threads")]


def test_an_announcement_that_is_cut_may_have_said_so_before() -> None:
    assert tell("`Next I will mend the docs.`", "`The cursor is exclusive now. … The name is short.`") == []


@pytest.mark.parametrize(
    ("count", "told"),
    [
        ("1 of 3 corrections by the user is", True),
        ("1 of 2 corrections by the user is", True),
        ("4 of 4 corrections by the user are", True),
        ("1 of 5 corrections by the user is", False),  # the user spoke four times
        ("9 of 13 corrections by the user are", False),
        ("3 of 2 corrections by the user are", False),
        ("0 of 2 corrections by the user are", False),
    ],
)
def test_corrections_are_counted_as_the_session_can_have_them(count: str, told: bool) -> None:
    kinds = [kind for kind, _ in tell("1 of 3 corrections by the user is", count)]
    assert kinds == ([] if told else ["untrue"])


def test_of_many_corrections_that_are_said_to_be_quoted_as_many_are_quoted() -> None:
    talk = [*SESSION, *(human(line, "No, not so.") for line in range(20, 40))]
    text = BRIEF.replace("1 of 3", "1 of 19")
    assert "untrue" in [one.kind for one in check_text(text, talk).troubles]
    assert "untrue" not in [one.kind for one in check_text(text.replace("1 of 19", "16 of 19"), talk).troubles]


def test_a_person_is_heard_where_an_answer_was_picked_too() -> None:
    turns = Turns()
    for part in [*SESSION, Asked(12, "Which?", ("a", "b"), "b"), Asked(14, "Which?", ("a", "b"), "")]:
        turns.see(part)
    assert turns.heard == 5
    assert turns.answered == {2, 4, 5, 7, 12}
