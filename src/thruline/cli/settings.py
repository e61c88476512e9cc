"""The settings in force for one command, checked before it runs.

A setting that is silently not in force is worse than a stop, so whatever is wrong with a config file or variable stops
every command but those that help to mend it. Where there is neither file nor variable nothing is loaded: two looks at
the disk, no TOML.
"""

import os
from typing import TYPE_CHECKING, Any

import click

from thruline.errors import NotFound
from thruline.layout import VARIABLES, ProjectPaths, UserPaths, build_project_paths, find_config_dir, find_root

if TYPE_CHECKING:
    from thruline.config import Config

_SETTINGS = "thruline.settings"
_PREFIX = "THRULINE_"


class CheckedCommand(click.Command):
    """A command that runs only with settings that are in order."""

    def invoke(self, ctx: click.Context) -> Any:
        """Checks, then runs; by now `-C` has been obeyed."""
        if _has_sources():
            find_settings()
        return super().invoke(ctx)


def find_settings() -> "Config":
    """The settings in force where the command works, read once; ConfigError at the first thing that is wrong."""
    from thruline.config import Config, load_config  # here and not on top: TOML is dear, and mostly not needed

    read = click.get_current_context().meta
    if _SETTINGS not in read:
        user, project = _find_sources()
        read[_SETTINGS] = load_config(project, user, os.environ)
    found = read[_SETTINGS]
    assert isinstance(found, Config)
    return found


def _has_sources() -> bool:
    if any(name.startswith(_PREFIX) and name not in VARIABLES for name in os.environ):
        return True
    user, project = _find_sources()
    files = [user.config_file] if project is None else [user.config_file, project.config_file]
    return any(os.path.lexists(path) for path in files)


def _find_sources() -> tuple[UserPaths, ProjectPaths | None]:
    # Not the user's state: a command that needs none must not fail because there is none.
    try:
        config = find_config_dir()
    except NotFound:
        config = os.devnull  # no home, so no file
    try:
        root = find_root(os.curdir)
    except NotFound:
        return UserPaths("", config), None  # the working folder is gone; who needs it will say so
    return UserPaths("", config), build_project_paths(root, "") if root.kind == "marker" else None
