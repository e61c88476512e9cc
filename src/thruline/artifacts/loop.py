"""A loop: a prompt that is given again until its promise is kept. Format: docs/formats/loop.md.

What a step does to a loop is in `loop_step.py`, which hooks import too; here is what the commands need besides.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.loop_step import (
    ACTIVE,
    CANCELLED,
    DONE,
    NOTES,
    PAUSED,
    PROMPT,
    SCHEMA,
    STATUSES,
    UNTIL_SECONDS,
    is_limit_known,
    list_promises,
    read_count,
    read_prompt,
)
from thruline.clock import render_time
from thruline.errors import FormatError, Refused

TRANSITIONS = {ACTIVE: (PAUSED, DONE, CANCELLED), PAUSED: (ACTIVE, CANCELLED), DONE: (), CANCELLED: ()}
LONGEST_SLUG = 40


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop as it stands in its file. `session` is `harness:id`, empty for one that holds nobody."""

    id: str
    status: str
    iteration: int
    max_iterations: int
    promises: tuple[str, ...]
    until: str
    until_seconds: int
    source_packet_id: str
    session: str
    paused_by: str
    last_line: str
    created_at: str
    updated_at: str
    prompt: str
    document: Document

    @property
    def newer(self) -> bool:
        """Whether a later thruline wrote it; then it is read and never changed."""
        schema = self.document.get("schema")
        return isinstance(schema, int) and schema > SCHEMA


def render_loop(
    loop_id: str,
    moment: datetime,
    prompt: str,
    *,
    session: str = "",
    promises: tuple[str, ...] = (),
    max_iterations: int = 0,
    until: str = "",
    until_seconds: int = UNTIL_SECONDS,
    source_packet_id: str = "",
) -> bytes:
    """A new loop, active; its prompt stands in a fence that it cannot close."""
    now = render_time(moment)
    document = parse_document(b"", loop_id + ".md")
    fields: dict[str, str | int | list[str] | None] = {
        "schema": SCHEMA,
        "id": loop_id,
        "created_at": now,
        "updated_at": now,
        "status": ACTIVE,
        "iteration": 0,
        "max_iterations": max_iterations,
        "completion_promise": list(promises) if len(promises) != 1 else promises[0],
        "until": until or None,
        "until_seconds": until_seconds,
        "source_packet_id": source_packet_id or None,
        "session": session or None,
        "paused_by": None,
        "last_line": None,
    }
    for key, value in fields.items():
        document = document.set(key, value)
    body = f"\n## {PROMPT}\n{render_fenced(prompt)}\n\n## {NOTES}\n"
    return document.render() + body.encode("utf-8", "replace")


def render_fenced(prompt: str) -> str:
    """The prompt in a fence of more backticks than it holds, to the byte."""
    longest = max((len(run) for run in re.findall(r"`+", prompt)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{prompt}\n{fence}"


def parse_loop(data: bytes, path: str) -> Loop:
    """The loop in a file; FormatError where what every loop has is missing."""
    document = parse_document(data, path)
    text = document.read_section(PROMPT, 2)
    status = document.get("status")
    for what, missing in (("id", not document.get("id")), ("status", not status), (PROMPT, not text)):
        if missing:
            raise FormatError(f'The loop has no "{what}".', path=path, line=1, next="add it, or cancel the loop")
    if status not in STATUSES:
        raise FormatError(f'"{status}" is no status of a loop.', path=path, next=f"one of {', '.join(STATUSES)}")
    return Loop(
        id=str(document.get("id")),
        status=str(status),
        iteration=read_count(document, "iteration"),
        max_iterations=read_count(document, "max_iterations"),
        promises=tuple(list_promises(document)),
        until=_text(document, "until"),
        until_seconds=read_count(document, "until_seconds") or UNTIL_SECONDS,
        source_packet_id=_text(document, "source_packet_id"),
        session=_text(document, "session"),
        paused_by=_text(document, "paused_by"),
        last_line=_text(document, "last_line"),
        created_at=_text(document, "created_at"),
        updated_at=_text(document, "updated_at"),
        prompt=read_prompt(document),
        document=document,
    )


def change_status(loop: Loop, status: str, moment: datetime, *, by: str = "") -> bytes:
    """The file with another status; Refused where the one may not follow the other."""
    check_writable(loop)
    if status not in TRANSITIONS[loop.status]:
        allowed = " or ".join(TRANSITIONS[loop.status])
        raise Refused(
            f'A loop that is "{loop.status}" cannot become "{status}".',
            where=loop.document.path,
            next=f"from here it can become {allowed}" if allowed else "start a new one",
        )
    document = loop.document.set("status", status).set("paused_by", by or None)
    return document.set("updated_at", render_time(moment)).render()


def check_writable(loop: Loop) -> None:
    """Refused where a later thruline wrote the file: it is read, and never changed."""
    if loop.newer:
        raise Refused("A newer thruline wrote this loop.", where=loop.document.path, next="upgrade thruline")


def check_known(loop: Loop) -> None:
    """Refused where nobody can tell how the loop goes on, or for how long: then no session is held by it."""
    check_writable(loop)
    if loop.document.get("schema") != SCHEMA:
        raise Refused(
            'The loop\'s file has no "schema" that we know.',
            where=loop.document.path,
            next=f"write schema: {SCHEMA} above its id, or cancel the loop",
        )
    if not is_limit_known(loop.document):
        raise Refused(
            f'"{loop.document.get("max_iterations")}" is no number of iterations.',
            where=loop.document.path,
            next="write a number under max_iterations, 0 for no limit",
        )


def _text(document: Document, key: str) -> str:
    value = document.get(key)
    return value if isinstance(value, str) else ""
