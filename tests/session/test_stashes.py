"""What became of stashed work: held against what git really does in a small repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.session.git_shop import make_shop, run_shell
from tests.session.talk import edit, run
from thruline.session import parts
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed, Part
from thruline.session.stashed import find_dropped, find_stashed

SHOP = "/home/dev/shop"
# The step that edits a file, among commands.
EDITS, EDITS_B, CREATES = "edits a.py", "edits b.py", "creates c.py"


def fold(*steps: str | list[Part]) -> Ledger:
    """A ledger of these steps: an edit, the making of a file, or a command that ended well."""
    ledger = Ledger()
    ledger.see_all([Changed(1, "cwd", SHOP)])
    for at, step in enumerate(steps):
        line = 10 * at + 10
        if isinstance(step, list):
            ledger.see_all(step)
        elif step.startswith(("edits ", "creates ")):
            verb, name = step.split(" ")
            ledger.see_all(edit(line, f"{SHOP}/{name}", "created" if verb == "creates" else "edited"))
        else:
            ledger.see_all(run(line, step))
    return ledger


def find_names(ledger: Ledger) -> list[list[str]]:
    return [[one.path.removeprefix(f"{SHOP}/") for one in lies] for _, lies in find_stashed(ledger)]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    ("steps", "stashed"),
    [
        ((EDITS, "git stash"), [["a.py"]]),
        ((EDITS, "git stash push"), [["a.py"]]),
        ((EDITS, "git stash push -m wip"), [["a.py"]]),
        ((EDITS, "git stash save wip"), [["a.py"]]),
        ((EDITS, "git stash -k"), [["a.py"]]),
        ((EDITS, "git stash && ls"), [["a.py"]]),
        ((EDITS, EDITS_B, "git stash"), [["a.py", "b.py"]]),
        ((EDITS, EDITS_B, "git stash push -- a.py"), [["a.py"]]),
        ((EDITS, EDITS_B, "git stash push a.py"), [["a.py"]]),
        ((EDITS, EDITS_B, "git stash -- b.py"), [["b.py"]]),
        ((EDITS, CREATES, "git stash"), [["a.py"]]),
        ((EDITS, CREATES, "git stash -u"), [["a.py", "c.py"]]),
        ((CREATES, "git stash -u"), [["c.py"]]),
        ((EDITS, "git stash", "git stash list", "git stash show -p"), [["a.py"]]),
        ((EDITS, "git stash", "git stash pop"), []),
        ((EDITS, "git stash", "git stash apply"), []),
        ((EDITS, "git stash", "git stash apply", "git stash drop"), []),
        ((EDITS, "git stash", "git stash branch other"), []),
        ((EDITS, "git stash && ls && git stash pop"), []),
        ((EDITS, "git stash; ls; git stash pop"), []),
        ((EDITS, "git stash", "git stash drop"), []),
        ((EDITS, "git stash", "git stash clear"), []),
        ((EDITS, "git stash", EDITS_B, "git stash", "git stash pop"), [["a.py"]]),
        ((EDITS, "git stash", EDITS_B, "git stash", "git stash pop stash@{1}"), [["b.py"]]),
        ((EDITS, "git stash", EDITS_B, "git stash", "git stash pop 1"), [["b.py"]]),
        ((EDITS, "git stash", EDITS_B, "git stash", "git stash drop", "git stash pop"), []),
        ((EDITS, "git stash", "git stash pop", "git stash"), [["a.py"]]),
        ((EDITS, "git stash", "git stash pop", "git stash", "git stash pop"), []),
        ((EDITS, "git stash", EDITS, "git stash"), [["a.py"], ["a.py"]]),
        # Nothing was changed meanwhile, so the second makes none: what is popped is the first.
        ((EDITS, "git stash", "git stash", "git stash pop"), []),
        # Staged, it stays where it is as well: nobody can tell which part of it is owed.
        ((EDITS, "git add a.py", "git stash -k"), []),
    ],
)
def test_what_lies_in_a_stash_lies_there_in_git_too(
    tmp_path: Path, steps: tuple[str, ...], stashed: list[list[str]]
) -> None:
    assert find_names(fold(*steps)) == stashed
    shop = make_shop(tmp_path / "shop", "a.py", "b.py")
    for number, step in enumerate(steps):
        if step in (EDITS, EDITS_B, CREATES):
            (shop / step.split(" ")[1]).write_text(f"{step} {number}\n")
        else:
            assert run_shell(shop, step) == 0, step
    for name in (name for names in stashed for name in names):
        path = shop / name
        assert not path.exists() if name == "c.py" else path.read_text() == "old\n"
    # Git has no fewer of them: what was applied and stays there is in its place, and owed by nobody.
    assert len(stashed) <= len(_read_stack(shop))


def _read_stack(shop: Path) -> list[str]:
    listed = subprocess.run(["git", "stash", "list"], cwd=shop, capture_output=True, check=True, text=True)
    return listed.stdout.splitlines()


@pytest.mark.parametrize(
    "steps",
    [
        (EDITS, "git stash -p"),
        (EDITS, "git stash --staged"),
        (EDITS, "git stash show"),
        (EDITS, "git stash create"),
        (EDITS, "git stash --help"),
        (EDITS, "echo git stash"),
        (EDITS, 'git commit -m "git stash"'),
        (EDITS, "make || git stash; true"),
        (EDITS, "git -C ../quay stash"),
        (EDITS, "cd $WORK && git stash"),
        # Of a line that was cut nobody knows how it went on.
        (EDITS, "git stash && make check && git diff --stat …"),
        # It is the session's own work that is owed, and what was committed is none.
        ("git stash",),
        # Whatever may have taken it out did.
        (EDITS, "git stash", "git checkout main && git stash pop || true"),
        (EDITS, "git stash", "for each in 1; do git stash pop; done"),
        (EDITS, "git stash", "git stash pop $N"),
        (EDITS, "git stash", "git stash -p", "git stash pop"),
        (EDITS, "git stash", "git stash drop; true"),
    ],
)
def test_what_may_not_lie_in_a_stash_is_not_told_to(steps: tuple[str, ...]) -> None:
    assert find_names(fold(*steps)) == []


@pytest.mark.parametrize(("outcome", "owed"), [(parts.ERROR, []), (parts.UNKNOWN, []), (parts.REFUSED, [["a.py"]])])
def test_a_pop_that_failed_may_have_taken_it_out_but_none_that_was_refused(outcome: str, owed: list[str]) -> None:
    assert find_names(fold(EDITS, "git stash", run(40, "git stash pop", outcome))) == owed


@pytest.mark.parametrize("outcome", [parts.ERROR, parts.UNKNOWN, parts.REFUSED])
def test_a_stash_that_did_not_end_well_holds_nothing_that_anybody_knows(outcome: str) -> None:
    assert find_names(fold(EDITS, run(30, "git stash", outcome))) == []


def test_what_was_committed_before_is_in_no_stash() -> None:
    commit = run(20, "git commit -am x", commits=(("c1c1c1c", "x"),))
    assert find_names(fold(EDITS, commit, "git stash")) == []
    assert find_names(fold(EDITS, commit, EDITS_B, "git stash")) == [["b.py"]]


def test_what_was_dropped_is_no_longer_stashed() -> None:
    dropped = find_dropped(fold(EDITS, "git stash", "git stash drop"))
    assert [(stash.line, stash.end, len(files)) for stash, files in dropped] == [(21, 31, 1)]
