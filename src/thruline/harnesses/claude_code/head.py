"""What the beginning and the end of a transcript tell, without reading what lies between."""

import os

from thruline.harnesses.claude_code.words import client_kind, human_text
from thruline.harnesses.jsonl import decode_records
from thruline.harnesses.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HEAD = 64 << 10
_TAIL = 64 << 10


def read_head(path: str) -> "dict[str, str]":
    """What the first and last 64 KB tell: session_id, cwd, version, branch, title, first_prompt; absent if not told."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(len(head), size - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return {}
    found: dict[str, str] = {}
    for record in _records(head):
        for field, name in _FIELDS:
            value = record.get(field)
            if isinstance(value, str) and value and name not in found:
                found[name] = value
        _note_title(found, record)
        if "first_prompt" not in found and record.get("type") == "user":
            message = record.get("message")
            text = human_text(message.get("content")) if isinstance(message, dict) else ""
            if text and record.get("isMeta") is not True and not client_kind(text):
                found["first_prompt"] = one_line(text, 120)
    for record in _records(tail):
        _note_title(found, record)
    found.pop("named", None)
    return found


_FIELDS = (("sessionId", "session_id"), ("cwd", "cwd"), ("version", "version"), ("gitBranch", "branch"))


def _note_title(found: "dict[str, str]", record: "dict[str, Any]") -> None:
    kind = record.get("type")
    if kind == "custom-title" and isinstance(record.get("customTitle"), str):
        found["title"] = record["customTitle"]
        found["named"] = "yes"
    elif kind == "ai-title" and isinstance(record.get("aiTitle"), str) and "named" not in found:
        found["title"] = record["aiTitle"]


def _records(raw: bytes) -> "Iterator[dict[str, Any]]":
    for line in raw.split(b"\n"):
        if line.startswith(b"{"):
            # The first or last line of a piece is often cut; that is no problem to tell here.
            yield from decode_records(line, "", 0, [])
