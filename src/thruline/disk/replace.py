"""One file replaced: by a draft beside it, made durable, and a rename over it. Hooks import this module."""

import os
import sys
import time

from thruline.disk.faults import EINVAL, EISDIR, ENOTDIR, build_disk_error
from thruline.disk.temps import build_temp_name, remove_quietly

if sys.platform == "win32":
    FULLFSYNC = None
else:
    import fcntl

    FULLFSYNC: "int | None" = getattr(fcntl, "F_FULLFSYNC", None)

WINDOWS = sys.platform == "win32"
BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends without it
CLOEXEC = getattr(os, "O_CLOEXEC", 0)
REPLACE_SECONDS = 1.0
_TYPE, _FILE, _FOLDER = 0o170000, 0o100000, 0o040000  # as in the module stat, which a hook need not import for this


def write_bytes(path: str, data: bytes, *, mode: "int | None" = None, lasting: bool = True) -> None:
    """Replaces `path` by `data`: after a crash it holds all of the old bytes or all of the new ones.

    With `lasting` they are the new ones for good; without it a power cut may bring the old ones back, still whole, and
    nobody waits for the disk a second time.

    An existing file keeps its mode, and its owner where we may set it; `mode` is for a new one (else 0o666 less the
    umask). A link is followed, never replaced. Missing folders are made, private ones for a private file.
    """
    path = resolve_link(path)
    temp = ""
    try:
        check_replaceable(path)
        folder = os.path.dirname(path) or "."
        made = make_folders(folder, build_folder_mode(mode))
        temp = os.path.join(folder, build_temp_name())
        write_temp(temp, data, path, mode, sync=True)
        move_over(temp, path)
    except OSError as error:
        remove_quietly(temp)
        raise build_disk_error(error, "write", path) from None
    except BaseException:
        remove_quietly(temp)
        raise
    try:
        for each in (folder, *made) if lasting else made:
            sync_folder(each)
    except OSError as error:
        told = build_disk_error(error, "make safe", path)
        told.what += " Its new content is in place, but a power cut may still undo it."
        raise told from None


def resolve_link(path: str) -> str:
    """The file that `path` stands for: itself, or the end of the links that begin there."""
    return os.path.realpath(path) if os.path.islink(path) else path


def check_replaceable(path: str) -> None:
    """Raises OSError where `path` is something that a rename must not replace."""
    try:
        kind = os.stat(path).st_mode & _TYPE
    except OSError:
        return  # nothing is there, or what is wrong is told by whoever opens it
    if kind == _FOLDER:
        raise OSError(EISDIR, "it is a folder", path)
    if kind != _FILE:
        raise OSError(EINVAL, "it is not a regular file", path)


def write_temp(temp: str, data: bytes, like: str, mode: "int | None", *, sync: bool) -> None:
    """A new file `temp` holding `data`, with the mode and owner of `like` if that exists, else with `mode`."""
    try:
        old = os.stat(like)
    except FileNotFoundError:
        old = None
    wanted = old.st_mode & 0o7777 if old else mode
    # Created no wider than it will end: a secret must not be readable for the blink before fchmod.
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | CLOEXEC, 0o666 if wanted is None else wanted)
    try:
        if not WINDOWS and (old or wanted is not None):
            new = os.fstat(fd)
            if old and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
                try:
                    os.fchown(fd, old.st_uid, old.st_gid)
                except PermissionError:
                    pass  # only root may give files away
            if wanted is not None and new.st_mode & 0o7777 != wanted:
                os.fchmod(fd, wanted)
        write_all(fd, data)
        if sync:
            sync_file(fd)
    finally:
        os.close(fd)


def move_over(temp: str, path: str) -> None:
    """Renames `temp` to `path`, over what is there; OSError if it cannot be."""
    ends = time.monotonic() + REPLACE_SECONDS
    while True:
        try:
            os.replace(temp, path)
            return
        except PermissionError:
            # On Windows whoever reads a file keeps it from being replaced, a virus scanner too; not for long.
            if not WINDOWS or time.monotonic() >= ends:
                raise
            time.sleep(0.01)


def sync_file(fd: int) -> None:
    """Makes the content of `fd` durable; on macOS down to the disk itself, where fsync stops at its cache."""
    if FULLFSYNC is not None:
        try:
            fcntl.fcntl(fd, FULLFSYNC)
            return
        except OSError:
            pass  # not every file system there knows it
    os.fsync(fd)


def write_all(fd: int, data: bytes) -> None:
    """Writes `data` at the position of `fd`, however many calls the system needs."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def make_folders(folder: str, mode: int = 0o777) -> "list[str]":
    """Makes `folder` and what is missing above it; returns the folders that got a new entry.

    All get `mode` less the umask. Not os.makedirs: that gives its mode to the last one only, and a private folder would
    stand in a readable one.
    """
    if not folder or os.path.isdir(folder):
        return []
    parent = os.path.dirname(folder) or "."
    made = make_folders(parent, mode)
    try:
        os.mkdir(folder, mode)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise OSError(ENOTDIR, "a file stands where its folder should be", folder) from None
        return made
    return [parent, *made]


def build_folder_mode(mode: "int | None") -> int:
    """The mode for folders that a new file with `mode` needs: what is for its owner alone stands in such folders."""
    return 0o777 if mode is None or mode & 0o077 else 0o700


def sync_folder(folder: str) -> None:
    """Makes the entries of `folder` durable, where the system knows how."""
    if WINDOWS:
        return
    fd = os.open(folder or ".", os.O_RDONLY | CLOEXEC)
    try:
        sync_file(fd)
    except OSError as error:
        if error.errno != EINVAL:  # some file systems have no fsync for folders; their renames are what they are
            raise
    finally:
        os.close(fd)
