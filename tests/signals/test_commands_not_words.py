"""What a command runs counts, not what it says: a message, a path or an `echo` that speaks of git puts nothing back."""

import pytest

from tests.session.talk import human, run
from thruline.session.foreign import is_trial
from thruline.session.ledger import Ledger
from thruline.session.parts import Part
from thruline.signals.features import build_features
from thruline.signals.miner import SignalMiner
from thruline.signals.situation import SituationBuilder

SAYING = [
    'echo "git revert"',
    "echo git checkout -- src/tide.py",
    "grep -rn 'git reset --hard' docs",
    "git commit -qm 'Say what git reset --hard does'",
    "ls docs/git revert/notes",
    "git log --grep 'git restore tide'",
]
UNDOING = [
    "git checkout -- src/tide.py",
    "cd ferry && git restore src/tide.py",
    "git -C ferry revert HEAD",
    "git reset -q --hard HEAD~1",
    "git stash drop",
]


def mine(*session: Part) -> list[tuple[str, str]]:
    miner = SignalMiner()
    for part in [human(1, "See to the tides."), *session]:
        miner.see(part)
    return [(one.kind, one.variety or one.quote) for one in miner.finish()]


@pytest.mark.parametrize("command", SAYING)
def test_a_command_that_only_speaks_of_it_puts_no_work_back(command: str) -> None:
    assert ("dead_end", "reverted") not in mine(*run(3, command))


@pytest.mark.parametrize("command", UNDOING)
def test_a_command_that_runs_it_does(command: str) -> None:
    assert ("dead_end", "reverted") in mine(*run(3, command))


def read(command: str) -> frozenset[str]:
    """The situations of a message that was answered with a command."""
    builder = SituationBuilder()
    found = [builder.see(part) for part in [human(1, "Not like this."), *run(3, command), human(5, "Go on.")]]
    first = next(one for one in found if one is not None)
    return build_features(first).situations


@pytest.mark.parametrize(
    "command", [*SAYING, "python tools/rm.py --all", "echo rm -rf build", "npm run git-commit-lint"]
)
def test_an_answer_that_only_speaks_of_it_undid_nothing(command: str) -> None:
    assert "answer.undid" not in read(command)


@pytest.mark.parametrize("command", [*UNDOING, "rm -rf build", "git stash", "make && rm out.txt"])
def test_an_answer_that_runs_it_undid_something(command: str) -> None:
    assert "answer.undid" in read(command)


def test_an_answer_committed_where_git_was_asked_to() -> None:
    assert "answer.committed" in read("git -C ferry commit -m x")
    assert "answer.committed" not in read("echo 'then git commit'")


@pytest.mark.parametrize(
    ("command", "trial"),
    [
        ("cd /tmp/x && git init -q && git commit -m x", True),
        ("git init -q /tmp/x", True),
        ("cd $(mktemp -d) && git init && git commit -m x", True),
        ("git commit -m 'Say that cd /tmp && git init makes a trial'", False),
        ("cd /home/dev/ferry && git init && git commit -m 'cd /tmp later'", False),
        ("echo 'cd /tmp' && git commit -m 'git init'", False),
    ],
)
def test_a_repository_is_for_trial_where_it_is_made_in_a_temporary_folder(command: str, trial: bool) -> None:
    assert is_trial(command) is trial


def test_a_command_that_shows_a_page_about_commits_made_none() -> None:
    made = (("1a2b3c4", "An example"),)
    for command, count in (("cat docs/git-commit.md", 0), ("git commit -am x", 1), ("./git-commit.sh", 1)):
        ledger = Ledger()
        for part in run(3, command, commits=made):
            ledger.see(part)
        assert len(ledger.commits) == count, command
        assert len([kind for kind, _ in mine(*run(3, command, commits=made)) if kind == "commit"]) == count
