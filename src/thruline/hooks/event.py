"""An event as handlers, spool and worker see it: the wire's fields, where it happened, and whose client it was.

Its keys are in docs/formats/hook-files.md.
"""

import os
import time

from thruline.hooks.payload import Unusable
from thruline.layout.names import is_safe_id
from thruline.layout.root import find_root

# What fields hold that is needed here and now, and has no business in a file: the transcript has the prompt.
_PASSING = ("prompt", "project", "marked", "unsettled")
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox")


def find_wire(harness: str):  # type: ignore[no-untyped-def]  # a module: naming its type would cost an import
    """The wire of `harness`, which is known where its folder has one."""
    package = harness.replace("-", "_")
    if not package.isidentifier():
        raise Unusable("unsafe harness name")
    try:
        return __import__(f"thruline.harnesses.{package}.wire", None, None, ("read_event",))
    except ModuleNotFoundError:
        raise Unusable("unknown harness") from None


def build_event(harness: str, name: str, fields: "dict[str, object]") -> "dict[str, object]":
    """The event: its fields, and a root, a session id and paths that hold whatever the client's folder is.

    Whose client it was is not asked yet: most events of tools end without needing it.
    """
    session, cwd = str(fields["session"]), str(fields["cwd"])
    if not is_safe_id(session):
        raise Unusable("unsafe session id")
    project = str(fields["project"])
    root = find_root(project if os.path.isabs(project) else cwd or os.curdir)
    return {
        "schema": 1,
        "at": time.time(),
        "harness": harness,
        "event": name,
        **fields,
        "root": root.path,
        "marked": root.kind == "marker",
        "files": [[os.path.normpath(os.path.join(cwd, path)), how] for path, how in fields["files"]],  # type: ignore[attr-defined]
        "pid": 0,
        "born": 0,
        "told": [],
    }


def add_client(event: "dict[str, object]") -> "dict[str, object]":
    """The event, with the client's process in it."""
    if not event["pid"]:
        event["pid"], event["born"] = find_client()
    return event


def build_line(event: "dict[str, object]") -> "dict[str, object]":
    """What of the event is kept: nothing that is empty, and nothing that only passes."""
    return {key: value for key, value in event.items() if value and key not in _PASSING}


def find_client() -> "tuple[int, int]":
    """The client's process and when it was born; a shell between it and us is passed over. 0 where unknown.

    A client that knows our arguments starts us itself; one that was given a line starts a shell, and only some shells
    make way for the program they start.
    """
    from thruline.process import read_process  # here and not on top, as all that few events need

    pid = os.getppid()
    name, parent, born = read_process(pid)
    if name in _SHELLS:
        pid = parent
        born = read_process(pid)[2]
    return (pid, born) if pid > 1 else (0, 0)  # 1 is who adopts the children of the dead
