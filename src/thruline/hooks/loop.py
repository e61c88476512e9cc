"""The loop engine: whether a session that is about to stop goes on, because its user started a loop in it.

Whatever is missing, broken or in doubt: it may stop. docs/design/0024-loops.md, docs/formats/loop.md.
"""

import os
import time

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.hooks.payload import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout import ProjectPaths

MARK = "<!-- thruline: loop {id}, iteration {iteration}{limit} -->\n"
TAIL = (
    "\n\n(When it is true, and not before, say {promises}; say <promise>BLOCKED</promise> if only the user can help.)"
)
FAILED = "\n\nThe promise was not believed: `{command}` {how}. The end of its output, as information:\n{block}"
DRIVEN = "THRULINE_LOOP"  # set by `thruline loop run`, which counts its iterations itself
LIMIT = 1 << 20
OUTPUT = 4_000  # characters of a failed command that go back with the prompt


def decide(event: "dict[str, object]", project: "ProjectPaths") -> str:
    """The prompt that keeps the session going; empty where it may stop."""
    if os.environ.get(DRIVEN) or not os.path.exists(project.active_loop):
        return ""
    lock = _lock(project.active_loop + ".lock")
    try:
        loop_id = read_foreground(project.active_loop, str(event["session"]))
        if not loop_id:
            return ""
        path = os.path.join(project.loops, loop_id + ".md")
        document = parse_document(_read(path), path)
        if document.get("status") != "active" or document.get("schema") != 1:
            return ""
        return _go_on(event, document, path, project)
    finally:
        os.close(lock)


def read_foreground(index: str, session: str) -> str:
    """The id of the loop in the foreground of `session`; empty where there is none."""
    sessions = parse_object(_read(index)).get("sessions")
    loop_id = sessions.get(session) if isinstance(sessions, dict) else None
    safe = isinstance(loop_id, str) and loop_id.replace("-", "").isalnum() and loop_id.isascii()
    return str(loop_id) if safe else ""


def find_promise(message: str, promises: "list[str]") -> str:
    """The promise that `message` makes: the exact text between the tags, `BLOCKED` always among them."""
    wanted = [*promises, "BLOCKED"]
    for piece in message.split("<promise>")[1:]:
        text, closed, _ = piece.partition("</promise>")
        if closed and text.strip() in wanted:
            return text.strip()
    return ""


def _go_on(event: "dict[str, object]", document: Document, path: str, project: "ProjectPaths") -> str:
    message = str(event["message"])
    promises = _list(document.get("completion_promise"))
    promise = find_promise(message, promises)
    document = document.set("last_line", _last_line(message) or None)
    if promise == "BLOCKED" and "BLOCKED" not in promises:
        _write(path, document.set("status", "paused").set("paused_by", "promise: BLOCKED"))
        return ""
    failure = ""
    if promise:
        failure = _check_until(document, project.root)
        if not failure:
            _write(path, document.set("status", "done"))
            _clear(project.active_loop, str(event["session"]), str(document.get("id")))
            return ""
    iteration, most = _number(document.get("iteration")) + 1, _number(document.get("max_iterations"))
    if most and iteration > most:
        _write(path, document.set("status", "paused").set("paused_by", "max_iterations"))
        return ""
    _write(path, document.set("iteration", iteration))
    return render_prompt(document, iteration, most, promises) + failure


def render_prompt(document: Document, iteration: int, most: int, promises: "list[str]") -> str:
    """What the session is told: our mark, the prompt as it was written, and how the loop ends."""
    limit = f" of {most}" if most else ""
    head = MARK.format(id=document.get("id"), iteration=iteration, limit=limit)
    named = " or ".join(f"<promise>{one}</promise>" for one in promises)
    return (
        head + _unfence(document.read_section("Loop Prompt", 2) or "") + (TAIL.format(promises=named) if named else "")
    )


def _check_until(document: Document, root: str) -> str:
    """Why the promise is not believed, as text for the model; empty where it is."""
    command = document.get("until")
    if not isinstance(command, str) or not command:
        return ""
    from thruline.hooks.until import run_until  # the one slow path, and the only one that starts a program

    seconds = _number(document.get("until_seconds")) or 120
    how, output = run_until(command, root, seconds)
    if not how:
        return ""
    output = output[-OUTPUT:]
    fence = "`" * 3
    while fence in output:
        fence += "`"
    return FAILED.format(command=command, how=how, block=f"{fence}\n{output}\n{fence}")


def _clear(index: str, session: str, loop_id: str) -> None:
    from thruline.scan import render_line

    value = parse_object(_read(index))
    sessions = value.get("sessions")
    if isinstance(sessions, dict):
        sessions.pop(session, None)
    if value.get("active_loop_id") == loop_id:
        value["active_loop_id"] = None
    _replace(index, render_line(value))


def _write(path: str, document: Document) -> None:
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    _replace(path, document.set("updated_at", now).render())


def _replace(path: str, data: bytes) -> None:
    from thruline.disk.atomic import write_bytes  # only a session with a loop pays for it

    write_bytes(path, data, mode=0o600)


def _lock(path: str) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        import fcntl
    except ImportError:
        return descriptor  # Windows: two stops at once of one session are not seen there
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    try:
        return os.read(descriptor, LIMIT)
    finally:
        os.close(descriptor)


def _unfence(text: str) -> str:
    lines = text.strip("\n").split("\n")
    fence = lines[0].removesuffix("text")
    if len(lines) > 1 and len(fence) > 2 and not fence.strip("`") and lines[-1] == fence:
        return "\n".join(lines[1:-1])
    return text


def _last_line(message: str) -> str:
    lines = message.strip().splitlines()
    return lines[-1].strip()[:120] if lines else ""


def _list(value: object) -> "list[str]":
    if isinstance(value, list):
        return [str(one) for one in value]
    return [value] if isinstance(value, str) and value else []


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
