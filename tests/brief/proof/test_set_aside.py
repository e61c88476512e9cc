"""Work that was stashed: briefs of the rules pass, and one that tells something else of it does not."""

import pytest

from tests.brief.by_rules import find_troubles, render_rules
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Changed, Part

SHOP = "/home/dev/shop"
BEGUN: list[Part] = [
    Changed(1, "cwd", SHOP),
    human(2, "Close the cursor in both files."),
    *edit(3, f"{SHOP}/src/a.py"),
    *edit(5, f"{SHOP}/src/b.py"),
]
STASHED: list[Part] = [*BEGUN, *run(7, "git stash push -- src/a.py"), *run(9, "make"), agent(11, "Laid aside for now.")]
OWED = "- ⚑ verify: stashed, not taken out again: `src/a.py`. (`transcript:L8`)"


def test_stashed_work_is_told_as_owed_and_the_brief_is_true() -> None:
    text = render_rules(STASHED)
    assert OWED in text.splitlines()
    assert "- stashed `src/a.py`" in text
    assert "reverted" not in text
    assert find_troubles(text, STASHED) == []


def test_work_that_was_taken_out_again_is_owed_a_commit_and_not_told_as_stashed() -> None:
    for taking in ("git stash pop", "git stash apply", "git stash branch other"):
        session = [*STASHED, *run(12, taking), agent(14, "Taken out again.")]
        text = render_rules(session)
        assert "stashed" not in text, taking
        assert "- edited `src/{a.py, b.py}`" in text, taking
        assert find_troubles(text, session) == []


def test_what_was_dropped_is_reverted_and_owed_by_nobody() -> None:
    session = [*STASHED, *run(12, "git stash drop"), agent(14, "Dropped.")]
    text = render_rules(session)
    assert "- reverted `src/a.py`" in text
    assert "not taken out" not in text
    assert find_troubles(text, session) == []


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        ("- stashed `src/a.py`", "- reverted `src/a.py`"),
        ("- stashed `src/a.py`", "- edited `src/a.py`"),
        ("- stashed `src/a.py`", "- deleted `src/a.py`"),
        ("- stashed `src/a.py`", "- stashed `src/b.py`"),
        ("- edited `src/b.py`", "- stashed `src/b.py`"),
        ("taken out again: `src/a.py`", "taken out again: `src/b.py`"),
        ("taken out again: `src/a.py`", "taken out again: `src/a.py` and 3 more"),
        ("taken out again: `src/a.py`. (`transcript:L8`)", "taken out again: `src/a.py`. (`transcript:L4`)"),
        ("stashed, not taken out again:", "stashed, and taken out again:"),
    ],
)
def test_another_word_for_stashed_work_is_noticed(told: str, changed: str) -> None:
    text = render_rules(STASHED)
    assert told in text
    assert find_troubles(text.replace(told, changed), STASHED) != []


def test_a_brief_that_tells_of_a_stash_is_no_longer_true_once_it_was_taken_out() -> None:
    assert "untrue" in find_troubles(render_rules(STASHED), [*STASHED, *run(12, "git stash pop")])
