"""What became of files that were moved: held against what git really shows in a small repository."""

import shutil
from pathlib import Path

import pytest

from tests.session.git_shop import make_shop, run_shell
from thruline.session.file_changes import find_file_changes
from thruline.session.ledger import Ledger
from thruline.session.parts import OK, Call, Result

EDITS, CREATES, READS = "edits", "creates", "reads"
_HOW = {EDITS: "edited", CREATES: "created", READS: "read"}


def fold(*steps: str) -> Ledger:
    """A ledger of these steps: `edits a.py` and the like by a tool, or a command that ended well."""
    ledger = Ledger()
    for at, step in enumerate(steps):
        line, verb = 10 * at + 10, step.split(" ")[0]
        if verb in _HOW:
            path = step.split(" ")[1]
            ledger.see(Call(line, f"c{line}", "Edit", "edit", path, paths=(path,)))
            ledger.see(Result(line + 1, f"c{line}", OK, 9, changes=((path, _HOW[verb]),)))
        else:
            changes, moves = find_file_changes(step)
            ledger.see(Call(line, f"c{line}", "Bash", "run", step))
            ledger.see(Result(line + 1, f"c{line}", OK, 9, changes=changes, moves=moves))
    return ledger


def judge(ledger: Ledger) -> dict[str, str]:
    """What became of each file, with where it came from: `a.py > b.py`."""
    found = {}
    for fact in ledger.files.values():
        if fact.judge():
            found[f"{fact.came} > {fact.path}" if fact.came else fact.path] = fact.judge()
    return found


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    ("steps", "became"),
    [
        (("git mv a.py b.py",), {"a.py > b.py": "moved"}),
        (("mv a.py b.py",), {"a.py > b.py": "moved"}),
        (("git mv a.py lib/",), {"a.py > lib/a.py": "moved"}),
        (("git mv a.py old.py lib",), {"a.py > lib/a.py": "moved", "old.py > lib/old.py": "moved"}),
        (("mv lib/x.py .",), {"lib/x.py > ./x.py": "moved"}),
        (("edits a.py", "git mv a.py b.py"), {"a.py > b.py": "edited"}),
        (("git mv a.py b.py", "edits b.py"), {"a.py > b.py": "edited"}),
        (("git mv a.py b.py", "git mv b.py c.py"), {"a.py > c.py": "moved"}),
        (("git mv a.py b.py && git mv b.py c.py",), {"a.py > c.py": "moved"}),
        (("git mv a.py b.py", "git mv b.py a.py"), {"a.py": "reverted"}),
        (("git mv a.py b.py", "edits b.py", "git mv b.py a.py"), {"a.py": "edited"}),
        (("creates n.py", "mv n.py b.py"), {"b.py": "created"}),
        (("creates n.py", "mv n.py b.py", "edits b.py"), {"b.py": "created"}),
        (("creates n.py", "mv n.py b.py", "rm b.py"), {"b.py": "gone"}),
        (("reads a.py", "creates n.py", "mv n.py a.py"), {"a.py": "edited"}),
        (("git mv a.py b.py", "git rm -f b.py"), {"a.py": "deleted"}),
        (("git mv a.py b.py", "creates a.py"), {"a.py > b.py": "moved", "a.py": "created"}),
        (("edits a.py", "git mv a.py b.py", "creates a.py"), {"a.py > b.py": "edited", "a.py": "created"}),
        # A name of which nobody knows whether it is a folder, until something is seen in it.
        (("mv a.py lib",), {"a.py > lib": "moved"}),
        (("reads lib/x.py", "mv a.py lib"), {"a.py > lib/a.py": "moved"}),
        (("mv a.py lib", "edits lib/a.py"), {"a.py > lib/a.py": "edited"}),
        (("mv a.py lib", "edits lib/x.py"), {"a.py > lib/a.py": "moved", "lib/x.py": "edited"}),
        # A folder takes along what was done in it.
        (("edits lib/x.py", "git mv lib/ pack/"), {"lib > pack/lib": "moved", "pack/lib/x.py": "edited"}),
        (("creates lib/n.py", "mv lib/ pack/"), {"lib > pack/lib": "moved", "pack/lib/n.py": "created"}),
        (("creates n.py", "rm n.py", "creates n.py"), {"n.py": "created"}),
        (("rm a.py", "creates a.py"), {"a.py": "edited"}),
        (("edits a.py", "git rm --cached a.py"), {"a.py": "edited"}),
        (("git rm a.py",), {"a.py": "deleted"}),
    ],
)
def test_what_became_of_moved_files_is_what_is_there(
    tmp_path: Path, steps: tuple[str, ...], became: dict[str, str]
) -> None:
    assert judge(fold(*steps)) == became
    shop = make_shop(tmp_path / "shop", "a.py", "old.py", "lib/x.py", "pack/y.py")
    for step in steps:
        verb, _, name = step.partition(" ")
        if verb in (EDITS, CREATES):
            (shop / name).write_text(f"{step}\n")
        elif verb != READS:
            assert run_shell(shop, step) == 0, step
    after = _find(shop)
    for name, how in became.items():
        old, _, new = name.rpartition(" > ")
        new = new.removeprefix("./")
        there = {path for path in after if f"{path}/".startswith(f"{new}/")}
        assert bool(there) is (how not in ("deleted", "gone")), name
        if old and old not in became:
            assert not {path for path in after if f"{path}/".startswith(f"{old}/")}, name


def _find(shop: Path) -> set[str]:
    return {str(path.relative_to(shop)) for path in shop.rglob("*") if path.is_file() and ".git" not in path.parts}
