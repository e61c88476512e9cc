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


def __getattr__(name: str) -> object:
    if name in ("DoorPaths", "HookPaths"):
        from thruline.layout import hook

        return _find(hook, name)
    if name in ("build_project_key", "is_safe_id", "is_safe_name"):
        from thruline.layout import names

        return _find(names, name)
    if name in ("MARKER", "Root", "find_root"):
        from thruline.layout import root

        return _find(root, name)
    if name in ("IGNORED_DIRS", "ProjectPaths", "build_project_paths", "find_project"):
        from thruline.layout import project

        return _find(project, name)
    if name in __all__:
        from thruline.layout import user

        return _find(user, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _find(part: object, name: str) -> object:
    found: object = getattr(part, name)
    return found
