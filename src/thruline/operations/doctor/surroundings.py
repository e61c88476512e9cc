"""What every check looks at, found out when it looks: any of it may be the thing that is broken."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from thruline.config import Config, load_config_tolerant
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths, UserPaths, build_project_paths, find_root, find_user_paths
from thruline.operations.finding import Finding


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the doctor was called, with which variables."""

    start: str
    env: Mapping[str, str]

    def find_user(self) -> UserPaths:
        return find_user_paths()

    def find_project(self) -> ProjectPaths:
        return build_project_paths(find_root(self.start), self.find_user().state)

    def load_config(self) -> Config:
        return load_config_tolerant(self.find_project(), self.find_user(), self.env)

    def find_git_seconds(self) -> float | None:
        """How long git may take; None, its own limit, where there is no home or folder to find settings in."""
        try:
            return self.load_config().git.timeout_seconds
        except ThrulineError:
            return None  # another check tells it

    def find_home(self) -> str:
        return os.path.expanduser("~")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A finding and, where that is safe, the function that puts it right."""

    finding: Finding
    repair: Callable[[], None] | None = None


Check = Callable[[Surroundings], list[Diagnosis]]
