"""`active-loop.json`: which loop is in the foreground of which session. Format: docs/formats/loop.md.

Hooks import it, so it does without classes that cost an import.
"""

from thruline.artifacts.stamp import is_stamped_id
from thruline.scan import render_line, scan

LARGEST = 1 << 20


class Pointer:
    """`sessions` maps a session's id to its loop; `last` is the loop that was started or brought to the front last."""

    __slots__ = ("last", "others", "sessions")

    def __init__(self, last: str, sessions: "dict[str, str]", others: "dict[str, object]") -> None:
        self.last = last
        self.sessions = sessions
        self.others = others  # what a later thruline may have added

    def put(self, session: str, loop_id: str) -> "Pointer":
        """With this loop in the foreground of `session`, and of no other; in nobody's where `session` is empty."""
        kept = {each: other for each, other in self.sessions.items() if other != loop_id and each != session}
        return Pointer(loop_id, {**kept, session: loop_id} if session else kept, self.others)

    def drop(self, loop_id: str) -> "Pointer":
        """Without this loop."""
        kept = {each: other for each, other in self.sessions.items() if other != loop_id}
        return Pointer("" if self.last == loop_id else self.last, kept, self.others)


def find_loop(data: bytes, session: str) -> str:
    """The loop in the foreground of `session`, by a file's bytes; empty where there is none."""
    sessions = _parse(data).get("sessions")
    found = sessions.get(session) if isinstance(sessions, dict) else None
    return found if isinstance(found, str) and is_stamped_id(found) else ""


def parse_pointer(data: bytes) -> Pointer:
    """The pointer in a file's bytes; nobody's where they are no such object. Ids that are no ids are left out."""
    value = _parse(data)
    sessions, last = value.pop("sessions", None), value.pop("active_loop_id", None)
    pairs = sessions.items() if isinstance(sessions, dict) else ()
    return Pointer(
        str(last) if isinstance(last, str) and is_stamped_id(last) else "",
        {each: str(loop) for each, loop in pairs if isinstance(loop, str) and is_stamped_id(loop)},
        value,
    )


def _parse(data: bytes) -> "dict[str, object]":
    try:
        value: object = scan(data.decode("utf-8", "replace").lstrip("\ufeff \t\r\n"), 0)[0]
    except (ValueError, StopIteration, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def render_pointer(pointer: Pointer) -> bytes:
    """The bytes of the file."""
    return render_line({**pointer.others, "active_loop_id": pointer.last or None, "sessions": pointer.sessions})
