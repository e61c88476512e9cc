"""The projects that may hold something of a session, and which of their files git keeps."""

import os
from collections.abc import Iterator

from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, read_tracked
from thruline.layout import ProjectPaths, find_project
from thruline.operations.forget.trace import Forgotten
from thruline.operations.handoff.cache import find_places
from thruline.operations.work.place import find_keys
from thruline.operations.work.state import read_state

TRACKED = "tracked by git"


def find_projects(session: Forgotten) -> Iterator[ProjectPaths]:
    """Every project without a marker, and of those with one all that we know of."""
    user = session.user
    # Those without a marker are all in the user's state, whatever their root was.
    for name in sorted(os.listdir(user.projects)) if os.path.isdir(user.projects) else ():
        base = os.path.join(user.projects, name)
        if not os.path.islink(base):
            yield ProjectPaths(base, base, marked=False, forge=False)
    states = (read_state(os.path.join(user.work, key, "state.json")) for key in find_keys(user))
    places = [path for name in session.session_ids for path in find_places(name)]
    folders = [*(state.root for state in states if state.root), *map(os.path.dirname, places)]
    known = [*session.projects, *map(find_project, folders)]
    yield from {project.root: project for project in known if project.marked}.values()


def find_tracked(project: ProjectPaths, paths: list[str]) -> frozenset[str]:
    """Those of a project's files that stay, because git has them."""
    if not project.marked or not paths:
        return frozenset()
    found = read_tracked(project.root, [os.path.relpath(path, project.root) for path in paths])
    if isinstance(found, NoAnswer):
        # Where git cannot tell, nothing of the project goes.
        return frozenset(() if found.reason == NOT_A_REPOSITORY else paths)
    return frozenset(os.path.join(project.root, name) for name in found)
