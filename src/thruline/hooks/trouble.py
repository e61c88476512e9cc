"""What went wrong inside a hook, or took long: a line in a log that doctor reads, nothing on the user's screen.

A line holds kinds and places, never text: messages of exceptions may quote a payload. Imported only when there is
trouble.
"""

import os
import time

from thruline.disk.atomic import append_line
from thruline.hooks.payload import Unusable
from thruline.scan import render_line

LIMIT = 256 * 1024


def write_trouble(path: str, harness: str, event: str, error: BaseException) -> None:
    """Adds one line about `error` to the log at `path`. Never raises."""
    found = {"error": type(error).__name__, "detail": _detail(error), "place": _place(error)}
    _write(path, {"harness": harness, "event": event, **found})


def write_slow(path: str, harness: str, event: str, seconds: float) -> None:
    """Adds one line about a hook that its session waited for to the log at `path`. Never raises."""
    _write(path, {"harness": harness, "event": event, "seconds": round(seconds, 1)})


def _write(path: str, fields: "dict[str, object]") -> None:
    """A log grown past LIMIT becomes `<path>.1` first."""
    try:
        line = render_line({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **fields})
        if os.path.exists(path) and os.path.getsize(path) > LIMIT:
            # Two hooks at once may both get here: then the older half is lost, and with it nothing but a log.
            os.replace(path, path + ".1")
        append_line(path, line, mode=0o600)
    except Exception:  # noqa: S110 - a full or read-only disk leaves no place to complain
        pass


def _detail(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or ""
    return str(error) if isinstance(error, Unusable) else ""


def _place(error: BaseException) -> str:
    place = ""
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        place = f"{os.path.basename(code.co_filename)}:{step.tb_lineno} {code.co_name}"
        step = step.tb_next
    return place
