"""The door that a harness knocks at: `<state>/hook/python -I -S <state>/hook/entry.py <harness> <event>`.

It reads one JSON object, answers or stays silent, and never fails: whatever goes wrong ends in the log, and the exit
status is 0. Our ten event names are the whole vocabulary; how each harness speaks them is its own wire module's matter.
"""

import _thread
import os
import sys
import time

from thruline.hooks.payload import Unusable, read_payload
from thruline.hooks.ready import read_ready
from thruline.layout import UserPaths

PATIENCE = 5.0  # seconds; a client that never finishes its payload, or a dead file system, must not hold a session


def answer_nothing(_event: "dict[str, object]", _paths: UserPaths) -> bytes:
    """Nothing to do."""
    return b""


def answer_ready(event: "dict[str, object]", paths: UserPaths) -> bytes:
    """The session's ready text, if one was prepared."""
    return read_ready(paths.ready, str(event["harness"]), str(event["session"]))


HANDLERS = {
    "session_start": answer_ready,
    "session_end": answer_nothing,
    "prompt": answer_nothing,
    "turn_end": answer_nothing,
    "tool_done": answer_nothing,
    "tool_failed": answer_nothing,
    "before_compact": answer_nothing,
    "after_compact": answer_nothing,
    "subagent_start": answer_nothing,
    "subagent_end": answer_nothing,
}


def main(state: str) -> None:
    """Answers the event that the command line names. `state` is the folder that the stub lies in."""
    if os.environ.get("THRULINE_OFF", "0") not in ("", "0"):
        return
    # Not THRULINE_HOME: the client's environment is not ours, and the stub was told where to look when it was written.
    paths = UserPaths(state, "")
    try:
        _thread.start_new_thread(_give_up, (paths,))
    except RuntimeError:
        pass  # no more threads for this user: an answer without a watchdog is better than none
    answer(paths, sys.argv[1:], 0, 1)


def answer(paths: UserPaths, arguments: "list[str]", source: int, target: int) -> None:
    """Reads the payload from `source` and writes the answer to `target`; trouble goes to the log, and nowhere else."""
    harness, name = "", ""
    try:
        harness, name = parse_arguments(arguments)
        text = HANDLERS[name](build_event(harness, name, read_payload(source)), paths)
        if text:
            from thruline.hooks.spool import write_all  # here and not on top: few events print anything

            write_all(target, text)
    except BaseException as error:
        _tell(paths, harness, name, error)


def parse_arguments(arguments: "list[str]") -> "tuple[str, str]":
    """Harness and event; the harness is a name that is safe in a path, the event one of ours."""
    if len(arguments) != 2:
        raise Unusable(f"{len(arguments)} arguments instead of 2")
    harness, name = arguments
    if not is_safe_name(harness):
        raise Unusable("unsafe harness name")
    if name not in HANDLERS:
        raise Unusable("unknown event")
    return harness, name


def build_event(harness: str, name: str, payload: "dict[str, object]") -> "dict[str, object]":
    """The event as handlers see it: fixed keys, and a session id that is safe in a path."""
    session = payload.get("session_id")
    if not isinstance(session, str) or not is_safe_id(session):
        raise Unusable("unsafe session id")
    cwd = payload.get("cwd")
    return {
        "schema": 1,
        "at": time.time(),
        "harness": harness,
        "event": name,
        "session": session,
        "cwd": cwd if isinstance(cwd, str) else "",
        "payload": payload,
    }


def is_safe_name(text: str) -> bool:
    """Whether `text` can be one component of a path on every system: letters, digits, `-`, `_`, inner dots."""
    return (
        0 < len(text) <= 128
        and text.isascii()
        and text.replace("-", "").replace("_", "").replace(".", "").isalnum()
        and text[0] != "."
        and text[-1] != "."
        and ".." not in text
    )


def is_safe_id(text: str) -> bool:
    """Whether `text` can name a session's files. Some names of up to four letters are devices on Windows."""
    return len(text) > 4 and is_safe_name(text)


def _give_up(paths: UserPaths) -> None:
    # A thread, since it costs no import, works on Windows too, and ends a read that will never return.
    time.sleep(PATIENCE)
    _thread.start_new_thread(_tell, (paths, "", "", Unusable(f"no end within {PATIENCE:g} s")))
    time.sleep(0.2)  # the log may lie on the very disk that hangs
    os._exit(0)


def _tell(paths: UserPaths, harness: str, name: str, error: BaseException) -> None:
    from thruline.hooks.trouble import write_trouble  # here and not on top: only trouble pays for it

    write_trouble(paths.hook_errors, harness, name, error)
