"""Whether a folder can be reached by its path: one can work in a folder below one that is closed."""

import os

# By the rights that a command has, which are those of the effective user.
_EFFECTIVE = os.access in os.supports_effective_ids


def may(path: str, mode: int) -> bool:
    """Whether this user may do `mode` (of os.access) to `path`."""
    return os.access(path, mode, effective_ids=_EFFECTIVE)


def find_closed(folder: str) -> str:
    """The folder at or above `folder`, which is a real path, that cannot be entered; empty where there is none."""
    if may(folder, os.X_OK):
        return ""
    above = os.path.dirname(folder)
    if above == folder or may(above, os.X_OK):
        return folder if os.path.isdir(folder) else ""
    return find_closed(above)
