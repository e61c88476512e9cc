"""The file that is to be kept: opened only where it is its user's own, and compared with what is kept of it."""

import os
import stat
from typing import IO

from thruline.ark.entry import Member, Source
from thruline.disk.atomic import BINARY, CLOEXEC
from thruline.errors import Refused


def open_own(path: str) -> IO[bytes]:
    """The file, to be read; Refused for another user's, and for what is no file."""
    # Without waiting: a pipe of that name would never let go.
    fd = os.open(path, os.O_RDONLY | BINARY | CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    found = os.fstat(fd)
    what = ""
    if not stat.S_ISREG(found.st_mode):
        what = "This is not a regular file; the ark does not take it."
    elif hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        what = "This file belongs to another user; the ark does not take it."
    if what:
        os.close(fd)
        raise Refused(what, where=path, next="archive it as the user it belongs to")
    return os.fdopen(fd, "rb", buffering=0)


def is_unchanged(source: Source, before: Member) -> bool:
    """Whether the file is, by all that its folder tells, the one that is kept."""
    if source.read is not None:
        return bool(source.changed_ns) and source.changed_ns == before.mtime_ns
    try:
        found = os.stat(source.path)
    except OSError:
        return False
    now = (found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev)
    return now == (before.size, before.mtime_ns, before.inode, before.device)
