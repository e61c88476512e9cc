"""Who holds a lock, for those who waited for it in vain."""

import os
import sys
import time

from thruline.disk.lock import find_host
from thruline.errors import LockTimeout


class Owner:
    """Who last took a lock: process, machine, and since when (seconds of the epoch)."""

    __slots__ = ("host", "pid", "since")

    def __init__(self, pid: int, host: str, since: int) -> None:
        self.pid = pid
        self.host = host
        self.since = since


def read_owner(path: str) -> "Owner | None":
    """Who last took the lock at `path`; None where nobody told."""
    try:
        with open(path, "rb") as file:
            pid, host, since = file.read(200).decode("utf-8", "replace").split()
        return Owner(int(pid), host, int(since))
    except (OSError, ValueError):
        return None


def build_timeout(path: str, timeout: float) -> LockTimeout:
    """What to tell of a lock that could not be had."""
    owner = read_owner(path)
    what = f"Waited {timeout:g} s for a lock that someone else holds."
    if owner is None:
        return LockTimeout(what, where=path, next="wait for the other thruline to finish, then run it again")
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(owner.since))
    here = owner.host == find_host()
    running = is_running(owner.pid) if here else None
    state = {True: ", still running", False: ", no longer running", None: ""}[running]
    where = f"{path} (taken {since} by process {owner.pid} on {owner.host}{state})"
    if not here:
        return LockTimeout(what, where=where, next=f"see on {owner.host} whether process {owner.pid} still runs")
    if running is False:
        # The lock outlived the process that took it: a child inherited it, or a reader holds it now.
        hint = f"process {owner.pid} is gone; look for a program it left running (fuser {path})"
        return LockTimeout(what, where=where, next=hint)
    return LockTimeout(what, where=where, next=f"wait for process {owner.pid} to finish, then run it again")


def is_running(pid: int) -> "bool | None":
    """Whether a process with this id runs here; None where the system cannot be asked without harm."""
    if sys.platform == "win32":  # os.kill ends the process there, whatever the signal
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
