"""The settings in force for one command, checked before it runs.

A setting that is silently not in force is worse than a stop, so whatever is wrong with a config file or variable stops
every command but those that help to mend it. Where there is neither file nor variable, or only files that were in
order the last time and did not change since, nothing is loaded: a few looks at the disk, no TOML.
"""

import os
import sys
import time

from thruline import __version__
from thruline.errors import NotFound, ThrulineError
from thruline.layout import (
    VARIABLES,
    ProjectPaths,
    UserPaths,
    build_project_paths,
    find_config_dir,
    find_root,
    find_user_paths,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.config import Config

_SETTINGS = "thruline.settings"
_PREFIX = "THRULINE_"
_RESTED = 2.0  # seconds
_MOST = 20  # projects whose files are remembered
_LARGEST = 64 << 10


def check_settings() -> None:
    """Raises ConfigError at the first thing that is wrong with the settings in force where the command works."""
    files = _find_files()
    variables = any(name.startswith(_PREFIX) and name not in VARIABLES for name in os.environ)
    if not files and not variables:
        return
    stamp = "" if variables else _build_stamp(files)
    if stamp and stamp in _read_checked():
        return
    find_settings()
    if stamp:
        _write_checked(stamp)


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


def _find_files() -> "list[str]":
    user, project = _find_sources()
    files = [user.config_file] if project is None else [user.config_file, project.config_file]
    return [path for path in files if os.path.lexists(path)]


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


# --- files that were in order -------------------------------------------------------------------------------------
# Reading TOML into settings costs more than most commands. So files that were found in order are remembered by what
# the system changes with every write; this saves time and decides nothing.


def _build_stamp(files: "list[str]") -> str:
    """One line that is another one after any change of these files; empty where that cannot be told."""
    parts = [__version__]
    for path in files:
        try:
            status = os.stat(path)
        except OSError:
            return ""
        # Two writes within one tick of the clock leave the same times: a file must have rested for a while.
        if time.time() - max(status.st_mtime, status.st_ctime) < _RESTED:
            return ""
        parts += [repr(path), f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"]
    return " ".join(parts)


def _read_checked() -> "list[str]":
    try:
        with open(find_user_paths().checked_settings, encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST).splitlines()
    except (OSError, ThrulineError):
        return []  # none yet, or no home to keep them in


def _write_checked(stamp: str) -> None:
    from thruline.disk.atomic import write_bytes

    lines = [stamp, *_read_checked()[: _MOST - 1]]
    try:
        write_bytes(find_user_paths().checked_settings, "\n".join(lines).encode("utf-8", "replace"), mode=0o600)
    except ThrulineError:
        pass  # the next command reads the files again
