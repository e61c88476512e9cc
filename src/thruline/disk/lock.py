"""One at a time: the system's own file locks, with a time limit and the name of who holds one.

A lock lives as long as the process that took it: a killed owner frees it, so nothing stale ever needs breaking. The
file itself stays; removing it would let two owners lock two files of the same name.
"""

import os
import sys
import time

from thruline.disk.faults import build_disk_error
from thruline.disk.own import CAREFUL, check_own

CLOEXEC = getattr(os, "O_CLOEXEC", 0)
TIMEOUT = 10.0

if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int, shared: bool) -> bool:
        # Far behind the owner's line, so that others can still read it; there are no shared locks in msvcrt.
        os.lseek(fd, 0x7FFF0000, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(fd: int, shared: bool) -> bool:
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def hold(path: str, flags: int, *, mode: int = 0o666, shared: bool = False, timeout: float = TIMEOUT) -> int:
    """A locked descriptor of `path`; closing it frees the lock. OSError or LockTimeout where it cannot be had."""
    ends = time.monotonic() + timeout
    pause = 0.0005
    fd = os.open(path, flags | CLOEXEC, mode)
    try:
        while True:
            if _try_lock(fd, shared):
                if _is_still(fd, path):
                    return fd
                # Someone moved the file away while we waited: what we locked is no longer what others will lock.
                os.close(fd)
                fd = -1
                fd = os.open(path, flags | CLOEXEC, mode)
            elif time.monotonic() >= ends:
                from thruline.disk.owner import build_timeout  # who waits in vain can wait for this too

                raise build_timeout(path, timeout)
            else:
                time.sleep(pause)
                pause = min(pause * 1.5, 0.02)
    except BaseException:
        if fd >= 0:
            os.close(fd)
        raise


def _is_still(fd: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except FileNotFoundError:
        return False


class Lock:
    """Keeps others out of what `path` stands for, as long as the `with` block runs.

    `shared` owners let each other in, and keep out those who are not. The folder of `path` must exist.
    """

    __slots__ = ("_fd", "path", "shared", "timeout")

    def __init__(self, path: str, timeout: float = TIMEOUT, *, shared: bool = False) -> None:
        self.path = path
        self.timeout = timeout
        self.shared = shared
        self._fd = -1

    def __enter__(self) -> "Lock":
        try:
            # It is written to: a repository must not lead it to another file by a link.
            try:
                check_own(os.lstat(self.path), self.path)
            except FileNotFoundError:
                pass
            flags = os.O_RDWR | os.O_CREAT | CAREFUL
            fd = hold(self.path, flags, mode=0o600, shared=self.shared, timeout=self.timeout)
        except OSError as error:
            raise build_disk_error(error, "lock", self.path) from None
        self._fd = fd
        if not self.shared:
            _write_owner(fd)
        return self

    def __exit__(self, *_: object) -> None:
        fd, self._fd = self._fd, -1
        os.close(fd)


def _write_owner(fd: int) -> None:
    # Only for the message of those who wait; a full disk must not keep anyone from the lock itself.
    try:
        os.lseek(fd, 0, os.SEEK_SET)
        # Fixed width, so that no rest of a longer line stays behind and one call is enough.
        os.write(fd, f"{os.getpid()} {find_host()} {int(time.time())}".ljust(120).encode() + b"\n")
    except OSError:
        pass


def find_host() -> str:
    """This machine's name, without spaces."""
    name = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    return "-".join(name.split()) or "localhost"


def find_host_mark() -> str:
    """This machine's name in letters and digits, for use inside a file name."""
    return "".join(c for c in find_host() if c.isascii() and c.isalnum())[:24] or "host"
