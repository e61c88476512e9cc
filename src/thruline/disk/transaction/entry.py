"""What a journal holds: one entry a change, one row a file."""

import hashlib
from dataclasses import dataclass
from typing import Protocol

from thruline.errors import JournalBroken

SCHEMA = 1
ABSENT = ""
# What a change may hold, and so what is worth reading of a journal that may have come with a clone.
LARGEST_ENTRY = 64 << 20

GIVE_UP = "move that file away to give up the change it holds, then run thruline doctor"
SET_ASIDE = "thruline doctor --fix moves it aside; what it wants done is given up"


def build_digest(data: bytes | None) -> str:
    """What is remembered of a content; a file that is not there has the empty digest."""
    return ABSENT if data is None else hashlib.blake2b(data, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file's part of an entry.

    `root` counts the entry's roots; `area` is `root` or `base`, the folder of that root that `path` starts from. `data`
    is None for a deletion. `old` is the digest of what it replaces and `mark` tells that very file from a later copy of
    it (inode and time): someone who puts the old text back by hand must not lose it to a replay.
    """

    root: int
    area: str
    path: str
    old: str
    mark: str
    data: bytes | None
    mode: int | None
    temp: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One change. Ids grow, so entries of several journals have an order.

    `roots` are the projects it touches, the one that holds the journal first. Only their root folders are told: where
    their own files lie is asked of `layout`.
    """

    id: int
    roots: tuple[str, ...]
    files: tuple[FileChange, ...]


class Journal(Protocol):
    """Where entries are kept; one instance serves one folder."""

    def add(self, entry: Entry) -> None:
        """Makes `entry` durable; DiskError if it cannot."""

    def read(self) -> list[Entry]:
        """Every entry, oldest first; JournalBroken if one cannot be read."""

    def remove(self, ids: list[int]) -> None:
        """Forgets these entries, durably; DiskError if it cannot."""

    def close(self) -> None:
        """Lets go of what is open."""


def build_broken(path: str, reason: str, next: str = GIVE_UP) -> JournalBroken:  # noqa: A002
    """The error for a journal that cannot be replayed."""
    return JournalBroken(f"A journal cannot be read: {reason}. No file was touched.", where=path, next=next)


def build_foreign(path: str, reason: str) -> JournalBroken:
    """The error for a journal that this machine did not write, or that cannot be told from one."""
    return build_broken(path, reason, SET_ASIDE)


def build_newer(path: str, schema: int) -> JournalBroken:
    """The error for a journal of a later version."""
    return build_broken(path, f"a newer thruline wrote it (schema {schema}, this one knows {SCHEMA})")
