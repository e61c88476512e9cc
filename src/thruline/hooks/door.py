"""The door that a harness knocks at: `<state>/hook/python -I -S <state>/hook/entry.py <harness> <event>`.

It reads one JSON object, answers or stays silent, and never fails: whatever goes wrong ends in the log, and the exit
status is 0. Our ten event names are the whole vocabulary; how each harness speaks them is its own wire module's matter.
"""

import _thread
import os
import sys
import time

from thruline.hooks.event import add_client, build_event, build_line, find_wire
from thruline.hooks.handlers import HANDLERS, join_texts
from thruline.hooks.payload import Unusable, read_payload
from thruline.layout.hook import DoorPaths, HookPaths
from thruline.layout.names import build_project_key

SLOW = 1.0  # seconds; what takes longer is felt, and doctor tells
PATIENCE = 5.0  # seconds; a client that never finishes its payload, or a dead file system, must not hold a session
_ends = 0.0  # when it is over, by the system's own count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def main(state: str, python: str = "") -> None:
    """Answers the event that the command line names.

    `state` is the folder that the stub lies in, `python` the interpreter that runs the worker.
    """
    # Not THRULINE_HOME: the client's environment is not ours, and the stub was told where to look when it was written.
    paths = DoorPaths(state)
    silent = os.environ.get("THRULINE_OFF", "0") not in ("", "0") or os.path.exists(paths.off)
    mode = sys.argv[2:3] in (["statusline"], ["theirs"])
    if silent and not mode:
        return
    wait_longer(0.0)
    try:
        _thread.start_new_thread(_give_up, (paths,))
    except RuntimeError:
        pass  # no more threads for this user: an answer without a watchdog is better than none
    if mode:
        show(paths, sys.argv[1:], 0, 1, python, silent)
    else:
        answer(paths, sys.argv[1:], 0, 1, python)


def show(
    paths: DoorPaths, arguments: "list[str]", source: int, target: int, python: str = "", silent: bool = False
) -> None:
    """The modes beside the events: the status line, and the renewing of the one that a user had before."""
    try:
        from thruline.hooks.statusline import run_mode  # no event needs it

        run_mode(paths, arguments, source, target, python, silent)
    except BaseException as error:
        _tell(paths, arguments[0], arguments[1], error)


def answer(paths: DoorPaths, arguments: "list[str]", source: int, target: int, python: str = "") -> None:
    """Reads the payload from `source` and writes the answer to `target`; trouble goes to the log, and nowhere else."""
    harness, name = "", ""
    try:
        harness, name = parse_arguments(arguments)
        wire = find_wire(harness)
        fields = wire.read_event(name, read_payload(source), os.environ)
        if fields:
            event = build_event(harness, name, fields)
            here = HookPaths(paths.state, build_project_key("", str(event["root"])))
            if not os.path.exists(here.off):
                began = time.monotonic()  # the payload is there: from here on the session waits for us
                handle(event, here, wire, target, python)
                if (seconds := time.monotonic() - began) > SLOW:
                    from thruline.hooks.trouble import write_slow

                    write_slow(paths.slow_hooks, harness, name, seconds)
                # Last, since it may take minutes: by now the event is left and the worker at work.
                if name == "turn_end":
                    hold_turn(event, here, wire, target)
    except BaseException as error:
        _tell(paths, harness, name, error)


def handle(event: "dict[str, object]", paths: HookPaths, wire: "ModuleType", target: int, python: str) -> None:
    """Tells what is ready, then leaves the event for the worker, and starts it where this event is one that does.

    The event is left even where telling fails; a reader that went away is no reason to forget.
    """
    find_texts, is_worth_starting = HANDLERS[str(event["event"])]
    try:
        if event["event"] in wire.TELLS:
            tell(find_texts(event, paths, wire), event, paths, wire, target)
    finally:
        start = is_worth_starting(event, paths)
        if event["files"] or event["told"] or event["event"] not in ("tool_done", "tool_failed"):
            from thruline.hooks.spool import write_event  # most tools touch no file, and nothing is spooled

            write_event(paths.spool, build_line(add_client(event)))
        if start:
            from thruline.hooks.worker import start_worker  # here and not on top: most events start none

            start_worker(python, paths, str(event["root"]))


