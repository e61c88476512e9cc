"""A project's files: in its own tree where it has a marker, else below the user's state."""

import os

from thruline.layout.names import build_project_key
from thruline.layout.root import MARKER, Root, find_root

IGNORED_DIRS = ("loops", "indexes", "handoffs", "logs", "cache", "ready", "scratch")


class ProjectPaths:
    """One project's files. `base` is `.agent/context` where there is a marker, else a folder of the user's state."""

    __slots__ = ("base", "forge", "marked", "root")

    def __init__(self, root: str, base: str, *, marked: bool, forge: bool) -> None:
        self.root = root
        self.base = base
        self.marked = marked
        self.forge = forge

    @property
    def marker(self) -> str:
        return os.path.join(self.root, MARKER)

    @property
    def config_file(self) -> str:
        return os.path.join(self.root, ".agent", "context", "config.toml")

    @property
    def gitignore(self) -> str:
        return os.path.join(self.root, ".agent", "context", ".gitignore")

    @property
    def packets(self) -> str:
        return os.path.join(self.base, "packets")

    @property
    def loops(self) -> str:
        return os.path.join(self.base, "loops")

    @property
    def indexes(self) -> str:
        return os.path.join(self.base, "indexes")

    @property
    def active_loop(self) -> str:
        return os.path.join(self.base, "indexes", "active-loop.json")

    def build_loop(self, loop_id: str, end: str = ".md") -> str:
        return os.path.join(self.base, "loops", loop_id + end)

    @property
    def handoffs(self) -> str:
        return os.path.join(self.root, ".forge", "handoffs") if self.forge else os.path.join(self.base, "handoffs")

    @property
    def logs(self) -> str:
        return os.path.join(self.root, ".forge", "logs") if self.forge else os.path.join(self.base, "logs")

    @property
    def cache(self) -> str:
        return os.path.join(self.base, "cache")

    @property
    def journal(self) -> str:
        return os.path.join(self.base, "cache", "journal")

    @property
    def briefs(self) -> str:
        return os.path.join(self.base, "cache", "briefs")

    @property
    def ready(self) -> str:
        return os.path.join(self.base, "ready")

    @property
    def scratch(self) -> str:
        return os.path.join(self.base, "scratch")

    @property
    def refocus(self) -> str:
        return os.path.join(self.root, "docs", "refocus")

    @property
    def canonical(self) -> str:
        return os.path.join(self.root, "docs", "context")

    @property
    def specs(self) -> str:
        return os.path.join(self.root, "specs")


def build_project_paths(root: Root, state_dir: str) -> ProjectPaths:
    """Where the files of the project at `root` are."""
    if root.kind == "marker":
        forge = os.path.isdir(os.path.join(root.path, ".forge"))
        return ProjectPaths(root.path, os.path.join(root.path, ".agent", "context"), marked=True, forge=forge)
    base = os.path.join(state_dir, "projects", build_project_key("", root.path))
    return ProjectPaths(root.path, base, marked=False, forge=False)


def find_project(start: str) -> ProjectPaths:
    """The files of the project that `start` belongs to."""
    from thruline.layout.user import find_state_dir  # here and not on top: hooks know where their state is

    return build_project_paths(find_root(start), find_state_dir())
