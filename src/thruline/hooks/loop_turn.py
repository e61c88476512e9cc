"""A turn of a session with a loop has ended: whether it goes on, and with which prompt.

Imported for sessions whose user started a loop, and for no other. The loop's file is written first: killed before the
pointer is, the pointer names a loop that is over, which is none.
"""

import os
import time

from thruline.artifacts.loop_leave import has_leave, write_client
from thruline.artifacts.loop_plain import parse_plain_loop
from thruline.artifacts.loop_pointer import LARGEST, parse_pointer, render_pointer
from thruline.artifacts.loop_pointer import find_loop as find_loop
from thruline.artifacts.loop_step import find_promise, is_running, read_prompt, read_until, render_prompt, take_step
from thruline.disk.lock import Lock
from thruline.disk.own import read_own
from thruline.disk.replace import write_bytes
from thruline.hooks.payload import Unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from thruline.artifacts.frontmatter import Document
    from thruline.artifacts.loop_plain import PlainLoop
    from thruline.layout import ProjectPaths

DRIVER_LOCK = ".run.lock"
PATIENCE = 2.0  # seconds for the lock; who holds it longer is stopped, and then the session may stop too


def go_on(
    event: "dict[str, object]", project: "ProjectPaths", leave: str, wire: "ModuleType", deaf: bool = False
) -> str:
    """The prompt that keeps the session going; empty where it may stop. `leave` is that of the loop in front.

    `deaf` is a client that took as many prompts in a row as it takes: the loop may end here, but does not go on, and
    what comes out is why a promise was not believed, for the person.

    The command of `--until` runs without the lock: a loop can be cancelled meanwhile, and then both are over.
    """
    session, said = str(event["session"]), str(event["said"])
    with Lock(project.active_loop + ".lock", PATIENCE):
        document = read_running(project, session, leave)
        if document is None:
            return ""
        if is_driven(project, str(document.get("id"))):
            return ""
        write_client(_find_own(leave, document), int(str(event["pid"])), int(str(event["born"])))
        if not fits(wire, document, ""):
            raise Unusable("the prompt of a loop over the client's limit")  # it would be another one
        promise = find_promise(document, said)
        command, seconds = read_until(document, promise)
        if not command:
            return _step(project, document, said, promise, "", deaf)
    from thruline.hooks.loop_until import run_until  # the one slow path, and the only one that starts a program

    failure = run_until(event, project, leave, wire, document, (command, seconds))
    with Lock(project.active_loop + ".lock", PATIENCE):
        now = read_running(project, session, leave)
        if now is None or not is_same(now, document):
            return ""
        return _step(project, now, said, promise, failure, deaf)


def read_running(project: "ProjectPaths", session: str, leave: str) -> "Document | PlainLoop | None":
    """The loop in the foreground of `session`, where it is active, ours to continue, and has leave to."""
    _check_straight(project, project.active_loop)
    loop_id = find_loop(read_own(project.active_loop, LARGEST), session)
    if not loop_id:
        return None
    path = project.build_loop(loop_id)
    _check_straight(project, path)
    document = _parse(read_own(path, LARGEST), path)
    ours = is_running(document) and document.get("id") == loop_id and bool(read_prompt(document).strip())
    return document if ours and has_leave(_find_own(leave, document), document) else None


def _find_own(leave: str, document: "Document | PlainLoop") -> str:
    # Another loop may have come to the front since somebody looked without the lock.
    return os.path.join(os.path.dirname(leave), str(document.get("id")))


def is_same(now: "Document | PlainLoop | None", before: "Document | PlainLoop") -> bool:
    """Whether `now` is the loop that it was."""
    return now is not None and now.get("id") == before.get("id")


def _check_straight(project: "ProjectPaths", path: str) -> None:
    # The root is a real path: without a link below it nothing leads elsewhere. A junction of Windows looks like none.
    folder = os.path.dirname(path)
    below = (os.path.dirname(project.base), project.base, folder, path) if project.marked else ()
    if below and (os.name == "nt" or any(map(os.path.islink, below))):
        from thruline.disk.inside import check_inside

        check_inside(project.root, path)


def _parse(data: bytes, path: str) -> "Document | PlainLoop":
    if plain := parse_plain_loop(data, path):
        return plain
    from thruline.artifacts.frontmatter import parse_document  # a person changed more than a value

    return parse_document(data, path)


def _step(
    project: "ProjectPaths", document: "Document | PlainLoop", said: str, promise: str, failure: str, deaf: bool
) -> str:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    after, prompt = take_step(document, said, promise, failure, now, deaf=deaf)
    # A power cut may take the last iteration back, as it takes the session; the file is whole either way.
    write_bytes(document.path, after.render(), mode=0o600, lasting=not prompt)
    if not is_running(after):
        pointer = parse_pointer(read_own(project.active_loop, LARGEST)).drop(str(document.get("id")))
        write_bytes(project.active_loop, render_pointer(pointer), mode=0o600)
    return prompt


def is_driven(project: "ProjectPaths", loop_id: str) -> bool:
    """Whether `loop run` has this loop in hand: two who count would give one iteration twice, or lose one."""
    path = project.build_loop(loop_id, DRIVER_LOCK)
    if not os.path.exists(path):
        return False
    from thruline.errors import LockTimeout

    try:
        with Lock(path, 0.0, shared=True):
            return False
    except LockTimeout:
        return True


def fits(wire: "ModuleType", document: "Document | PlainLoop", failure: str) -> bool:
    """Whether the client takes the prompt whole, with this behind it."""
    # The number of the next iteration may have a digit more.
    limit: int = wire.BLOCK_LIMIT
    return not limit or bool(wire.measure_text(render_prompt(document) + failure) < limit)