def hold_turn(event: "dict[str, object]", paths: HookPaths, wire: "ModuleType", target: int) -> None:
    """Keeps the turn going where the session has a loop that its user started; the one answer that blocks anything."""
    from thruline.hooks.loop import find_foreground

    found = find_foreground(event, paths)
    if found is None:
        return
    from thruline.hooks.loop_row import add_block, end_row, is_full
    from thruline.hooks.loop_turn import go_on

    cap = wire.read_cap(os.environ)
    row = paths.build_blocks(str(event["harness"]), str(event["session"])) if cap else ""
    deaf = bool(row) and is_full(row, event, cap)
    prompt = go_on(event, *found, wire, deaf)
    said = wire.render_answer("turn_end", block=prompt) if prompt and not deaf else b""
    if deaf:
        from thruline.hooks.loop_start import describe

        # The client would say that a hook was overridden; the person learns instead how the loop goes on, and of a
        # promise that was not kept: its session is not told, and would look as if it had ended well.
        for each in describe(event, *found, cap):
            os.write(target, wire.render_answer("turn_end", user=str(each["text"]) + prompt))
    elif said:
        from thruline.hooks.spool import write_all

        write_all(target, said)
        note_told(
            {"id": f"loop {os.path.basename(found[1])}", "kind": "loop", "from": event["session"], "text": prompt},
            event,
            paths,
        )
        if row:
            add_block(row, event)
    elif row and not event["continued"]:
        end_row(row)


def tell(
    texts: "list[dict[str, object]]", event: "dict[str, object]", paths: HookPaths, wire: "ModuleType", target: int
) -> None:
    """Prints `texts` in the client's form, and remembers that they were told."""
    user = "\n".join(str(each["text"]) for each in texts if each["kind"] == "user")
    said = wire.render_answer(event["event"], join_texts(texts), user=user)
    if not said:
        return
    from thruline.hooks.ready import drop_claims
    from thruline.hooks.spool import write_all

    try:
        written = os.write(target, said)
    except OSError:
        drop_claims(texts, told=False)  # not a byte got out
        raise
    write_all(target, said[written:])
    event["told"] = [each["id"] for each in texts]
    for each in texts:
        note_told(each, event, paths)
    drop_claims(texts, told=True)  # last: the log knows already, whatever happens here


def note_told(told: "dict[str, object]", event: "dict[str, object]", paths: HookPaths) -> None:
    """Remembers what a session was told."""
    from thruline.hooks.spool import append_told
    from thruline.scan import render_line

    line = {key: event[key] for key in ("at", "harness", "session", "event", "source")}
    line |= {key: told[key] for key in ("id", "kind", "from")}
    append_told(paths.injected, render_line({**line, "characters": len(str(told["text"])), "text": told["text"]}))


def parse_arguments(arguments: "list[str]") -> "tuple[str, str]":
    """Harness and event; the event is one of ours."""
    if len(arguments) != 2:
        raise Unusable(f"{len(arguments)} arguments instead of 2")
    harness, name = arguments
    if name not in HANDLERS:
        raise Unusable("unknown event")
    return harness, name


def wait_longer(seconds: float) -> None:
    """Gives what follows `seconds` beside our patience, before the watchdog ends it."""
    global _ends
    _ends = time.monotonic() + PATIENCE + seconds


def _give_up(paths: DoorPaths) -> None:
    # A thread, since it costs no import, works on Windows too, and ends a read that will never return.
    while (left := _ends - time.monotonic()) > 0:
        time.sleep(left)
    _thread.start_new_thread(_tell, (paths, "", "", Unusable(f"no end within {PATIENCE:g} s")))
    time.sleep(0.2)  # the log may lie on the very disk that hangs
    os._exit(0)


def _tell(paths: DoorPaths, harness: str, name: str, error: BaseException) -> None:
    from thruline.hooks.trouble import write_trouble  # here and not on top: only trouble pays for it

    write_trouble(paths.hook_errors, harness, name, error)
