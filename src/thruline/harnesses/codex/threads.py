"""Where a thread's rollout lies: its id is the end of the file's name, its day of birth names the folder.

An id is a UUID of version 7, which begins with the time it was made, so a rollout is found by looking into three
folders (the folder is named by local time) and not by walking through years of sessions.
"""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ID = 36
_DAY = 86_400
_HOMES = ("sessions", "archived_sessions")


def thread_of(path: str) -> str:
    """The thread's id from the name of its rollout, "" where the name holds none."""
    stem = os.path.basename(path).removesuffix(".jsonl")
    thread = stem[-_ID:]
    return thread if len(thread) == _ID and thread.count("-") == 4 else ""


def home_of(path: str) -> str:
    """The client's folder above a rollout, "" where the rollout lies elsewhere."""
    parts = os.path.abspath(path).split(os.sep)
    for at in range(len(parts) - 2, 0, -1):
        if parts[at] in _HOMES:
            return os.sep.join(parts[:at]) or os.sep
    return ""


def find_thread(near: str, thread: str) -> str:
    """The rollout of `thread`: beside the one at `near`, or where the client of that one keeps it; "" if nowhere."""
    if len(thread) != _ID or os.sep in thread or "/" in thread:
        return ""
    for folder in _folders(near, thread):
        for name in _names(folder):
            if name.endswith(f"{thread}.jsonl"):
                return os.path.join(folder, name)
    return ""


def _folders(near: str, thread: str) -> "Iterator[str]":
    yield os.path.dirname(os.path.abspath(near))
    home = home_of(near)
    if not home:
        return
    try:
        born = int(thread[:8] + thread[9:13], 16) / 1000
        days = [time.gmtime(born + shift * _DAY) for shift in (0, -1, 1)]
    except (ValueError, OverflowError, OSError):
        days = []
    for day in days:
        yield os.path.join(home, "sessions", f"{day.tm_year:04}", f"{day.tm_mon:02}", f"{day.tm_mday:02}")
    yield os.path.join(home, "archived_sessions")


def _names(folder: str) -> "list[str]":
    try:
        return os.listdir(folder)
    except OSError:
        return []
