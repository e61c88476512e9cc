"""The spool: events on their way from a hook to the worker, one file each.

A file per event needs no lock, so no hook ever waits for another process; a name is visible only after its content is
whole, and names sort by time. No fsync: after a power cut the transcript, not the spool, is the record. That is also
why `disk/atomic` does not write it: five modules more would cost a hook a fifth of its time.
"""

import os
import time

try:
    import _json
except ImportError:  # another Python
    _json = None  # type: ignore[assignment]

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


def write_all(descriptor: int, data: bytes) -> None:
    """Writes every byte; a pipe takes some at a time."""
    while data:
        data = data[os.write(descriptor, data) :]


def render_line(value: "dict[str, object]") -> bytes:
    """`value` as one line of ASCII JSON; a lone surrogate, as clients send them, becomes an escape."""
    try:
        quote = _json.encode_basestring_ascii
        encoder = _json.make_encoder(None, _refuse, quote, None, ": ", ", ", False, False, True)
        return ("".join(encoder(value, 0)) + "\n").encode("ascii")
    except (AttributeError, TypeError):
        pass  # no encoder, or another interface: it is private
    import json  # here and not on top: the public way costs as much as the interpreter

    return (json.dumps(value) + "\n").encode("ascii")


def _refuse(value: object) -> object:
    raise ValueError("no JSON form for " + type(value).__name__)
