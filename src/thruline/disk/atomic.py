"""One file at a time: whole or not at all.

`write_bytes` replaces a file, `append_line` adds to one, `Lock` keeps others out meanwhile. A process killed between
any two system calls leaves the old bytes or the new ones, and at worst a temporary file that `find_leftovers` lists.
Hooks import this module, or the parts of it that they need: os, sys, time and the system's own locks, nothing heavier.
"""

import os

from thruline.disk.faults import build_disk_error
from thruline.disk.leftovers import find_leftovers, is_left_over, remove_leftovers
from thruline.disk.lock import Lock, hold
from thruline.disk.replace import (
    BINARY,
    CLOEXEC,
    build_folder_mode,
    check_replaceable,
    make_folders,
    move_over,
    resolve_link,
    sync_file,
    sync_folder,
    write_all,
    write_bytes,
    write_temp,
)
from thruline.disk.temps import TEMP_END, TEMP_START, build_temp_name, remove_quietly
from thruline.errors import NotFound

__all__ = [
    "BINARY",
    "CLOEXEC",
    "TEMP_END",
    "TEMP_START",
    "Lock",
    "append_line",
    "append_lines",
    "build_folder_mode",
    "build_temp_name",
    "check_replaceable",
    "find_leftovers",
    "is_left_over",
    "make_folders",
    "move_over",
    "read_all",
    "read_bytes",
    "remove_leftovers",
    "remove_quietly",
    "resolve_link",
    "sync_file",
    "sync_folder",
    "write_all",
    "write_bytes",
    "write_temp",
]


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
