"""Every path that thruline knows; nothing else builds one.

Strings and os.path only: hooks import this room, and pathlib alone would double their cost. A project without a
marker owns nothing inside its own tree (law 12): its files live under the user's state, keyed by id and real path, so
that clones and worktrees never share flags.
"""

from thruline.layout.hook import HookPaths
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
