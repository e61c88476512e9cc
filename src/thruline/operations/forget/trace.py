"""One thing of ours that is left of a session, and the session that is meant."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from thruline.ark.entry import Entry
from thruline.errors import Refused
from thruline.layout import ProjectPaths, UserPaths


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Which session is meant, with its subagents' behind it, and where to look; `entries` are those the ark has."""

    user: UserPaths
    projects: tuple[ProjectPaths, ...]
    harness: str
    session_ids: tuple[str, ...]
    entries: tuple[Entry, ...]
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing to be removed. `kind` is where it was found; `remove` does it."""

    kind: str
    what: str
    size: int
    remove: Callable[[], None] = field(repr=False, compare=False)


def trace_file(path: str, kind: str = "file") -> Iterator[Trace]:
    """The file at `path`; nothing where there is none."""
    folder = os.path.realpath(os.path.dirname(path))

    def remove() -> None:
        if os.path.realpath(os.path.dirname(path)) != folder:
            raise Refused("A link was put in its way since it was found.", where=path, next="remove the link")
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass  # its own room removed it meanwhile

    try:
        yield Trace(kind, path, os.lstat(path).st_size, remove)
    except OSError:
        return  # gone since the folder was listed


def is_reached_by_link(root: str, top: str) -> bool:
    """Whether a link lies between the two."""
    # A repository can hold a link to any folder of its user, the client's own among them.
    return os.path.realpath(top) != os.path.join(os.path.realpath(root), os.path.relpath(top, root))
