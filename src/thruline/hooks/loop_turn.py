"""A turn of a session with a loop has ended: whether it goes on, and with which prompt; and what its start says.

Imported for sessions whose user started a loop, and for no other. The loop's file is written first: killed before the
pointer is, the pointer names a loop that is over, which is none.
"""

import os
import time

from thruline.artifacts.loop_leave import has_leave
from thruline.artifacts.loop_plain import parse_plain_loop
from thruline.artifacts.loop_pointer import LARGEST, parse_pointer, render_pointer
from thruline.artifacts.loop_step import (
    find_promise,
    is_running,
    list_promises,
    read_count,
    read_prompt,
    read_until,
    render_failure,
    render_prompt,
    take_step,
)
from thruline.disk.atomic import Lock, write_bytes
from thruline.disk.inside import check_inside
from thruline.disk.own import read_own
from thruline.errors import LockTimeout
from thruline.hooks.payload import Unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from thruline.artifacts.loop_step import LoopFile
    from thruline.layout import ProjectPaths

DRIVER_LOCK = ".run.lock"
PATIENCE = 2.0  # seconds for the lock; who holds it longer is stopped, and then the session may stop too


def go_on(
    event: "dict[str, object]", project: "ProjectPaths", leave: str, wire: "ModuleType", deaf: bool = False
) -> str:
    """The prompt that keeps the session going; empty where it may stop. `leave` is that of the loop in front.

    `deaf` is a client that took as many prompts in a row as it takes: the loop may end here, but does not go on.

    The command of `--until` runs without the lock: a loop can be cancelled meanwhile, and then it is over.
    """
    session, said = str(event["session"]), str(event["said"])
    with Lock(project.active_loop + ".lock", PATIENCE):
        document = read_running(project, session, leave)
        if document is None:
            return ""
        if _is_driven(project, str(document.get("id"))):
            return ""
        if not _fits(wire, document, ""):
            raise Unusable("the prompt of a loop over the client's limit")  # it would be another one
        promise = find_promise(document, said)
        command, seconds = read_until(document, promise)
        if not command:
            return _step(project, document, said, promise, "", deaf)
    failure = _run_until(command, project.root, seconds, wire, document)
    with Lock(project.active_loop + ".lock", PATIENCE):
        now = read_running(project, session, leave)
        if now is None or now.get("id") != document.get("id"):
            return ""
        return _step(project, now, said, promise, failure, deaf)


def describe(event: "dict[str, object]", project: "ProjectPaths", leave: str, cap: int) -> "list[dict[str, object]]":
    """What the start of a session says of the loop it is in: how far it came, and how it goes on."""
    document = read_running(project, str(event["session"]), leave)
    if document is None:
        return []
    loop_id, iteration, most = document.get("id"), read_count(document, "iteration"), document.get("max_iterations")
    promises = " or ".join(f"<promise>{one}</promise>" for one in list_promises(document))
    rows = [
        f"thruline, for information: the loop `{loop_id}` is active in this session, at iteration {iteration}"
        + (f" of {most}" if most else "")
        + (f"; it ends with {promises}." if promises else "."),
        "It goes on by itself when the next turn ends."
        + (
            f" This client ends a turn after {cap} prompts of a loop in a row; any next message goes on." if cap else ""
        ),
        f"`thruline loop pause {loop_id}` holds it; `thruline loop run {loop_id}` goes on without this window.",
    ]
    kind = {"id": f"loop {loop_id}:{iteration}", "kind": "loop", "from": event["session"]}
    return [{"schema": 1, **kind, "text": " ".join(filter(None, rows))}]


def read_running(project: "ProjectPaths", session: str, leave: str) -> "LoopFile | None":
    """The loop in the foreground of `session`, where it is active, ours to continue, and has leave to."""
    if project.marked:
        check_inside(project.root, project.active_loop)
    loop_id = parse_pointer(read_own(project.active_loop, LARGEST)).sessions.get(session)
    if not loop_id:
        return None
    path = project.build_loop(loop_id)
    if project.marked:
        check_inside(project.root, path)
    document = _parse(read_own(path, LARGEST), path)
    ours = is_running(document) and document.get("id") == loop_id and bool(read_prompt(document).strip())
    own = os.path.join(os.path.dirname(leave), loop_id)
    return document if ours and has_leave(own, document) else None


def _parse(data: bytes, path: str) -> "LoopFile":
    if plain := parse_plain_loop(data, path):
        return plain
    from thruline.artifacts.frontmatter import parse_document  # a person changed more than a value

    return parse_document(data, path)


def _step(project: "ProjectPaths", document: "LoopFile", said: str, promise: str, failure: str, deaf: bool) -> str:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    after, prompt = take_step(document, said, promise, failure, now, deaf=deaf)
    write_bytes(document.path, after.render(), mode=0o600)
    if not is_running(after):
        pointer = parse_pointer(read_own(project.active_loop, LARGEST)).drop(str(document.get("id")))
        write_bytes(project.active_loop, render_pointer(pointer), mode=0o600)
    return prompt


def _is_driven(project: "ProjectPaths", loop_id: str) -> bool:
    # `loop run` has this loop in hand: two who count would give one iteration twice, or lose one.
    path = project.build_loop(loop_id, DRIVER_LOCK)
    if not os.path.exists(path):
        return False
    try:
        with Lock(path, 0.0, shared=True):
            return False
    except LockTimeout:
        return True


def _fits(wire: "ModuleType", document: "LoopFile", failure: str) -> bool:
    # The number of the next iteration may have a digit more.
    limit: int = wire.BLOCK_LIMIT
    return not limit or bool(wire.measure_text(render_prompt(document) + failure) < limit)


def _run_until(command: str, root: str, seconds: int, wire: "ModuleType", document: "LoopFile") -> str:
    from thruline.child import run_line  # the one slow path, and the only one that starts a program
    from thruline.hooks.door import wait_longer  # its watchdog would end it

    wait_longer(seconds)
    how, output = run_line(command, folder=root, env={**os.environ, "THRULINE_OFF": "1"}, timeout=seconds)
    if not how:
        return ""
    failures = (render_failure(command, how, output, most) for most in (4_000, 2_000, 1_000, 500, 250, 100))
    return next((one for one in failures if _fits(wire, document, one)), render_failure(command, how, "", 0))
