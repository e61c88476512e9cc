"""The status line: what the worker prepared, what the payload says, and once a session the word that it is nearly full.

A mode beside the events, run by the same stub: `entry.py <harness> statusline`. A client has one slot for such a line;
where a user had one already, its last output stands behind ours and is renewed by a process that nobody waits for.
"""

import os
import sys

from thruline.hooks.event import build_event, build_line, find_client, find_wire
from thruline.hooks.payload import parse_object, read_object_bytes
from thruline.layout.hook import DoorPaths, HookPaths
from thruline.layout.names import build_project_key
from thruline.pressure import clear_flag, see_percent

PARTS = ["model", "branch", "dirty", "context", "task", "loop", "role"]
THRESHOLD = 70
LONGEST = 48  # characters of one part
BETWEEN, BEFORE_THEIRS = " · ", " │ "
LIMIT = 64 * 1024
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def show_status(paths: DoorPaths, harness: str, source: int, target: int, python: str, silent: bool = False) -> None:
    """Prints the line for the payload on `source`; where we are silenced, the user's own alone."""
    wire = find_wire(harness)
    if not hasattr(wire, "read_status"):
        return
    payload = read_object_bytes(source)
    if not payload:
        return  # a client that ended, or asks again, before it had said anything
    fields = wire.read_status(parse_object(payload), os.environ)
    if not fields:
        return
    event = build_event(harness, "threshold", fields)
    here = HookPaths(paths.state, build_project_key("", str(event["root"])))
    ours = "" if silent or os.path.exists(here.off) else build_ours(event, here, python)
    theirs = ""
    if os.path.exists(paths.kept_lines):
        from thruline.hooks.theirs import show_theirs

        theirs = show_theirs(paths, here, event, payload)
    line = BEFORE_THEIRS.join(filter(None, (ours, theirs)))
    if line:
        from thruline.hooks.spool import write_all

        try:
            write_all(target, (line + "\n").encode("utf-8", "replace"))
        except BrokenPipeError:
            pass  # a client that asks again, or ends, does not wait for the line before


def build_ours(event: "dict[str, object]", here: HookPaths, python: str) -> str:
    """Our part of the line; starts the handoff of a session that has just become too full."""
    settings = read_prepared(here.config).get("settings")
    chosen = settings if isinstance(settings, dict) else {}
    prepared = read_prepared(here.build_status(str(event["harness"]), str(event["session"])))
    if not prepared:
        prepared = read_prepared(here.status)
        _prepare(here, event, python)
    percent, threshold = _number(event["percent"]), _number(chosen.get("context.threshold"), THRESHOLD)
    flag = here.build_flag(str(event["harness"]), str(event["session"]))
    try:
        fired, warned = see_percent(flag, percent, threshold, _find_pid)
    except OSError:
        fired, warned = False, percent if percent >= threshold else -1  # a full disk: the eye still warns
    if fired and not _leave(event, here, python):
        clear_flag(flag)  # nobody heard of it: the next line tries again
    parts = chosen.get("statusline.parts")
    return render_line({**prepared, **_take_known(event)}, parts if isinstance(parts, list) else PARTS, percent, warned)


def render_line(known: "dict[str, object]", parts: "list[str]", percent: int, warned: int) -> str:
    """The line: of `known` what `parts` name, in that order. It warns even where nobody asked for the number."""
    found: list[str] = []
    for part in parts if warned < 0 or "context" in parts else [*parts, "context"]:
        text = ""
        if part == "context":
            text = f"⚠ CTX {warned}%" if warned >= 0 else f"ctx {percent}%" if percent >= 0 else ""
        elif part == "dirty":
            text = f"±{known['dirty']}" if _number(known.get("dirty")) > 0 else ""
        elif part in PARTS:
            text = clean_text(known.get(part))
        if text and part == "dirty" and found and known.get("branch"):
            found[-1] += " " + text  # beside the branch that it is about
        elif text:
            found.append(text)
    return BETWEEN.join(found)


def clean_text(value: object) -> str:
    """One line that a terminal shows and does not obey."""
    if not isinstance(value, str):
        return ""
    text = " ".join("".join(c if c.isprintable() else " " for c in value[: 4 * LONGEST]).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def read_prepared(path: str) -> "dict[str, object]":
    """A file that the worker left for us; empty where there is none, or none that can be used."""
    try:
        descriptor = os.open(path, _READ)
    except OSError:
        return {}
    try:
        return parse_object(os.read(descriptor, LIMIT))
    except Exception:
        return {}  # a line without it is better than none, and the next one is a second away
    finally:
        os.close(descriptor)


def _take_known(event: "dict[str, object]") -> "dict[str, object]":
    return {key: event[key] for key in ("model", "role") if event.get(key)}


def _find_pid() -> int:
    return find_client()[0]


def _prepare(here: HookPaths, event: "dict[str, object]", python: str) -> None:
    # A session that has just begun: what it left in the spool is enough for the worker to know it.
    from thruline.hooks.handlers import is_work_left

    if is_work_left(event, here):
        from thruline.hooks.worker import start_worker

        start_worker(python, here, str(event["root"]))


def _leave(event: "dict[str, object]", here: HookPaths, python: str) -> bool:
    from thruline.hooks.event import add_client
    from thruline.hooks.spool import write_event
    from thruline.hooks.worker import start_worker

    line = build_line(add_client(event))
    for key in ("settings", "role", "model"):
        line.pop(key, None)
    try:
        write_event(here.spool, line)
    except OSError:
        return False
    start_worker(python, here, str(event["root"]))
    return True


def _number(value: object, otherwise: int = -1) -> int:
    return value if type(value) is int else otherwise


def run_mode(paths: DoorPaths, arguments: "list[str]", source: int, target: int, python: str, silent: bool) -> None:
    """What the command line asks for: our line, or to renew what theirs prints."""
    if arguments[1] == "statusline":
        show_status(paths, arguments[0], source, target, python, silent)
    elif len(arguments) == 4:
        from thruline.hooks.theirs import renew

        renew(paths, arguments[0], arguments[2], arguments[3], sys.platform)
