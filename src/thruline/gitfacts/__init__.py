"""What git knows about a folder, read without leaving a trace.

Briefs, packets and pointers speak of branches, commits and changed files. This room asks the user's own git program
and turns its answers into values; that there is no git, no repository or no time is a value too (`NoAnswer`).
Nothing below `.git` is written and no other program is started, whatever the repository's config asks for.
"""

from thruline.gitfacts.history import (
    Commit,
    DiffStat,
    FileStat,
    has_commit,
    is_commit_id,
    read_committed,
    read_diff_stat,
    read_log,
)
from thruline.gitfacts.ignore import IgnoreRule, is_tracked, read_ignored
from thruline.gitfacts.program import (
    FAILED,
    NO_COMMIT,
    NO_GIT,
    NOT_A_REPOSITORY,
    NOT_TRUSTED,
    TIMED_OUT,
    TOO_LARGE,
    NoAnswer,
    find_git,
    read_version,
)
from thruline.gitfacts.status import Branch, Change, Status, read_branch, read_status
from thruline.gitfacts.tracked import read_tracked, read_tracked_named

__all__ = [
    "FAILED",
    "NOT_A_REPOSITORY",
    "NOT_TRUSTED",
    "NO_COMMIT",
    "NO_GIT",
    "TIMED_OUT",
    "TOO_LARGE",
    "Branch",
    "Change",
    "Commit",
    "DiffStat",
    "FileStat",
    "IgnoreRule",
    "NoAnswer",
    "Status",
    "find_git",
    "has_commit",
    "is_commit_id",
    "is_tracked",
    "read_branch",
    "read_committed",
    "read_diff_stat",
    "read_ignored",
    "read_log",
    "read_status",
    "read_tracked",
    "read_tracked_named",
    "read_version",
]
