"""Everything of ours that is left of a session: one function for each place."""

import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import partial

from thruline.ark.store import Ark
from thruline.config import load_config_tolerant
from thruline.index.sessions import SessionIndex, SessionRow
from thruline.layout import UserPaths
from thruline.operations.forget.loops import find_loops
from thruline.operations.forget.packets import find_packets
from thruline.operations.forget.trace import Forgotten, Trace, is_reached_by_link, trace_file
from thruline.operations.forget.worked import find_worked
from thruline.operations.handoff.cache import drop_places, find_places, read_cached_session
from thruline.operations.sessions.locate import SHORTEST_PREFIX


def find_traces(session: Forgotten) -> list[Trace]:
    """What there is of the session, each once, in the order of removal: copies and names first, the ark last."""
    return list({trace.what: trace for find in FINDERS for trace in find(session)}.values())


def read_index_rows(
    user: UserPaths, paths: Collection[str], harness: str, session_ids: Collection[str]
) -> list[SessionRow]:
    """What the list of sessions knows of these files, or of files that bear these ids."""
    if not os.path.exists(user.index):
        return []
    # One that cannot be read now may be readable once the ark has given room; removing asks again, and insists.
    index = SessionIndex(user.index, optional=True)
    try:
        rows = index.read_rows().values()
    finally:
        index.close()
    return [row for row in rows if row.path in paths or (row.harness == harness and row.session_id in session_ids)]


def find_index_rows(session: Forgotten) -> Iterator[Trace]:
    """Its rows in the list of sessions."""
    rows = [row.path for row in read_index_rows(session.user, session.paths, session.harness, session.session_ids)]

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
    seen: set[str] = set()
    for root, top in _find_tops(session):
        if is_reached_by_link(root, top):
            continue
        for folder, folders, names in os.walk(top):
            for name in (*names, *(each for each in folders if os.path.islink(os.path.join(folder, each)))):
                path = os.path.join(folder, name)
                if _names(os.path.relpath(path, top), session.session_ids) and path not in seen:
                    seen.add(path)
                    yield from trace_file(path)


def find_unseen(session: Forgotten) -> list[str]:
    """Folders that are not looked into, because a link leads out of the project or of our state to them."""
    return [top for root, top in _find_tops(session) if os.path.lexists(top) and is_reached_by_link(root, top)]


def _find_tops(session: Forgotten) -> Iterator[tuple[str, str]]:
    user = session.user
    for top in (user.ready, user.spool, user.work, user.cache, user.projects, user.logs):
        yield user.state, top
    for project in session.projects:
        if project.marked:  # what others have lies below the user's projects
            for top in (project.handoffs, project.cache, project.ready, project.logs, project.indexes):
                yield project.root, top


def find_noted_briefs(session: Forgotten) -> Iterator[Trace]:
    """Briefs of it in the trees of other projects, and the notes that say where they are."""
    places = [path for name in session.session_ids for path in find_places(name)]
    for path in places:
        folder = os.path.dirname(path)
        ours = folder.endswith(os.path.join("cache", "briefs")) and os.path.realpath(folder) == folder
        if ours and (_names(os.path.basename(path), session.session_ids) or _is_brief(path, session)):
            yield from trace_file(path)

    def remove() -> None:
        for name in session.session_ids:
            drop_places(name)

    if places:
        what = f"{len(places)} place{'' if len(places) == 1 else 's'} noted in {session.user.brief_places}"
        yield Trace("notes", what, 0, remove)


def find_odd_briefs(session: Forgotten) -> Iterator[Trace]:
    """Briefs of it whose file does not bear its id: that is short, or holds what no name of ours does."""
    projects = session.user.projects
    names = os.listdir(projects) if os.path.isdir(projects) else []
    folders = [(session.user.state, os.path.join(projects, name, "cache", "briefs")) for name in sorted(names)]
    folders += [(project.root, project.briefs) for project in session.projects if project.marked]
    for root, folder in folders:
        if os.path.isdir(folder) and not is_reached_by_link(root, folder):
            for name in sorted(os.listdir(folder)):
                if _is_brief(os.path.join(folder, name), session):
                    yield from trace_file(os.path.join(folder, name))


def _is_brief(path: str, session: Forgotten) -> bool:
    return path.endswith(".json") and read_cached_session(path) in session.session_ids


def find_hooked(session: Forgotten) -> Iterator[Trace]:
    """What hooks left of it and what the worker made of that."""
    found: dict[str, list[Callable[[], None]]] = {}
    for name in session.session_ids:
        for what, remove in find_worked(session.user, session.projects, session.harness, name):
            found.setdefault(what, []).append(remove)
    for what, removes in found.items():
        yield Trace("worker", what, 0, partial(_remove_each, removes))


def _remove_each(removes: list[Callable[[], None]]) -> None:
    for remove in removes:
        remove()


def find_in_ark(session: Forgotten) -> Iterator[Trace]:
    """Its entry in the ark and its subagents', with the blocks that no other session uses."""
    if not session.entries:
        return

    def remove() -> None:
        seconds = load_config_tolerant(None, session.user, os.environ).disk.lock_seconds
        Ark(session.user.ark, seconds).forget([(entry.shelf, entry.name) for entry in session.entries])

    sizes = {member.path: member.size for entry in session.entries for member in entry.members}
    what = f"{len(sizes)} file{'' if len(sizes) == 1 else 's'} in {session.user.ark}"
    yield Trace("ark", what, sum(sizes.values()), remove)


def _names(path: str, session_ids: Collection[str]) -> bool:
    # An id as a word of its own. What is shorter than the shortest reference could be a word of something else.
    words = "|".join(re.escape(name) for name in session_ids if len(name) >= SHORTEST_PREFIX)
    return bool(words) and re.search(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", path) is not None


FINDERS: tuple[Callable[[Forgotten], Iterator[Trace]], ...] = (
    find_index_rows,
    find_named_files,
    find_noted_briefs,
    find_odd_briefs,
    find_packets,
    find_loops,
    find_hooked,
    find_in_ark,
)
