"""Where this client keeps its transcripts, and how to know one.

A session belongs to a project by the folder recorded inside (`read_head`), never by the name of the directory it lies
in: that name is the project's path with every character but letters and digits turned into a dash.
"""

import os

from thruline.harnesses.claude_code.tasklist import find_folder
from thruline.harnesses.claude_code.words import client_kind, human_text
from thruline.harnesses.jsonl import decode_records
from thruline.harnesses.text import one_line
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_HEAD = 64 << 10
_TAIL = 64 << 10

# Keys of the first records: enough of them together are written by no other client.
_MARKS = (b'"sessionId"', b'"parentUuid"', b'"isSidechain"', b'"leafUuid"', b'"userType"', b'"permissionMode"')
_FOREIGN = (b'"payload"', b'"session_meta"')
# A client that took over this one's chain of records, but keeps a message in parts.
_COUSIN = (b'"parts"', b'"systemPayload"')


def find_homes(env: "dict[str, str]", home: str) -> "list[str]":
    """The client's configuration folders: the one of its variable (several, separated like PATH), else the default."""
    told = env.get("CLAUDE_CONFIG_DIR", "")
    # A comma is what usage tools accept for several accounts; the client itself takes one folder.
    homes = [os.path.expanduser(part.strip()) for piece in told.split(os.pathsep) for part in piece.split(",")]
    homes = [path for path in homes if path]
    if homes:
        return list(dict.fromkeys(homes))
    config = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return [os.path.join(home, ".claude"), os.path.join(config, "claude")]


def find_transcripts(env: "dict[str, str]", home: str) -> "Iterator[Found]":
    """Every transcript file of every project, subagents too, from directory listings alone."""
    for config in find_homes(env, home):
        for project in _list(os.path.join(config, "projects")):
            if _is_folder(project):
                yield from _find_in(project.path)


def _find_in(folder: str) -> "Iterator[Found]":
    for entry in _list(folder):
        if entry.name.endswith(".jsonl"):
            found = _found(entry, "subagent" if entry.name.startswith("agent-") else "session")
            if found is not None:
                yield found
        elif _is_folder(entry):
            for file in _list(os.path.join(entry.path, "subagents")):
                if file.name.startswith("agent-") and file.name.endswith(".jsonl"):
                    found = _found(file, "subagent")
                    if found is not None:
                        found.session_id = entry.name
                        yield found


def _list(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []  # not there, or not ours to read: nothing to find


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _found(entry: "os.DirEntry[str]", kind: str) -> "Found | None":
    try:
        if not entry.is_file():
            return None
        status = entry.stat()
    except OSError:
        return None
    return Found(entry.path, entry.name.removesuffix(".jsonl"), status.st_size, status.st_mtime, kind)


def session_id_of(path: str) -> str:
    """The session's id, which is the file's name."""
    return os.path.basename(path).removesuffix(".jsonl")


def recognise(path: str, head: bytes) -> bool:
    """Whether a file that begins with `head` is a transcript of this client."""
    line = head.lstrip(b"\x00\xef\xbb\xbf \t\r\n")
    if not line.startswith(b"{"):
        return False
    first = line.split(b"\n", 1)[0]
    if any(mark in first for mark in _FOREIGN):
        return False
    if b'"isSidechain"' not in head and any(mark in head for mark in _COUSIN):
        return False
    if b'"type":"summary"' in first.replace(b" ", b"") and b'"leafUuid"' in first:
        return True
    if b'"sessionId"' not in head:
        return b'"type":"file-history-snapshot"' in first.replace(b" ", b"")
    return b'"type"' in head and (sum(mark in head for mark in _MARKS) >= 2 or b'"queue-operation"' in head)


def find_companions(path: str) -> "list[Found]":
    """The other files of the session at `path`: subagents beside and below it, and its task list (kind `tasks`)."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    found: list[Found] = []
    for entry in _list(os.path.join(folder, stem, "subagents")):
        if entry.name.startswith("agent-") and entry.name.endswith(".jsonl"):
            _add(found, entry, "subagent", stem)
    for entry in _list(folder):
        if entry.name.startswith("agent-") and entry.name.endswith(".jsonl") and _session_of(entry.path) == stem:
            _add(found, entry, "subagent", stem)
    tasks = find_folder(path)
    for entry in _list(tasks) if tasks else []:
        if entry.name.endswith(".json"):
            _add(found, entry, "tasks", stem)
    return sorted(found, key=lambda one: (one.kind, one.path))


def _session_of(path: str) -> str:
    # A folder may hold thousands of subagents; the first record of each is enough.
    try:
        with open(path, "rb") as file:
            head = file.read(4 << 10)
    except OSError:
        return ""
    mark = b'"sessionId":"'
    begin = head.find(mark) + len(mark)
    end = head.find(b'"', begin)
    return head[begin:end].decode("ascii", "replace") if begin >= len(mark) and end > 0 else ""


def _add(found: "list[Found]", entry: "os.DirEntry[str]", kind: str, session_id: str) -> None:
    one = _found(entry, kind)
    if one is not None:
        one.session_id = session_id
        found.append(one)


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
