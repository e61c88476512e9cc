"""Whether a project's context folder can be used."""

import os
from collections.abc import Iterator

from thruline.layout import IGNORED_DIRS, MARKER, ProjectPaths
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, OK, Finding
from thruline.operations.reachable import find_closed, may

_NAME = "context"


def check_context(around: Surroundings) -> list[Diagnosis]:
    """The context folder and those in it are folders that can be read and written."""
    project = around.find_project()
    start = os.path.realpath(around.start)
    above = find_closed(start)
    if above:
        what = f"{above} cannot be entered, so nothing in {start} can be reached by its path."
        return [Diagnosis(Finding(_NAME, BROKEN, what, f"chmod u+x {above}, or ask its owner"))]
    closed = _find_closed_context(start)
    if closed:
        # Without a look inside nobody can tell whether this is a project, so it passes for none.
        what = f"{closed} cannot be looked into, so whatever project it belongs to is not seen."
        return [_tell(closed, what)]
    if not project.marked:
        return []
    found = [each for path in _find_folders(project) for each in _check_folder(path)]
    return found or [Diagnosis(Finding(_NAME, OK, "Every folder of the project can be written."))]


def _find_closed_context(folder: str) -> str:
    """The nearest `.agent` or `.agent/context` upwards that cannot be entered."""
    while True:
        inner = os.path.dirname(os.path.join(folder, MARKER))
        for path in (os.path.dirname(inner), inner):
            if os.path.isdir(path) and not may(path, os.X_OK):
                return path
        if os.path.dirname(folder) == folder:
            return ""
        folder = os.path.dirname(folder)


def _find_folders(project: ProjectPaths) -> Iterator[str]:
    yield os.path.dirname(project.marker)
    yield project.packets
    yield from (getattr(project, name) for name in IGNORED_DIRS)


def _check_folder(path: str) -> list[Diagnosis]:
    if not os.path.lexists(path):
        return []
    if not os.path.isdir(path):
        what = f"{path} stands where a folder is needed."
        return [Diagnosis(Finding(_NAME, BROKEN, what, "move it away"))]
    return [] if may(path, os.R_OK | os.W_OK | os.X_OK) else [_tell(path, f"{path} cannot be written.")]


def _tell(path: str, what: str) -> Diagnosis:
    def repair() -> None:
        os.chmod(path, os.stat(path).st_mode & 0o7777 | 0o700)

    mine = os.stat(path).st_uid == os.geteuid() if hasattr(os, "geteuid") else True
    fix = f"chmod u+rwx {path}" if mine else f"ask the owner of {path} for the right to write there"
    return Diagnosis(Finding(_NAME, BROKEN, what, fix), repair if mine else None)
