"""The spool: events on their way from a hook to the worker, one file each.

A file per event needs no lock, so no hook ever waits for another process; a name is visible only after its content is
whole, and names sort by time. No fsync: after a power cut the transcript, not the spool, is the record.
"""

import os
import time

from thruline.disk.atomic import build_temp_name, remove_quietly, write_temp

try:
    import _json
except ImportError:  # another Python
    _json = None  # type: ignore[assignment]


def write_event(folder: str, event: "dict[str, object]") -> str:
    """Leaves `event` in the spool and returns its path."""
    data = render_line(event)
    path = os.path.join(folder, f"{time.time_ns():020d}-{os.getpid()}.json")
    temp = os.path.join(folder, build_temp_name())
    try:
        try:
            write_temp(temp, data, path, 0o600, sync=False)
        except FileNotFoundError:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            write_temp(temp, data, path, 0o600, sync=False)
        os.rename(temp, path)
    except BaseException:
        remove_quietly(temp)
        raise
    return path


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
