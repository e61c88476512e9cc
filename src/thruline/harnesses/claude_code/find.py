"""Where this client keeps its transcripts, and how to know one.

A session belongs to a project by the folder recorded inside (`read_head`), never by the name of the directory it lies
in: that name is the project's path with every character but letters and digits turned into a dash.
What opens a transcript is imported where it is used: every list of sessions imports this module, and opens none.
"""

import os

from thruline.harnesses.folders import describe_closed, describe_file, find_files, is_folder, list_folder, stem_of
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Keys of the first records: enough of them together are written by no other client.
_MARKS = (b'"sessionId"', b'"parentUuid"', b'"isSidechain"', b'"leafUuid"', b'"userType"', b'"permissionMode"')
_FOREIGN = (b'"payload"', b'"session_meta"')
# A client that took over this one's chain of records, but keeps a message in parts.
_COUSIN = (b'"parts"', b'"systemPayload"')
_TIME = 48  # bytes that the time of a record takes, its name included


def find_homes(env: "dict[str, str]", home: str) -> "list[str]":
    """The client's configuration folders: the one of its variable (several, separated like PATH), else the default."""
    told = env.get("CLAUDE_CONFIG_DIR", "")
    # The client itself takes one folder, as it stands; a comma is what usage tools accept for several accounts.
    homes = [path for piece in _split(told, os.pathsep) for path in _split(piece, ",")]
    if homes:
        return list(dict.fromkeys(homes))
    config = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return [os.path.join(home, ".claude"), os.path.join(config, "claude")]


def _split(told: str, separator: str) -> "list[str]":
    """The folders in `told`; one that is there under that very name is not taken apart."""
    whole = os.path.expanduser(told)
    if separator in told and not os.path.isdir(whole):
        return [os.path.expanduser(part.strip()) for part in told.split(separator) if part.strip()]
    return [whole.strip()] if whole.strip() else []


def find_transcripts(env: "dict[str, str]", home: str) -> "Iterator[Found]":
    """Every transcript file of every project, subagents too, from directory listings alone."""
    closed: list[str] = []
    for config in find_homes(env, home):
        for project in list_folder(os.path.join(config, "projects"), closed):
            if is_folder(project):
                yield from _find_in(project.path, closed)
    yield from describe_closed(closed)


def _find_in(folder: str, closed: "list[str]") -> "Iterator[Found]":
    for entry in list_folder(folder, closed):
        name = entry.name
        if name.endswith(".jsonl"):
            # Spelled out: this runs for every session there is, each time that they are listed.
            found = describe_file(entry.path, name[:-6], "subagent" if name.startswith("agent-") else "session")
            if found is not None:
                yield found
        elif is_folder(entry):
            for file in find_files(os.path.join(entry.path, "subagents"), "agent-"):
                yield from _describe(file, entry.name, "subagent")


def _describe(entry: "os.DirEntry[str]", session_id: str, kind: str) -> "list[Found]":
    found = describe_file(entry.path, session_id, kind)
    return [found] if found is not None else []


def session_id_of(path: str) -> str:
    """The session's id, which is the file's name."""
    return stem_of(path)


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
    from thruline.harnesses.claude_code.tasklist import find_folder

    folder, stem = os.path.dirname(path), stem_of(path)
    found: list[Found] = []
    for place in (os.path.join(folder, stem, "subagents"), folder):
        for entry in find_files(place, "agent-"):
            session_id, born = _read_first(entry.path)
            for one in _describe(entry, stem, "subagent") if session_id == stem or place != folder else ():
                one.born = born
                found.append(one)
    tasks = find_folder(path)
    for entry in find_files(tasks, end=".json") if tasks else ():
        found += _describe(entry, stem, "tasks")
    return sorted(found, key=lambda one: (one.kind, one.path))


def _read_first(path: str) -> "tuple[str, str]":
    """The session and the time of a subagent's first record."""
    # A folder may hold thousands of subagents, so as little is read as tells both: in many versions the time stands
    # behind the task, which may be long.
    try:
        with open(path, "rb") as file:
            head = file.read(4 << 10)
            while b"\n" not in head and b'"timestamp":"' not in head[:-_TIME] and (more := file.read(len(head))):
                head += more
    except OSError:
        return "", ""
    return _value_of(head, b'"sessionId":"'), _value_of(head, b'"timestamp":"')


def _value_of(head: bytes, mark: bytes) -> str:
    begin = head.find(mark) + len(mark)
    end = head.find(b'"', begin)
    return head[begin:end].decode("ascii", "replace") if begin >= len(mark) and end > 0 else ""


def read_head(path: str) -> "dict[str, str]":
    """What the first and last 64 KB tell: session_id, cwd, version, branch, title, first_prompt; absent if not told."""
    from thruline.harnesses.claude_code import head

    return head.read_head(path)
