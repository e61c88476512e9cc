"""Packets with a session's words: those in no repository go; what git tracks is its project's, and is told.

A packet that was merged from several sessions' stays too, and is told: it is the others' as well.
"""

import os
from collections.abc import Iterator

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.packet_head import END
from thruline.brief.sources import parse_sources
from thruline.disk.own import read_capped
from thruline.errors import ThrulineError
from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, read_tracked
from thruline.layout import ProjectPaths, find_project
from thruline.operations.forget.trace import Forgotten, Trace, is_reached_by_link, trace_file
from thruline.operations.work.place import find_keys
from thruline.operations.work.state import read_state

_LARGEST = 16 << 20
_OTHERS = "of other sessions as well"
_TRACKED = "tracked by git"


def find_packets(session: Forgotten) -> Iterator[Trace]:
    """The packets that go."""
    for path, why in _find(session):
        if not why:
            yield from trace_file(path, "packet")


def find_staying(session: Forgotten) -> list[str]:
    """The packets that stay, each with the reason."""
    return [f"{path} ({why})" for path, why in _find(session) if why]


def _find(session: Forgotten) -> Iterator[tuple[str, str]]:
    for project in _find_projects(session):
        found = dict(_find_in(project, session))
        tracked = _find_tracked(project, list(found))
        for path, others in found.items():
            yield path, _TRACKED if path in tracked else _OTHERS if others else ""


def _find_projects(session: Forgotten) -> Iterator[ProjectPaths]:
    user = session.user
    # Those without a marker are all in the user's state, whatever their root was.
    for name in sorted(os.listdir(user.projects)) if os.path.isdir(user.projects) else ():
        base = os.path.join(user.projects, name)
        if not os.path.islink(base):
            yield ProjectPaths(base, base, marked=False, forge=False)
    states = (read_state(os.path.join(user.work, key, "state.json")) for key in find_keys(user))
    known = [*session.projects, *(find_project(state.root) for state in states if state.root)]
    yield from {project.root: project for project in known if project.marked}.values()


def _find_in(project: ProjectPaths, session: Forgotten) -> Iterator[tuple[str, bool]]:
    """(path, whether it is of other sessions too) of each packet of a project that holds words of the session."""
    for folder in (project.packets, os.path.join(project.scratch, "packets")):
        if is_reached_by_link(project.root, folder):
            continue
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if name.endswith(END) and not os.path.islink(path):
                own, others = _read(path, session)
                if own:
                    yield path, others


def _read(path: str, session: Forgotten) -> tuple[bool, bool]:
    """Whether a packet is the session's, and whether it is another's."""
    try:
        data = read_capped(path, _LARGEST)
        made_from = parse_document(data, path).get("session_id")
    except ThrulineError:
        return False, False
    if made_from:
        return made_from in session.session_ids, False
    sources = parse_sources(data.decode("utf-8", "replace").splitlines())
    ours = [
        source.path in session.paths
        or not {source.session, os.path.basename(source.path).partition(".")[0]}.isdisjoint(session.session_ids)
        for source in sources
    ]
    return any(ours), not all(ours)


def _find_tracked(project: ProjectPaths, paths: list[str]) -> frozenset[str]:
    if not project.marked or not paths:
        return frozenset()
    found = read_tracked(project.root, [os.path.relpath(path, project.root) for path in paths])
    if isinstance(found, NoAnswer):
        # Where git cannot tell, nothing of the project goes.
        return frozenset(() if found.reason == NOT_A_REPOSITORY else paths)
    return frozenset(os.path.join(project.root, name) for name in found)
