"""What the first record of a rollout tells, and its last ones, without reading what lies between."""

import os

from thruline.harnesses.codex.reader.words import client_kind, plain_text, take_words
from thruline.harnesses.text import one_line
from thruline.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HEAD = 64 << 10
_TAIL = 64 << 10
# The first record holds the client's instructions, some 20 KB; with a long instruction file it holds more.
_FIRST = 1 << 20


def read_head(path: str) -> "dict[str, str]":
    """What the first and last records tell: session_id, cwd, version, branch, title, first_prompt; absent if not told.

    A subagent's rollout also has `parent`, the thread that started it.
    """
    try:
        with open(path, "rb") as file:
            first = file.readline(_FIRST)
            head = file.read(_HEAD)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(len(first) + len(head), size - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return {}
    meta = _meta_of(first)
    found: dict[str, str] = {}
    git = meta.get("git")
    branch = git.get("branch") if isinstance(git, dict) else None
    for name, value in (
        ("session_id", meta.get("id")),
        ("cwd", meta.get("cwd")),
        ("version", meta.get("cli_version")),
        ("branch", branch),
        ("parent", parent_of(meta)),
    ):
        if isinstance(value, str) and value:
            found[name] = value
    for payload in _events(head):
        if "first_prompt" not in found:
            words = take_words(_prompt(payload))
            if words and not client_kind(words):
                found["first_prompt"] = one_line(words, 120)
        _note_title(found, payload)
    for payload in _events(tail):
        _note_title(found, payload)
    return found


def _prompt(payload: "dict[str, Any]") -> str:
    if payload.get("type") == "user_message":
        return plain_text(payload.get("message"))
    item = payload.get("item")
    if isinstance(item, dict) and item.get("type") == "UserMessage":
        return plain_text(item.get("content"), "")
    return ""


def _note_title(found: "dict[str, str]", payload: "dict[str, Any]") -> None:
    title = payload.get("thread_name")
    if payload.get("type") == "thread_name_updated" and isinstance(title, str) and title:
        found["title"] = title


def _events(raw: bytes) -> "Iterator[dict[str, Any]]":
    for line in raw.split(b"\n"):
        if b'"event_msg"' in line[:200]:
            payload = _decode(line).get("payload")
            if isinstance(payload, dict):
                yield payload


def read_meta(path: str) -> "dict[str, Any]":
    """The first record, which says whose rollout this is; {} where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return _meta_of(file.readline(_FIRST))
    except OSError:
        return {}


def _meta_of(line: bytes) -> "dict[str, Any]":
    record = _decode(line.strip(b"\x00\xef\xbb\xbf \t\r\n"))
    payload = record.get("payload")
    return payload if record.get("type") == "session_meta" and isinstance(payload, dict) else {}


def _decode(line: bytes) -> "dict[str, Any]":
    try:
        value, _ = scan(line.decode("utf-8", "replace"), 0)
    except (ValueError, RecursionError, StopIteration):  # the last: there is no value at all
        return {}  # the first or last line of a piece is often cut
    return value if isinstance(value, dict) else {}


def parent_of(meta: "dict[str, Any]") -> str:
    """The thread that started this one as a subagent."""
    told = meta.get("parent_thread_id")
    if not isinstance(told, str):
        source = meta.get("source")
        source = source.get("subagent") if isinstance(source, dict) else None
        source = source.get("thread_spawn") if isinstance(source, dict) else None
        told = source.get("parent_thread_id") if isinstance(source, dict) else None
    return told if isinstance(told, str) else ""
