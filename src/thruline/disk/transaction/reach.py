"""Which files a change may touch: those of its projects, whatever links lead to them."""

import os
from dataclasses import dataclass

from thruline.disk.inside import is_gits
from thruline.errors import Refused
from thruline.layout import ProjectPaths


@dataclass(frozen=True, slots=True)
class Located:
    """A path with links followed: which project it is in, from which of its folders, and the rest with `/`."""

    real: str
    project: int
    area: str
    rest: str


def _find_areas(project: ProjectPaths) -> list[tuple[str, str]]:
    # With a marker its own folder is in the tree; a link that leads that folder out of it must not widen the reach.
    return [("root", project.root)] if project.marked else [("root", project.root), ("base", project.base)]


class Reach:
    """The folders of some projects. Links are followed once for each folder, as that is most of the cost."""

    def __init__(self, projects: list[ProjectPaths]) -> None:
        self._projects = projects
        self._followed: dict[str, str] = {}

    def locate(self, path: str) -> Located:
        """Where `path` is; Refused if it is in none of the projects, or is git's or the journal's."""
        real = self._follow_file(path)
        for number, project in enumerate(self._projects):
            for area, folder in _find_areas(project):
                top = self._follow(folder).rstrip(os.sep) + os.sep
                if real.startswith(top):
                    if is_gits(real, top) or self._is_journal(real):
                        raise Refused("A change may not touch git's files or the journal.", where=path, next="use git")
                    return Located(real, number, area, real[len(top) :].replace(os.sep, "/"))
        roots = ", ".join(project.root for project in self._projects)
        raise Refused("A change may only touch files of its projects.", where=path, next=f"choose a path below {roots}")

    def _is_journal(self, real: str) -> bool:
        return any(real.startswith(self._follow(project.journal) + os.sep) for project in self._projects)

    def _follow_file(self, path: str) -> str:
        folder, name = os.path.split(path)
        if os.path.islink(path) or name in ("", os.curdir, os.pardir):
            return os.path.realpath(path)
        return os.path.join(self._follow(folder), name)

    def _follow(self, folder: str) -> str:
        if folder not in self._followed:
            self._followed[folder] = os.path.realpath(folder)
        return self._followed[folder]
