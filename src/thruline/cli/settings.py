"""The settings in force for one command, checked before it runs.

A setting that is silently not in force is worse than a stop, so whatever is wrong with a config file or variable stops
every command but those that help to mend it. Where there is neither file nor variable nothing is loaded: two looks at
the disk, no TOML.
"""

import os
import sys

from thruline.errors import NotFound
from thruline.layout import VARIABLES, ProjectPaths, UserPaths, build_project_paths, find_config_dir, find_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.config import Config

_SETTINGS = "thruline.settings"
_PREFIX = "THRULINE_"


def check_settings() -> None:
    """Raises ConfigError at the first thing that is wrong with the settings in force where the command works."""
    if _has_sources():
        find_settings()


def find_settings() -> "Config":
    """The settings in force where the command works, read once; ConfigError at the first thing that is wrong."""
    from thruline.config import Config, load_config  # here and not on top: TOML is dear, and mostly not needed

    read = _find_memory()
    if _SETTINGS not in read:
        user, project = _find_sources()
        read[_SETTINGS] = load_config(project, user, os.environ)
    found = read[_SETTINGS]
    assert isinstance(found, Config)
    return found


def _find_memory() -> "dict[str, object]":
    # Click's own memory of a command, where click runs it; a command of the quick lane asks once.
    click = sys.modules.get("click")
    context = click.get_current_context(silent=True) if click is not None else None
    return {} if context is None else context.meta


def _has_sources() -> bool:
    if any(name.startswith(_PREFIX) and name not in VARIABLES for name in os.environ):
        return True
    user, project = _find_sources()
    files = [user.config_file] if project is None else [user.config_file, project.config_file]
    return any(os.path.lexists(path) for path in files)


def _find_sources() -> "tuple[UserPaths, ProjectPaths | None]":
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
