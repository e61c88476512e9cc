"""Files that were moved: told as moved, with what was done to them besides; nobody can change the words unnoticed."""

import pytest

from tests.brief.by_rules import find_troubles, render_rules
from tests.brief.shop import SHOP, do, session
from tests.session.talk import edit

MOVED = session(do(3, "git mv a.py src/b.py"), do(5, "mv docs/x.md docs/y.md"), edit(7, f"{SHOP}/src/b.py"))
LINE = "- moved `a.py` to `src/b.py`, `docs/x.md` to `docs/y.md` (`transcript:L4-L6`)"


def test_a_moved_file_is_told_with_both_names_and_with_what_was_done_to_it() -> None:
    text = render_rules(MOVED)
    assert LINE in text.splitlines()
    assert "- edited `src/b.py`" in text
    assert "- deleted" not in text
    assert "- created" not in text
    assert find_troubles(text, MOVED) == []


@pytest.mark.parametrize(
    ("steps", "told", "untold"),
    [
        (["git mv a.py b.py", "git mv b.py a.py"], "- reverted `a.py`", "moved"),
        (["git mv a.py b.py", "git mv b.py c.py"], "- moved `a.py` to `c.py`", "`b.py`"),
        (["git mv a.py lib/"], "- moved `a.py` to `lib/a.py`", "deleted"),
        (["git mv src lib"], "- moved `src` to `lib`", "deleted"),
        (["git mv a.py b.py", "git rm -f b.py"], "- deleted `a.py`", "moved"),
        (["git mv a.py b.py", "git reset --hard"], "- reverted `a.py`", "moved"),
        (["git mv a.py b.py", "git stash"], "- stashed `a.py`", "moved"),
        (["git mv a.py b.py", "git checkout ."], "- moved `a.py` to `b.py`", "reverted"),
        (["git rm --cached a.py"], "", "deleted"),
        (["git rm a.py"], "- deleted `a.py`", "moved"),
    ],
)
def test_what_became_of_it_in_the_end_is_told(steps: list[str], told: str, untold: str) -> None:
    parts = session(*(do(10 * at + 10, step) for at, step in enumerate(steps)))
    text = render_rules(parts)
    did = text.partition("### the session did")[2].partition("## Basics")[0]
    assert told in did
    assert untold not in did
    assert find_troubles(text, parts) == []


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        (LINE, "- deleted `a.py`, `docs/x.md` (`transcript:L4-L6`)"),
        (LINE, "- created `src/b.py`, `docs/y.md` (`transcript:L4-L6`)"),
        (LINE, "- moved `src/b.py` to `a.py` (`transcript:L4-L6`)"),
        (LINE, "- moved `a.py` to `docs/y.md` (`transcript:L4-L6`)"),
        (LINE, "- moved `a.py` to `src/b.py` and 3 more (`transcript:L4-L6`)"),
        (LINE, "- moved `a.py` to `src/b.py` (`transcript:L2`)"),
        (LINE, "- moved `a.py` and `src/b.py` (`transcript:L4-L6`)"),
        (LINE, "- moved `a.py` to `src/b.py`, as the user asked (`transcript:L4-L6`)"),
        (LINE, "- reverted `docs/x.md` (`transcript:L4-L6`)"),
        ("- edited `src/b.py`", "- moved `old.py` to `src/b.py`"),
    ],
)
def test_another_word_for_a_moved_file_is_noticed(told: str, changed: str) -> None:
    text = render_rules(MOVED)
    assert told in text
    assert find_troubles(text.replace(told, changed), MOVED) != []


def test_a_model_may_say_in_a_sentence_that_a_moved_file_was_deleted_or_created() -> None:
    text = render_rules(MOVED).replace("- by `rules`", "- by `agent`")
    for words in ("deleted `a.py`, which is `src/b.py` now", "created `docs/y.md` from what there was"):
        assert "untrue" not in find_troubles(text.replace(LINE, f"- {words} (`transcript:L4`)"), MOVED), words
