"""Which commits are the project's, and which were made in a folder that is none of it."""

import pytest

from tests.session.talk import commit, run
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed, Part
from thruline.session.places import resolve_folder


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
        ("git worktree add ../tides main && cd ../tides && git commit -am x", False),
        ("git worktree add --reason rain ../tides && cd ../tides && git commit -am x", False),
        ("git worktree add ../trees/tides && cd ../trees && git commit -am x", False),
        ("cd /srv/Worktrees/tides && git commit -am x", False),
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
        ("/opt/shop", "cd ../quay && git commit -am x", True),
        ("/mnt/shop", "cd ../quay && git commit -am x", True),
        ("/" + "root/shop", "cd ../quay && git commit -am x", True),
        ("/home/dev", "cd ferry && git commit -am x", False),
        ("C:/jobs/shop", "cd /srv/quay && git commit -am x", False),
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
        ("git add .github/workflows/tides.yml", True),
        ("git rm .gitmodules", True),
        ("git mv .github/a.yml .github/b.yml", True),
        ("git log .github/workflows", False),
        ("git add .gitmodules || true", False),
        ("git clone --help", False),
        ("git clone --reference ../cache git@example.com:dev/quay.git ../quay", True),
        ("cd .. && git clone git@example.com:quay.git", True),
        ("cd .. && git clone https://example.com/dev/quay/", True),
        ("git submodule add ../quay quay && git add .gitmodules", True),
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


def test_a_log_of_another_folder_does_not_tell_where_the_branch_began() -> None:
    moved, back = [Changed(2, "cwd", "/srv/quay")], [Changed(5, "cwd", "/home/dev/ferry")]
    began = ("a1a1a1a", "Print tides")
    session = (
        moved,
        run(3, "git log --oneline -1", logged=(("b1b1b1b", "Paint the quay"),)),
        back,
        run(6, "git log --oneline -1", logged=(began,)),
        run(8, "git log --oneline -2", logged=(("a2a2a2a", "Print the moon"), began)),
    )
    assert both(*session) == (["a2a2a2a"], [])


@pytest.mark.parametrize(
    ("here", "folder", "place"),
    [
        ("?", "src", "?"),
        ("/home/dev", "?", "?"),
        ("", "", "?"),
        ("", "src", "src"),
        ("/home/dev", "../else", "/home/" + "else"),
        ("/home/dev", "/srv/quay", "/srv/quay"),
        ("/home/dev", "~/quay", "~/quay"),
        ("C:\\jobs", "src", "C:/jobs/src"),
        ("C:/jobs", "src\\quay", "C:/jobs/src/quay"),
        ("/c/work", "D:\\quay", "D:/quay"),
        ("/home/dev", "a\\b", "/home/dev/a\\b"),
        ("/home/dev", "/private/tmp/quay", "/tmp/quay"),
        ("/home/dev", "/privately/quay", "/privately/quay"),
    ],
)
def test_a_folder_is_seen_from_the_one_that_the_command_began_in(here: str, folder: str, place: str) -> None:
    assert resolve_folder(here, folder) == place
