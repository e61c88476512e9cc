"""What the working tree looks like: branch, changes, conflicts, untracked files."""

import os

from thruline.gitfacts.program import NoAnswer, ask_git
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """Where HEAD is. `name` is empty when detached, `commit` is empty before the first commit (unborn)."""

    name: str
    commit: str

    @property
    def unborn(self) -> bool:
        return not self.commit


@dataclass(frozen=True, slots=True)
class Change:
    """A tracked path that differs. `staged` and `unstaged` are git's letters (M T A D R C), empty where there is none.

    `origin` is the old path of a rename or copy. For a submodule only a moved commit counts as a change: to look
    inside it, git would start itself under that repository's own config.
    """

    path: str
    staged: str
    unstaged: str
    origin: str = ""
    submodule: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """The working tree against the index and HEAD. Paths are relative to the repository's root.

    A file under a content filter whose timestamp moved may show as changed: filters are never run, so its raw bytes
    are compared.
    """

    branch: Branch
    changes: tuple[Change, ...]
    conflicts: tuple[str, ...]
    untracked: tuple[str, ...]

    @property
    def staged(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.staged)

    @property
    def unstaged(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.unstaged)

    @property
    def dirty(self) -> int:
        """How many paths are not as HEAD has them."""
        return len(self.changes) + len(self.conflicts) + len(self.untracked)


def read_branch(folder: str, *, timeout: float | None = None) -> Branch | NoAnswer:
    """Where HEAD is, without looking at files."""
    name = ask_git(folder, ("symbolic-ref", "--quiet", "HEAD"), timeout=timeout)
    if isinstance(name, NoAnswer):
        return name
    commit = ask_git(folder, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), timeout=timeout)
    if isinstance(commit, NoAnswer):
        return commit
    ref = os.fsdecode(name.output.rstrip(b"\n")) if name.code == 0 else ""
    return Branch(ref.removeprefix("refs/heads/"), commit.output.decode("ascii").strip() if commit.code == 0 else "")


def read_status(folder: str, *, timeout: float | None = None) -> Status | NoAnswer:
    """The state of the working tree that `folder` lies in. A wholly untracked folder is one entry, ending in `/`."""
    answer = ask_git(
        folder,
        (
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
            "--no-ahead-behind",
            "--untracked-files=normal",
            "--ignored=no",
            "--ignore-submodules=dirty",
            "--find-renames",
        ),
        reads_files=True,
        timeout=timeout,
    )
    return answer if isinstance(answer, NoAnswer) else parse_status(answer.output)


def parse_status(output: bytes) -> Status:
    """The values of `git status --porcelain=v2 -z --branch`."""
    name = commit = ""
    changes: list[Change] = []
    conflicts: list[str] = []
    untracked: list[str] = []
    rows = iter(output.split(b"\0"))
    for row in rows:
        kind, _, rest = row.partition(b" ")
        if kind == b"#":
            key, _, value = rest.partition(b" ")
            if key == b"branch.oid" and value != b"(initial)":
                commit = value.decode("ascii")
            elif key == b"branch.head" and value != b"(detached)":
                name = os.fsdecode(value)
        elif kind == b"1":
            letters, submodule, *_, path = rest.split(b" ", 7)
            changes.append(_build_change(letters, submodule, path, b""))
        elif kind == b"2":
            letters, submodule, *_, path = rest.split(b" ", 8)
            changes.append(_build_change(letters, submodule, path, next(rows)))
        elif kind == b"u":
            conflicts.append(os.fsdecode(rest.split(b" ", 9)[-1]))
        elif kind == b"?":
            untracked.append(os.fsdecode(rest))
    return Status(Branch(name, commit), tuple(changes), tuple(conflicts), tuple(untracked))


def _build_change(letters: bytes, submodule: bytes, path: bytes, origin: bytes) -> Change:
    staged, unstaged = (letter if letter != "." else "" for letter in letters.decode("ascii"))
    return Change(os.fsdecode(path), staged, unstaged, os.fsdecode(origin), submodule.startswith(b"S"))
