"""Packets with a session's words: those in no repository go; what git tracks is its project's, and is told.

A packet that was merged from several sessions' stays too, and is told: it is the others' as well.
"""

import os
from collections.abc import Iterator

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.stamp import END
from thruline.brief.sources import parse_sources
from thruline.disk.own import read_capped
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.forget.projects import TRACKED, find_projects, find_tracked
from thruline.operations.forget.trace import Forgotten, Trace, is_reached_by_link, trace_file
from thruline.operations.packets.untouched import MADE, find_briefs_folder

_LARGEST = 16 << 20
_OTHERS = "of other sessions as well"


def find_packets(session: Forgotten) -> Iterator[Trace]:
    """The packets that go, and the briefs that relays left beside them."""
    for path, why in _find(session):
        if not why:
            yield from trace_file(path, "packet")
            yield from trace_file(path[: -len(END)] + MADE)


def find_staying_packets(session: Forgotten) -> list[str]:
    """The packets that stay, each with the reason."""
    return [f"{path} ({why})" for path, why in _find(session) if why]


def _find(session: Forgotten) -> Iterator[tuple[str, str]]:
    for project in find_projects(session):
        found = dict(_find_in(project, session))
        tracked = find_tracked(project, list(found))
        for path, others in found.items():
            yield path, TRACKED if path in tracked else _OTHERS if others else ""


def _find_in(project: ProjectPaths, session: Forgotten) -> Iterator[tuple[str, bool]]:
    """(path, whether it is of other sessions too) of each packet of a project that holds words of the session."""
    for folder in (project.packets, os.path.join(project.scratch, "packets"), find_briefs_folder(project)):
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
