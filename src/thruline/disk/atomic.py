"""One file at a time: whole or not at all.

`write_bytes` replaces a file, `append_line` adds to one, `Lock` keeps others out meanwhile. A process killed between
any two system calls leaves the old bytes or the new ones, and at worst a temporary file that `find_leftovers` lists.
Hooks import this module: os, sys, time and the system's own locks, nothing heavier.
"""

import os
import sys
import time

from thruline.disk.faults import EINVAL, EISDIR, ENOTDIR, build_disk_error
from thruline.disk.lock import Lock, hold
from thruline.disk.temps import (
    TEMP_END,
    TEMP_START,
    build_temp_name,
    find_leftovers,
    is_left_over,
    remove_leftovers,
    remove_quietly,
)
from thruline.errors import NotFound

if sys.platform == "win32":
    FULLFSYNC = None
else:
    import fcntl

    FULLFSYNC: "int | None" = getattr(fcntl, "F_FULLFSYNC", None)

__all__ = [
    "TEMP_END",
    "TEMP_START",
    "Lock",
    "append_line",
    "append_lines",
    "build_temp_name",
    "find_leftovers",
    "is_left_over",
    "read_bytes",
    "remove_leftovers",
    "remove_quietly",
    "write_bytes",
]

WINDOWS = sys.platform == "win32"
BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends without it
CLOEXEC = getattr(os, "O_CLOEXEC", 0)
REPLACE_SECONDS = 1.0


# --- reading ------------------------------------------------------------------------------------------------------


def read_bytes(path: str) -> bytes:
    """The whole content of `path`."""
    try:
        fd = os.open(path, os.O_RDONLY | BINARY | CLOEXEC)
        try:
            return read_all(fd)
        finally:
            os.close(fd)
    except FileNotFoundError:
        raise NotFound(f"There is no file {os.path.basename(path)}.", where=path, next="check the path") from None
    except OSError as error:
        raise build_disk_error(error, "read", path) from None


def read_all(fd: int) -> bytes:
    """Everything from the current position of `fd` to its end."""
    chunks: list[bytes] = []
    size = max(os.fstat(fd).st_size, 4096) + 1
    while True:
        chunk = os.read(fd, min(size, 1 << 24))
        if not chunk:
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)
        chunks.append(chunk)


# --- replacing ----------------------------------------------------------------------------------------------------


def write_bytes(path: str, data: bytes, *, mode: "int | None" = None) -> None:
    """Replaces `path` by `data`: after a crash it holds all of the old bytes or all of the new ones.

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
        for each in (folder, *made):
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
    if os.path.isdir(path):
        raise OSError(EISDIR, "it is a folder", path)
    if os.path.exists(path) and not os.path.isfile(path):
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


# --- appending ----------------------------------------------------------------------------------------------------


def append_line(path: str, line: bytes, *, mode: int = 0o666) -> None:
    """Adds one whole line to `path`, which is made with `mode` less the umask if missing."""
    append_lines(path, [line], mode=mode)


def append_lines(path: str, lines: "list[bytes]", *, mode: int = 0o666) -> None:
    """Adds whole lines to `path`, together and never inside another writer's line.

    A torn last line (its writer was killed, or the machine was) is ended first, so that ours starts on a line of its
    own. Not fsynced: it survives any kill, and a power cut may take the last lines, as with every log.
    """
    for line in lines:
        if b"\n" in line[:-1]:
            raise ValueError("a line cannot hold a line break")
    data = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)
    if not data:
        return
    try:
        make_folders(os.path.dirname(path), build_folder_mode(mode))
        # O_RDWR, not O_WRONLY: the last byte is looked at.
        fd = hold(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY, mode=mode)
        try:
            size = os.lseek(fd, 0, os.SEEK_END)
            if size:
                os.lseek(fd, size - 1, os.SEEK_SET)
                if os.read(fd, 1) != b"\n":
                    data = b"\n" + data
            try:
                write_all(fd, data)
            except OSError:
                # A full disk takes half a line: give it back.
                try:
                    os.ftruncate(fd, size)
                except OSError:
                    pass  # the next writer ends that line; this one hears of the first fault
                raise
        finally:
            os.close(fd)
    except OSError as error:
        raise build_disk_error(error, "add to", path) from None
