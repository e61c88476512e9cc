"""Where this client keeps its rollouts, and how to know one.

Their place tells the day, never the project: the folder a session ran in stands in its first record (`read_head`).
What opens a rollout is imported where it is used: every list of sessions imports this module, and opens none.
"""

import os

from thruline.harnesses.codex.threads import find_thread, home_of, thread_of
from thruline.harnesses.folders import describe_closed, describe_file, find_files, is_folder, list_folder, stem_of
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Newer versions compress rollouts that rest; a plain one beside it is the same.
_PACKED = ".zst"


def find_homes(env: "dict[str, str]", home: str) -> "list[str]":
    """The client's folder: the one of its variable, else the default."""
    told = env.get("CODEX_HOME", "").strip()
    return [os.path.expanduser(told)] if told else [os.path.join(home, ".codex")]


def find_transcripts(env: "dict[str, str]", home: str) -> "Iterator[Found]":
    """Every rollout, from directory listings alone. A subagent's cannot be told apart without opening it."""
    closed: list[str] = []
    for folder in find_homes(env, home):
        for year in _folders(os.path.join(folder, "sessions"), closed):
            for month in _folders(year, closed):
                for day in _folders(month, closed):
                    yield from _find_in(day, closed)
        yield from _find_in(os.path.join(folder, "archived_sessions"), closed)
    yield from describe_closed(closed)


def _find_in(folder: str, closed: "list[str] | None" = None) -> "Iterator[Found]":
    for entry in find_files(folder, "rollout-", (".jsonl", _PACKED), closed):
        packed = entry.name.endswith(_PACKED)
        found = _describe(entry.path, "packed" if packed else "session")
        if found is not None and not (packed and os.path.lexists(entry.path.removesuffix(_PACKED))):
            yield found


def _folders(folder: str, closed: "list[str] | None" = None) -> "list[str]":
    return sorted([entry.path for entry in list_folder(folder, closed) if entry.name.isdecimal() and is_folder(entry)])


def _describe(path: str, kind: str, until: int = 0) -> "Found | None":
    return describe_file(path, session_id_of(path), kind, until)


def session_id_of(path: str) -> str:
    """The thread's id, which ends the file's name; the whole name where it does not."""
    path = path.removesuffix(_PACKED)
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
    from thruline.harnesses.codex.head import parent_of, read_meta

    found = find_bases(path)
    meta = read_meta(path)
    thread = meta.get("id")
    if isinstance(thread, str) and not parent_of(meta):
        found += sorted(_find_agents(path, thread), key=lambda one: one.path)
    return found


def find_bases(path: str) -> "list[Found]":
    """What the session at `path` was forked from and does not repeat, the oldest first; no other rollout is opened."""
    from thruline.harnesses.codex.head import read_meta

    found: list[Found] = []
    at, known = path, {os.path.abspath(path)}
    while True:
        before, end = _base(read_meta(at))
        at = find_thread(at, before) if before else ""
        one = _describe(at, "base", end) if at and at not in known else None
        if one is None:
            break
        known.add(at)
        found.insert(0, one)  # that is how the conversation went
    return found


def _base(meta: "dict[str, Any]") -> "tuple[str, int]":
    base = meta.get("history_base")
    thread, end = (base.get("thread_id"), base.get("end_ordinal_exclusive")) if isinstance(base, dict) else ("", 0)
    return (thread, end) if isinstance(thread, str) and isinstance(end, int) else ("", 0)


def _find_agents(path: str, thread: str) -> "Iterator[Found]":
    """The rollouts of the subagents of `thread` and of theirs: younger files of the same and the following days."""
    from thruline.harnesses.codex.head import parent_of, read_meta

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
                parent = parent_of(read_meta(entry.path))
                if parent in family:
                    family.add(entry.session_id)
                    entry.kind = "subagent"
                    entry.born = entry.session_id
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
    from thruline.harnesses.codex import head

    return head.read_head(path)
