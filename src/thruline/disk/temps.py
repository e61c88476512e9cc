"""Names of temporary files: which process of which machine made one, so that `leftovers` can tell what a kill left."""

import os
import time

from thruline.disk.lock import find_host_mark

TEMP_START = ".thruline-"
TEMP_END = ".tmp"

_count = 0


def build_temp_name() -> str:
    """A name that no other file has, and that tells which process of which machine made it."""
    # Without the target's name in it: that may already be as long as the file system allows.
    global _count
    _count += 1
    return f"{TEMP_START}{os.getpid()}-{find_host_mark()}-{time.time_ns():x}{_count:x}{TEMP_END}"


def remove_quietly(path: str) -> None:
    """Removes a temporary file of ours if it is there; a failure here must not hide the one that led here."""
    if path:
        try:
            os.unlink(path)
        except OSError:
            pass
