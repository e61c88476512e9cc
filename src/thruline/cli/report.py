"""The report of a bug: enough to find it, nothing of the user's.

Exception messages and arguments may quote a transcript or a path, so the report names exception types, and of the
stack only our own files, lines and functions.
"""

import os
import platform
import sys
import time
import traceback

from thruline import __version__
from thruline.disk.atomic import make_folders
from thruline.errors import ThrulineError
from thruline.layout import find_user_paths


def render_report(error: BaseException, verb: str) -> str:
    """Versions and stack, ready to paste into an issue."""
    lines = [
        f"thruline {__version__}",
        f"python {platform.python_version()} on {platform.system()} {platform.release()} {platform.machine()}",
        f"command {verb}",
        "",
    ]
    seen: BaseException | None = error
    told: set[int] = set()  # a chain of causes may lead back to its start
    while seen is not None and id(seen) not in told:
        told.add(id(seen))
        lines.append(f"{type(seen).__module__}.{type(seen).__qualname__}")
        for frame in traceback.extract_tb(seen.__traceback__):
            lines.append(f"  {_shorten(frame.filename)}:{frame.lineno} {frame.name}")
        seen = seen.__cause__ or seen.__context__
    return "\n".join(lines) + "\n"


def _shorten(filename: str) -> str:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if filename.startswith(package + os.sep):
        return "thruline" + filename[len(package) :]
    return os.path.basename(filename)


def write_report(error: BaseException, verb: str) -> str:
    """Writes the report and returns its path; empty where nothing can be written."""
    name = time.strftime("bug-%Y%m%d-%H%M%S", time.gmtime()) + f"-{os.getpid()}.txt"
    try:
        folder = find_user_paths().logs
        make_folders(folder, 0o700)
        path = os.path.join(folder, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(render_report(error, verb))
    except (OSError, ThrulineError):
        sys.stderr.write(render_report(error, verb))
        return ""
    return path
