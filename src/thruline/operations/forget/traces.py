"""Everything of ours that is left of a session: one function for each place."""

import os
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.config import load_config_tolerant
from thruline.index.sessions import SessionIndex, SessionRow
from thruline.layout import ProjectPaths, UserPaths
from thruline.operations.sessions.locate import SHORTEST_PREFIX


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Which session is meant, and where to look. `entry` is None where the ark has none of it."""

    user: UserPaths
    projects: tuple[ProjectPaths, ...]
    harness: str
    session_id: str
    entry: Entry | None
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing to be removed. `kind` is where it was found; `remove` does it."""

    kind: str
    what: str
    size: int
    remove: Callable[[], None] = field(repr=False, compare=False)


def find_traces(session: Forgotten) -> list[Trace]:
    """What there is of the session, in the order of removal: copies and names first, the ark last."""
    return [trace for find in FINDERS for trace in find(session)]


def read_index_rows(user: UserPaths, paths: Collection[str], harness: str, session_id: str) -> list[SessionRow]:
    """What the list of sessions knows of these files, or of files that bear this id."""
    if not os.path.exists(user.index):
        return []
    index = SessionIndex(user.index)
    try:
        rows = index.read_rows().values()
    finally:
        index.close()
    return [row for row in rows if row.path in paths or (row.harness, row.session_id) == (harness, session_id)]


def find_index_rows(session: Forgotten) -> Iterator[Trace]:
    """Its rows in the list of sessions."""
    rows = [row.path for row in read_index_rows(session.user, session.paths, session.harness, session.session_id)]

    def remove() -> None:
        index = SessionIndex(session.user.index)
        try:
            index.erase_rows(rows)
        finally:
            index.close()

    if rows:
        yield Trace("index", f"{len(rows)} row{'' if len(rows) == 1 else 's'} of {session.user.index}", 0, remove)


def find_named_files(session: Forgotten) -> Iterator[Trace]:
    """Files of ours that bear its id: ready texts, handoffs and briefs, logs, what is cached."""
    user = session.user
    folders = [user.ready, user.spool, user.cache, user.projects, user.logs]
    for project in session.projects:
        folders += [project.handoffs, project.cache, project.ready, project.logs, project.indexes]
    seen: set[str] = set()
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if _names(os.path.relpath(path, top), session.session_id) and path not in seen:
                    seen.add(path)
                    yield Trace("file", path, os.path.getsize(path), _remover(path))


def find_in_ark(session: Forgotten) -> Iterator[Trace]:
    """Its entry in the ark, with the blocks that no other session uses."""
    entry = session.entry
    if entry is None:
        return

    def remove() -> None:
        seconds = load_config_tolerant(None, session.user, os.environ).disk.lock_seconds
        Ark(session.user.ark, seconds).forget([(entry.shelf, entry.name)])

    count = len(entry.members)
    yield Trace("ark", f"{count} file{'' if count == 1 else 's'} in {session.user.ark}", entry.size, remove)


def _names(path: str, session_id: str) -> bool:
    # An id as a word of its own. What is shorter than the shortest reference could be a word of something else.
    if len(session_id) < SHORTEST_PREFIX:
        return False
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(session_id)}(?![A-Za-z0-9])", path) is not None


def _remover(path: str) -> Callable[[], None]:
    def remove() -> None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass  # its own room removed it meanwhile

    return remove


FINDERS: tuple[Callable[[Forgotten], Iterator[Trace]], ...] = (find_index_rows, find_named_files, find_in_ark)
