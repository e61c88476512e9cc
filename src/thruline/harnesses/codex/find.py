"""Where this client keeps its rollouts, and how to know one.

Their place tells the day, never the project: the folder a session ran in stands in its first record (`read_head`).
"""

import json
import os

from thruline.harnesses.codex.reader.words import client_kind, plain_text, take_words
from thruline.harnesses.codex.threads import find_thread, home_of, thread_of
from thruline.harnesses.folders import describe_file, find_files, is_folder, list_folder, stem_of
from thruline.harnesses.text import one_line
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HEAD = 64 << 10
_TAIL = 64 << 10
# The first record holds the client's instructions, some 20 KB; with a long instruction file it holds more.
_FIRST = 1 << 20
_SCAN = json.JSONDecoder(strict=False)


def find_homes(env: "dict[str, str]", home: str) -> "list[str]":
    """The client's folder: the one of its variable, else the default."""
    told = env.get("CODEX_HOME", "").strip()
    return [os.path.expanduser(told)] if told else [os.path.join(home, ".codex")]


def find_transcripts(env: "dict[str, str]", home: str) -> "Iterator[Found]":
    """Every rollout, from directory listings alone. A subagent's cannot be told apart without opening it."""
    for folder in find_homes(env, home):
        for year in _folders(os.path.join(folder, "sessions")):
            for month in _folders(year):
                for day in _folders(month):
                    yield from _find_in(day)
        yield from _find_in(os.path.join(folder, "archived_sessions"))


def _find_in(folder: str) -> "Iterator[Found]":
    for entry in find_files(folder, "rollout-"):
        found = _describe(entry.path, "session")
        if found is not None:
            yield found


def _folders(folder: str) -> "list[str]":
    return sorted([entry.path for entry in list_folder(folder) if entry.name.isdecimal() and is_folder(entry)])


def _describe(path: str, kind: str, until: int = 0) -> "Found | None":
    return describe_file(path, session_id_of(path), kind, until)


def session_id_of(path: str) -> str:
    """The thread's id, which ends the file's name; the whole name where it does not."""
    return thread_of(path) or stem_of(path)


def recognise(path: str, head: bytes) -> bool:
    """Whether a file that begins with `head` is a rollout of this client."""
    line = head.lstrip(b"\x00\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    if not line.startswith(b"{"):
        return False
    start = line[:400].replace(b" ", b"")
    return b'"type":"session_meta"' in start and b'"payload":{' in start


def find_companions(path: str) -> "list[Found]":
    """The other files of the session at `path`: what it was forked from (kind `base`), and its subagents."""
    found: list[Found] = []
    at, known = path, {os.path.abspath(path)}
    while True:
        before, end = _base(_read_meta(at))
        at = find_thread(at, before) if before else ""
        one = _describe(at, "base", end) if at and at not in known else None
        if one is None:
            break
        known.add(at)
        found.insert(0, one)  # the oldest first: that is how the conversation went
    meta = _read_meta(path)
    thread = meta.get("id")
    if isinstance(thread, str) and not _parent(meta):
        found += sorted(_find_agents(path, thread), key=lambda one: one.path)
    return found


def _base(meta: "dict[str, Any]") -> "tuple[str, int]":
    base = meta.get("history_base")
    thread, end = (base.get("thread_id"), base.get("end_ordinal_exclusive")) if isinstance(base, dict) else ("", 0)
    return (thread, end) if isinstance(thread, str) and isinstance(end, int) else ("", 0)


def _parent(meta: "dict[str, Any]") -> str:
    """The thread that started this one as a subagent."""
    told = meta.get("parent_thread_id")
    if not isinstance(told, str):
        source = meta.get("source")
        source = source.get("subagent") if isinstance(source, dict) else None
        source = source.get("thread_spawn") if isinstance(source, dict) else None
        told = source.get("parent_thread_id") if isinstance(source, dict) else None
    return told if isinstance(told, str) else ""


def _find_agents(path: str, thread: str) -> "Iterator[Found]":
    """The rollouts of the subagents of `thread` and of theirs: younger files of the same and the following days."""
    home = home_of(path)
    folder = os.path.dirname(os.path.abspath(path))
    folders = [folder]
    if home:
        days = [
            day
            for year in _folders(os.path.join(home, "sessions"))
            for month in _folders(year)
            for day in _folders(month)
        ]
        later = [day for day in days if day > folder] if folder in days else days
        # A session lives for days, seldom for weeks; looking into every later file would open years of them.
        folders += [*later[:7], os.path.join(home, "archived_sessions")]
    family = {thread}
    for one in dict.fromkeys(folders):
        for entry in sorted(_find_in(one), key=lambda found: found.path):
            if entry.session_id < thread or entry.path == os.path.abspath(path):
                continue  # ids grow with time: no older thread can be its child
            if _mentions(entry.path, family):
                parent = _parent(_read_meta(entry.path))
                if parent in family:
                    family.add(entry.session_id)
                    entry.kind = "subagent"
                    yield entry


def _mentions(path: str, threads: "set[str]") -> bool:
    # The first bytes of a subagent's rollout name its parent; most files are another session's and need no decoding.
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 10)
    except OSError:
        return False
    return any(thread.encode() in head for thread in threads)


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
        ("parent", _parent(meta)),
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


def _read_meta(path: str) -> "dict[str, Any]":
    try:
        with open(path, "rb") as file:
            return _meta_of(file.readline(_FIRST))
    except OSError:
        return {}


def _meta_of(line: bytes) -> "dict[str, Any]":
    record = _decode(line.strip(b"\x00\xef\xbb\xbf \t\r\n"))
    payload = record.get("payload")
    return payload if record.get("type") == "session_meta" and isinstance(payload, dict) else {}


def _events(raw: bytes) -> "Iterator[dict[str, Any]]":
    for line in raw.split(b"\n"):
        if b'"event_msg"' in line[:200]:
            payload = _decode(line).get("payload")
            if isinstance(payload, dict):
                yield payload


def _decode(line: bytes) -> "dict[str, Any]":
    try:
        value, _ = _SCAN.raw_decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}  # the first or last line of a piece is often cut
    return value if isinstance(value, dict) else {}
