"""Every path that thruline knows; nothing else builds one.

Strings and os.path only: hooks import this room, and pathlib alone would double their cost. A project without a
marker owns nothing inside its own tree (law 12): its files live under the user's state, keyed by id and real path, so
that clones and worktrees never share flags.

A part of the room is imported with the first of its names that is asked for: a hook needs two of the five.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout.hook import DoorPaths, HookPaths
    from thruline.layout.names import build_project_key, is_safe_id, is_safe_name
    from thruline.layout.project import IGNORED_DIRS, ProjectPaths, build_project_paths, find_project
    from thruline.layout.root import MARKER, Root, find_root
    from thruline.layout.user import (
        VARIABLES,
        UserPaths,
        build_config_dir,
        build_state_dir,
        find_config_dir,
        find_state_dir,
        find_user_paths,
    )

__all__ = [
    "IGNORED_DIRS",
    "MARKER",
    "VARIABLES",
    "DoorPaths",
    "HookPaths",
    "ProjectPaths",
    "Root",
    "UserPaths",
    "build_config_dir",
    "build_project_key",
    "build_project_paths",
    "build_state_dir",
    "find_config_dir",
    "find_project",
    "find_root",
    "find_state_dir",
    "find_user_paths",
    "is_safe_id",
    "is_safe_name",
]
_PARTS = {
    "hook": ("DoorPaths", "HookPaths"),
    "names": ("build_project_key", "is_safe_id", "is_safe_name"),
    "root": ("MARKER", "Root", "find_root"),
    "project": ("IGNORED_DIRS", "ProjectPaths", "build_project_paths", "find_project"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    part = next((part for part, names in _PARTS.items() if name in names), "user")
    found: object = getattr(__import__(f"{__name__}.{part}", None, None, (name,)), name)
    globals()[name] = found
    return found
