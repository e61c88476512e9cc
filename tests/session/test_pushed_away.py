"""What a remote has that the branch lost: held against what a real remote has."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.session.git_shop import make_shop, run_shell
from tests.session.talk import run
from thruline.session import parts
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed
from thruline.session.pushes import find_pushed_away

A, B = "git commit -qam one", "git commit -qam two"
PUSH, FORCE = "git push -q origin main", "git push -qf origin main"
AMEND = "git commit -q --amend -m other"
BACK, SOFT = "git reset -q --hard HEAD~1", "git reset -q --soft HEAD~1"
REJECTED = "git push -q origin main "  # as any push that the remote did not take

STEPS = [
    ((A, PUSH, BACK), 1),
    ((A, PUSH, SOFT), 1),
    ((A, PUSH, "git reset -q HEAD^"), 1),
    ((A, PUSH, AMEND), 1),
    ((A, PUSH, AMEND, REJECTED), 1),
    ((A, PUSH, SOFT, B), 1),
    ((A, B, PUSH, "git reset -q --hard HEAD~2"), 2),
    ((A, B, PUSH, BACK), 1),
    ((A, B, PUSH, BACK, "git log --oneline", BACK), 2),
    ((A, PUSH, "git checkout -- a.py", BACK), 1),
    ((A, PUSH, BACK, "echo two > a.py", "git stash push -q -- a.py"), 1),
    ((A, PUSH, BACK, "git commit -q --allow-empty -m 'push it later'"), 1),
    ((A, PUSH), 0),
    ((A, BACK, PUSH), 0),
    ((A, PUSH, BACK, FORCE), 0),
    ((A, PUSH, AMEND, FORCE), 0),
    ((A, PUSH, AMEND + " && " + FORCE), 0),
    ((A, PUSH, B, BACK), 0),
    ((A, PUSH, B, AMEND), 0),
    ((A, PUSH, BACK, "git reset -q --hard ORIG_HEAD"), 0),
    ((A, PUSH, BACK, "git pull -q origin main"), 0),
    ((A, PUSH, BACK, "git merge -q origin/main"), 0),
]


def fold(*steps: str) -> Ledger:
    ledger = Ledger()
    ledger.see_all([Changed(1, "cwd", "/home/dev/shop")])
    for at, step in enumerate(steps):
        made = ((f"c{at}c{at}c{at}c", step),) if "commit" in step else ()
        ledger.see_all(run(10 * at + 10, step, parts.ERROR if step is REJECTED else parts.OK, commits=made))
    return ledger


def find_away(ledger: Ledger, aside: Ledger | None = None) -> list[str]:
    return [one.digest for one in find_pushed_away(ledger, aside, "/home/dev/shop", [(1, "main")])[0]]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(("steps", "count"), STEPS)
def test_what_is_told_to_be_on_the_remote_alone_is_there_alone(
    tmp_path: Path, steps: tuple[str, ...], count: int
) -> None:
    assert len(find_away(fold(*steps))) == count
    shop = make_shop(tmp_path / "shop", "a.py")
    assert (
        run_shell(shop, "git init -q --bare ../remote && git remote add origin ../remote && git push -q origin main")
        == 0
    )
    for number, step in enumerate(steps):
        if "commit" in step and "--amend" not in step:
            (shop / "a.py").write_text(f"{number}\n")
        assert (run_shell(shop, step) == 0) is (step is not REJECTED), step
    there = ["git", "-C", str(tmp_path / "remote"), "rev-list", "main"]
    here = ["git", "-C", str(shop), "rev-list", "main"]
    lost = {*_read(there)} - {*_read(here)}
    assert len(lost) == count


def _read(command: list[str]) -> list[str]:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()


@pytest.mark.parametrize(
    "steps",
    [
        # Where nobody can tell which branch it was, what was sent, or what came later.
        (A, PUSH, "git checkout other", BACK),
        (A, PUSH, "git switch other", BACK),
        (A, PUSH, BACK, "git checkout feature"),
        (A, "git push origin v1.2", BACK),
        (A, "git push --tags", BACK),
        (A, "git push origin other", BACK),
        (A, "git push || true", BACK),
        (A, "git push --dry-run", BACK),
        (A, PUSH, "git reset a.py"),
        (A, PUSH, BACK, "make release && git push origin HEAD || true"),
        (A, PUSH, BACK, "./push.sh"),
        (A, PUSH, BACK, "npm run push:all"),
        (A, PUSH, "cd ../quay && git reset --hard HEAD~1"),
    ],
)
def test_where_nobody_can_tell_nothing_is_told(steps: tuple[str, ...]) -> None:
    assert find_away(fold(*steps)) == []


def test_a_push_of_a_subagent_may_have_sent_the_branch_again() -> None:
    aside = fold("git push -f")
    assert find_away(fold(A, PUSH, BACK), aside) == []
    assert find_away(fold(A, PUSH, BACK), fold("ls")) != []


def test_what_git_printed_of_a_push_counts() -> None:
    ledger = fold(A)
    ledger.see_all(run(20, "git push 2>&1 | tail -1", pushed=(("main", "sent"),)))
    ledger.see_all([Changed(1, "branch", "main"), *run(30, BACK)])
    assert find_pushed_away(ledger, None, "/home/dev/shop", [(1, "main")])[1] == 21
    ledger.see_all(run(40, "git push -f 2>&1 | tail -1", pushed=(("main", "refused"),)))
    assert find_pushed_away(ledger, None, "/home/dev/shop", [(1, "main")])[1] == 21
    ledger.see_all(run(50, "git push -f 2>&1 | tail -2", pushed=(("main", "sent"),)))
    assert find_pushed_away(ledger, None, "/home/dev/shop", [(1, "main")]) == ([], 0)


def test_a_pushed_commit_that_a_rebase_renamed_is_on_the_remote_alone() -> None:
    ledger = fold(A, PUSH)
    ledger.see_all(run(30, "git rebase other"))
    assert find_away(ledger) == []
    ledger.see_all(run(40, "git log --oneline -1", logged=(("d1d1d1d", A),)))
    assert find_away(ledger) == ["c0c0c0c"]
