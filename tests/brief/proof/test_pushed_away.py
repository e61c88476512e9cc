"""A pushed commit that the branch lost: a flag to look at, which nobody can make up, change or leave standing."""

import pytest

from tests.brief.by_rules import find_troubles, render_rules
from tests.session.talk import agent, commit, edit, human, run
from thruline.session.parts import Changed, Part

PUSHED: list[Part] = [
    Changed(1, "cwd", "/home/dev/shop"),
    Changed(1, "branch", "main"),
    human(2, "Close the cursor."),
    *edit(3, "/home/dev/shop/a.py"),
    *commit(5, "c1c1c1c", "Close the cursor", "git commit -am Close"),
    *run(7, "git push"),
]
AWAY = [*PUSHED, *commit(9, "c2c2c2c", "Close it once", "git commit --amend -m Once"), agent(12, "Amended.")]
FLAG = "- ⚑ verify: pushed, and gone from the branch since: `c1c1c1c`."
LINE = f"{FLAG} (`transcript:L6`, `transcript:L8`, `transcript:L10`)"


def test_a_pushed_commit_that_was_amended_is_flagged() -> None:
    text = render_rules(AWAY)
    assert LINE in text.splitlines()
    assert find_troubles(text, AWAY) == []


def test_nothing_is_flagged_that_stands_on_the_branch_or_was_pushed_over() -> None:
    for session in ([*PUSHED, agent(9, "Pushed.")], [*AWAY, *run(13, "git push --force-with-lease")]):
        text = render_rules(session)
        assert "gone from the branch" not in text
        assert find_troubles(text, session) == []


@pytest.mark.parametrize(
    "changed",
    [
        LINE.replace("c1c1c1c", "c2c2c2c"),
        LINE.replace("c1c1c1c", "c1c1"),
        LINE.replace("`c1c1c1c`", "`c1c1c1c` and 2 more"),
        LINE.replace("since", "by the user since"),
        f"{FLAG} (`transcript:L2`)",
    ],
)
def test_another_flag_is_noticed(changed: str) -> None:
    assert find_troubles(render_rules(AWAY).replace(LINE, changed), AWAY) != []


def test_the_flag_is_untrue_of_a_session_that_pushed_over_it() -> None:
    assert "untrue" in find_troubles(render_rules(AWAY), [*AWAY, *run(13, "git push -f")])
