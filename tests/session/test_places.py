"""Which commits are the project's, and which were made in a folder that is none of it."""

import pytest

from tests.session.talk import commit, run
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed, Part


def both(*session: list[Part], folder: str = "/home/dev/ferry") -> tuple[list[str], list[str]]:
    """The commits that stand in the project, and those of other folders."""
    ledger = Ledger()
    ledger.see_all([Changed(1, "cwd", folder)])
    for parts in session:
        ledger.see_all(parts)
    standing = [made.digest for made in ledger.commits if not made.gone]
    return standing, [made.digest for made in ledger.commits_elsewhere]


@pytest.mark.parametrize(
    ("command", "elsewhere"),
    [
        ("git commit -am x", False),
        ("cd /home/dev/ferry && git commit -am x", False),
        ("cd src && git commit -am x", False),
        ("cd .. && git commit -am x", False),  # the repository may begin above
        ("cd ~/ferry && git commit -am x", False),
        ("cd $WORK && git commit -am x", False),
        ("cd .claude/worktrees/tides && git commit -am x", False),
        ("git worktree add -b tides ../tides && cd ../tides && git commit -am x", False),
        ("git worktree add ~/tides && cd /home/dev/tides/src && git commit -am x", False),
        ("cd / && git commit -am x", False),
        ("cd /srv/quay && git commit -am x", True),
        ("cd ../quay && git commit -am x", True),
        ("cd ~/quay && git commit -am x", True),
        ("git -C /srv/quay commit -am x", True),
        ("cd /srv/quay && git commit -am x && cd /home/dev/ferry && git commit -am x", False),
    ],
)
def test_a_commit_in_another_folder_is_none_of_the_projects(command: str, elsewhere: bool) -> None:
    made = both(run(2, command, commits=(("c1c1c1c", "x"),)))
    assert made == (([], ["c1c1c1c"]) if elsewhere else (["c1c1c1c"], []))


@pytest.mark.parametrize(
    ("home", "command", "elsewhere"),
    [
        ("/repo/packages/a", "cd /repo/packages/b && git commit -am x", False),
        ("/repo/packages/a", "cd ../../docs && git commit -am x", False),
        ("/home/dev/work/ferry", "cd ../quay && git commit -am x", False),  # nobody knows where the repository begins
        ("/home/dev/ferry/packages/a", "cd ~/ferry/docs && git commit -am x", False),
        ("/private/tmp/shop", "cd /tmp/shop && git commit -am x", False),
        ("/home/dev/shop", "cd /srv/shop && git commit -am x", False),  # may be a link
        ("/srv/shop", "cd ~/quay && git commit -am x", False),
        ("/Users/dev/shop", "cd ~/quay && git commit -am x", True),
        ("/private/tmp/shop", "cd /tmp/quay && git commit -am x", True),
        ("/repo/packages/a", "cd /srv/quay && git commit -am x", True),
        ("/workspaces/shop", "cd ../quay && git commit -am x", True),
    ],
)
def test_a_folder_that_one_repository_may_hold_together_with_the_sessions_is_not_elsewhere(
    home: str, command: str, elsewhere: bool
) -> None:
    made = both(run(2, command, commits=(("c1c1c1c", "x"),)), folder=home)
    assert made == (([], ["c1c1c1c"]) if elsewhere else (["c1c1c1c"], []))


@pytest.mark.parametrize(
    ("shown", "elsewhere"),
    [
        ("git status", False),
        ("git add .github && git status", False),  # names no file there
        ("cd ../.. && git init", False),
        ("cd ../../docs && git init && cd -", False),
        ("git init", True),
        ("git add .gitmodules packages", True),
        ("cd ../ && git add .github/workflows/tides.yml", False),
        ("git clone -b main --depth 1 git@example.com:dev/quay.git ../quay", True),
        ("cd .. && git clone https://example.com/dev/quay.git", True),
        ("git init -q -b main ../quay", True),
    ],
)
def test_where_a_repository_was_shown_to_begin_a_folder_beside_is_elsewhere_also_with_hindsight(
    shown: str, elsewhere: bool
) -> None:
    folder, beside = "/home/dev/work/ferry", commit(4, "c1c1c1c", "x", "cd ../quay && git commit -am x")
    want = ([], ["c1c1c1c"]) if elsewhere else (["c1c1c1c"], [])
    assert both(run(2, shown), beside, folder=folder) == want
    assert both(beside, run(6, shown), folder=folder) == want


def test_a_reset_takes_back_no_commit_that_was_shown_to_be_elsewhere() -> None:
    session = (
        commit(2, "c1c1c1c", "Print tides"),
        commit(4, "c2c2c2c", "Paint the quay", "cd ../quay && git commit -am x"),
        run(6, "git add .gitmodules"),
        run(8, "git reset --hard HEAD~1"),
    )
    assert both(*session, folder="/home/dev/work/ferry") == ([], ["c2c2c2c"])


def test_what_is_done_elsewhere_takes_back_nothing_and_where_the_session_is_counts() -> None:
    own, moved = commit(2, "c1c1c1c", "Print tides"), [Changed(4, "cwd", "/srv/quay")]
    assert both(own, run(6, "git -C /srv/quay reset --hard HEAD~1")) == (["c1c1c1c"], [])
    assert both(own, moved, run(6, "git reset --hard HEAD~1")) == (["c1c1c1c"], [])
    assert both(own, moved, commit(6, "c2c2c2c", "Paint the quay")) == (["c1c1c1c"], ["c2c2c2c"])
    tree = run(4, "git worktree add ../tides")
    assert both(tree, [Changed(6, "cwd", "/home/dev/tides")], commit(8, "c2c2c2c", "x")) == (["c2c2c2c"], [])
