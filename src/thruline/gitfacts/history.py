"""What was committed: the newest commits, whether one exists, and what differs from one."""

import os
from collections.abc import Iterator, Sequence

from thruline.gitfacts.program import FAILED, NO_COMMIT, NoAnswer, ask_git
from thruline.value import dataclass

_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. `authored_at` is ISO 8601 with the author's own offset."""

    id: str
    authored_at: str
    author: str
    subject: str


@dataclass(frozen=True, slots=True)
class FileStat:
    """How one file differs. `added` and `deleted` count lines, and are None for a binary file."""

    path: str
    added: int | None
    deleted: int | None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class DiffStat:
    """What differs, file by file; untracked files are not in it."""

    files: tuple[FileStat, ...]

    @property
    def added(self) -> int:
        return sum(file.added or 0 for file in self.files)

    @property
    def deleted(self) -> int:
        return sum(file.deleted or 0 for file in self.files)


def is_commit_id(text: str) -> bool:
    """Whether `text` has the form of a commit id: 4 to 64 lower-case hex digits. Says nothing about existence."""
    return 4 <= len(text) <= 64 and _HEX.issuperset(text)


def read_log(folder: str, count: int, *, timeout: float | None = None) -> tuple[Commit, ...] | NoAnswer:
    """The `count` newest commits that HEAD leads to; empty before the first one."""
    answer = ask_git(
        folder,
        (
            "log",
            "-z",
            f"--max-count={max(0, int(count))}",
            "--format=tformat:%H%x00%aI%x00%an%x00%s",
            "--no-show-signature",
            "--no-notes",
            "--no-patch",
            "--no-color",
            "--end-of-options",
            "HEAD",
            "--",
        ),
        timeout=timeout,
    )
    if isinstance(answer, NoAnswer):
        return () if answer.reason == FAILED and _is_unborn(folder, timeout) else answer
    return parse_log(answer.output)


def parse_log(output: bytes) -> tuple[Commit, ...]:
    """The commits of `git log -z` in the four-field format above; a message holds no NUL, so counting is safe."""
    fields = [os.fsdecode(field) for field in output.split(b"\0")]
    return tuple(Commit(*fields[at : at + 4]) for at in range(0, len(fields) - 3, 4))


def has_commit(folder: str, commit_id: str, *, timeout: float | None = None) -> bool | NoAnswer:
    """Whether a commit with this id, or with this unambiguous beginning of one, is in the repository."""
    if not is_commit_id(commit_id):
        return False
    # The peeling makes git open the object: it takes any 40 digits on trust otherwise.
    question = ("rev-parse", "--verify", "--quiet", "--end-of-options", commit_id + "^{commit}")
    answer = ask_git(folder, question, timeout=timeout)
    if isinstance(answer, NoAnswer):
        return answer
    # A branch may be called `deadbeef`; what it leads to is not the commit that was asked for.
    return any(line.startswith(commit_id) for line in answer.output.decode("ascii").splitlines())


def read_diff_stat(
    folder: str, since: str = "HEAD", until: str = "", *, timeout: float | None = None
) -> DiffStat | NoAnswer:
    """What the working tree (or the commit `until`) has changed since the commit `since`."""
    for name in filter(None, (since, until)):
        if name != "HEAD" and not is_commit_id(name):
            return NoAnswer(FAILED, f"{name!r} is not a commit id")
    arguments = [
        "diff-tree" if until else "diff-index",
        "-r",
        "-z",
        "--numstat",
        "--find-renames",
        "--ignore-submodules=dirty",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-relative",
        "-O/dev/null",
        "--end-of-options",
        since,
        *([until] if until else []),
        "--",
    ]
    answer = ask_git(folder, arguments, reads_files=True, timeout=timeout)
    if isinstance(answer, NoAnswer):
        unborn = since == "HEAD" and answer.reason == FAILED and _is_unborn(folder, timeout)
        return NoAnswer(NO_COMMIT) if unborn else answer
    return parse_diff_stat(answer.output)


def read_committed(
    folder: str, since: str, paths: Sequence[str], *, timeout: float | None = None
) -> frozenset[str] | NoAnswer:
    """Those of `paths`, relative to `folder`, that commits after `since` changed and that are as HEAD has them."""
    if not is_commit_id(since):
        return NoAnswer(FAILED, f"{since!r} is not a commit id")
    landed = _ask_names(folder, ("diff-tree", "-r"), (since, "HEAD"), paths, timeout)
    if isinstance(landed, NoAnswer) or not landed:
        return landed
    differing = _ask_names(folder, ("diff-index",), ("HEAD",), sorted(landed), timeout)
    return differing if isinstance(differing, NoAnswer) else landed - differing


def _ask_names(
    folder: str, question: tuple[str, ...], commits: tuple[str, ...], paths: Sequence[str], timeout: float | None
) -> frozenset[str] | NoAnswer:
    if not paths:
        return frozenset()
    told = ("-z", "--name-only", "--no-renames", "--relative", "--ignore-submodules=dirty")
    quiet = ("--no-ext-diff", "--no-textconv", "--no-color", "-O/dev/null", "--end-of-options")
    # Literal: a name with a star in it means itself.
    arguments = ("--literal-pathspecs", *question, *told, *quiet, *commits, "--", *paths)
    answer = ask_git(folder, arguments, reads_files=True, timeout=timeout)
    if isinstance(answer, NoAnswer):
        return answer
    return frozenset(os.fsdecode(name) for name in answer.output.split(b"\0") if name)


def parse_diff_stat(output: bytes) -> DiffStat:
    """The values of `--numstat -z`; git leaves out a file that was only touched."""
    rows = iter(output.split(b"\0"))
    return DiffStat(tuple(_take_stat(row, rows) for row in rows if row))


def _take_stat(row: bytes, rows: Iterator[bytes]) -> FileStat:
    added, deleted, path = row.split(b"\t", 2)
    origin = b""
    if not path:  # a rename: the two paths follow as fields of their own
        origin, path = next(rows), next(rows)
    return FileStat(os.fsdecode(path), _count(added), _count(deleted), os.fsdecode(origin))


def _count(digits: bytes) -> int | None:
    return None if digits == b"-" else int(digits)


def _is_unborn(folder: str, timeout: float | None) -> bool:
    answer = ask_git(folder, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), timeout=timeout)
    return not isinstance(answer, NoAnswer) and answer.code == 1
