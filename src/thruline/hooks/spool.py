"""The spool: events on their way from a hook to the worker, one file each.

A file per event needs no lock, so no hook ever waits for another process; a name is visible only after its content is
whole, and names sort by time. No fsync: after a power cut the transcript, not the spool, is the record. That is also
why `disk/atomic` does not write it: five modules more would cost a hook a fifth of its time.
"""

import os
import time

from thruline.scan import render_line

DRAFT = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_event(folder: str, event: "dict[str, object]") -> str:
    """Leaves `event` in the spool and returns its path."""
    data = render_line(event)
    name = f"{time.time_ns():020d}-{os.getpid()}.json"
    path = os.path.join(folder, name)
    draft = os.path.join(folder, "." + name)  # a reader skips it; a kill before the rename leaves it
    try:
        descriptor = os.open(draft, DRAFT, 0o600)
    except FileNotFoundError:
        make_private(folder)
        descriptor = os.open(draft, DRAFT, 0o600)
    try:
        try:
            write_all(descriptor, data)
        finally:
            os.close(descriptor)
        os.rename(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
    return path


def make_private(folder: str) -> None:
    """Makes `folder` and what is missing above it, for its user alone; os.makedirs would leave those above open."""
    try:
        os.mkdir(folder, 0o700)
    except FileNotFoundError:
        make_private(os.path.dirname(folder))
        make_private(folder)
    except FileExistsError:
        pass  # another hook was faster


def append_told(path: str, line: bytes) -> None:
    """Adds one line to `path` in one call, so that no other hook's line comes between; no lock, so none waits."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(path))
        descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes every byte; a pipe takes some at a time."""
    while data:
        data = data[os.write(descriptor, data) :]
