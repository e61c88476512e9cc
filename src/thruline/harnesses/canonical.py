"""Our own JSON lines for sessions whose client keeps them in a database: docs/formats/canonical.md.

One line is one record of the store, in the order of the conversation, so `L<n>` means the same in the database, in an
export of it, in a copy and in the ark. The first line says besides what this is and which session.
"""

import json

from thruline.session.parts import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

SCHEMA = 1


def render_lines(harness: str, session: "dict[str, Any]", records: "Iterable[dict[str, Any]]") -> "Iterator[bytes]":
    """The lines of a session."""
    head = _render({"canonical": SCHEMA, "harness": harness, "session": session})
    first = True
    for record in records:
        text = _render(record)
        if first:
            text = head[:-1] + b"," + text[1:] if record else head
        yield text + b"\n"
        first = False
    if first:
        yield head + b"\n"


def _render(value: "dict[str, Any]") -> bytes:
    # What no file can hold, half of a surrogate pair, stays the escape that it was.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def is_canonical(head: bytes, harness: str) -> bool:
    """Whether a file that begins with `head` is a session of that harness in this form."""
    start = head[:200].lstrip(b"\x00\xef\xbb\xbf \t\r\n")
    return start.startswith(b'{"canonical":') and b'"harness":"%s"' % harness.encode() in start


def check_schema(record: "dict[str, Any]", path: str, line: int) -> "Problem | None":
    """What is told where the file's version is newer than this program."""
    schema = record.get("canonical")
    if not isinstance(schema, int) or schema <= SCHEMA:
        return None
    what = f"a newer thruline wrote this file (schema {schema}, known is {SCHEMA}): some of it may be missing here"
    return Problem(path, line, "schema", what)
