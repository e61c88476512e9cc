"""Loops that were started in a session: their prompts are its user's words, and their files name it."""

from collections.abc import Iterator
from functools import partial

from thruline.artifacts.loop_leave import remove_leave
from thruline.artifacts.loop_pointer import Pointer, render_pointer
from thruline.artifacts.stamp import END
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.transaction import settle
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.forget.projects import TRACKED, find_projects, find_tracked
from thruline.operations.forget.trace import Forgotten, Trace, is_reached_by_link
from thruline.operations.loops.listing import build_loop_path, read_pointer
from thruline.operations.loops.run_note import LOCK, NOTE, STOP
from thruline.operations.loops.store import lock_loops, read_loop
from thruline.operations.loops.verbs import find_leave
from thruline.operations.stamped import find_stamped_ids


def find_loops(session: Forgotten) -> Iterator[Trace]:
    """The loops that go, and what says which one is in front of the session."""
    for project in find_projects(session):
        tracked = find_tracked(project, [build_loop_path(project, each) for each in _find(project, session)])
        for loop_id in _find(project, session):
            path = build_loop_path(project, loop_id)
            if path not in tracked:
                yield Trace("loop", path, 0, partial(_remove, project, loop_id))
        if not _find_bound(project).isdisjoint(session.session_ids):
            what = f"which loop is in front of it, in {project.active_loop}"
            yield Trace("loop", what, 0, partial(_let_go, project, session.session_ids))


def find_staying_loops(session: Forgotten) -> list[str]:
    """The loops that stay, each with the reason."""
    found = []
    for project in find_projects(session):
        paths = [build_loop_path(project, each) for each in _find(project, session)]
        found += [f"{path} ({TRACKED})" for path in sorted(find_tracked(project, paths))]
    return found


def _find(project: ProjectPaths, session: Forgotten) -> Iterator[str]:
    names = {f"{session.harness}:{name}" for name in session.session_ids}
    for loop_id in () if is_reached_by_link(project.root, project.loops) else find_stamped_ids(project.loops):
        try:
            if read_loop(project, loop_id).session in names:
                yield loop_id
        except ThrulineError:
            continue  # not ours, or nobody's to read


def _find_bound(project: ProjectPaths) -> set[str]:
    """The sessions that a loop of the project is in front of."""
    try:
        return set(read_pointer(project).sessions)
    except ThrulineError:
        return set()


def _remove(project: ProjectPaths, loop_id: str) -> None:
    # What a killed command left in the journal would write the loop anew.
    settle(project)
    # The pointer first: a hook that looks in between finds nothing to go on with.
    with lock_loops(project):
        write_bytes(project.active_loop, render_pointer(read_pointer(project).drop(loop_id)), mode=0o600)
        for end in (END, NOTE, STOP, LOCK):
            remove_quietly(build_loop_path(project, loop_id, end))
        remove_leave(find_leave(project, loop_id))


def _let_go(project: ProjectPaths, session_ids: tuple[str, ...]) -> None:
    with lock_loops(project):
        old = read_pointer(project)
        kept = {name: loop for name, loop in old.sessions.items() if name not in session_ids}
        write_bytes(project.active_loop, render_pointer(Pointer(old.last, kept, old.others)), mode=0o600)
