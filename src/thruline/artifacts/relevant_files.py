"""`indexes/relevant-files.jsonl`: which files sessions touched. Described in docs/formats/relevant-files.md."""

import os
from typing import Any

# How sure we are that the next session needs the file: what was changed, more than what was removed.
CONFIDENCE = {"created": 0.9, "edited": 0.9, "deleted": 0.5}
SOURCE_TOOL, SOURCE_USER = "tool", "user"


def build_file_row(path: str, how: str, *, timestamp: str, root: str, cwd: str, **more: str) -> dict[str, Any] | None:
    """The row of a file that a tool changed; None for what changed nothing. `more` tells whose tool it was.

    A path below `root` is written relative to it; any other stands whole and is marked `outside`.
    """
    if how not in CONFIDENCE or not path or "\0" in path:
        return None
    inside = find_inside(path, root, cwd)
    row: dict[str, Any] = {
        "timestamp": timestamp,
        "file_path": inside or os.path.normpath(os.path.join(cwd, path)),
        "source": SOURCE_TOOL,
        "confidence": CONFIDENCE[how],
        "how": how,
    }
    return row | ({} if inside else {"outside": True}) | {name: value for name, value in more.items() if value}


def find_inside(path: str, root: str, cwd: str) -> str:
    """`path`, as seen from `cwd`, relative to `root`; "" where it lies elsewhere, wherever links lead."""
    whole = os.path.normpath(os.path.join(cwd, path))
    for each in (whole, os.path.realpath(whole)):
        if each.startswith(root.rstrip(os.sep) + os.sep):
            return os.path.relpath(each, root)
    return ""
