"""Temporary files that a kill left: found by their names, which tell whose they were."""

import os
import time

from thruline.disk.lock import find_host_mark
from thruline.disk.owner import is_running
from thruline.disk.temps import TEMP_END, TEMP_START, remove_quietly

OLD_SECONDS = 24 * 60 * 60


def is_temp_name(name: str) -> bool:
    """Whether `name` is one that `build_temp_name` may have made."""
    return name.startswith(TEMP_START) and name.endswith(TEMP_END) and not set(name) & {"/", "\\", "\0"}


def find_leftovers(folder: str) -> "list[str]":
    """Temporary files of ours in and below `folder` whose process is gone. Files of other machines are not judged."""
    found = []
    for here, _, names in os.walk(folder):
        for name in names:
            if is_left_over(name):
                found.append(os.path.join(here, name))
    return sorted(found)


def is_left_over(name: str) -> bool:
    """Whether this is the name of something temporary whose process, of this machine, is gone.

    Where the system cannot be asked about a process, what is older than a day counts.
    """
    if not is_temp_name(name):
        return False
    pid, _, rest = name[len(TEMP_START) :].partition("-")
    host, _, stamp = rest.partition("-")
    if host != find_host_mark() or not pid.isdigit():
        return False
    running = is_running(int(pid))
    return not running if running is not None else _is_old(stamp)


def _is_old(stamp: str) -> bool:
    # The time is the first 16 digits until the year 2554.
    try:
        made = int(stamp[:16], 16)
    except ValueError:
        return False
    return time.time_ns() - made > OLD_SECONDS * 1_000_000_000


def remove_leftovers(folder: str) -> "list[str]":
    """Removes what `find_leftovers` lists; returns what it removed."""
    found = find_leftovers(folder)
    for path in found:
        remove_quietly(path)
    return found
