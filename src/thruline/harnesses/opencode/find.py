"""Where this client keeps its sessions, and how to know one.

They are rows of a database; `store` says how a row is named by a path. Files are exports that a person made, and our
own lines: out of the ark, or written out to be read.
"""

import os

from thruline.errors import Refused, ThrulineError
from thruline.harnesses.folders import describe_file, find_files, stem_of
from thruline.harnesses.opencode.words import find_title, is_typed
from thruline.harnesses.shapes import as_dict, as_list, as_text
from thruline.harnesses.text import one_line
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Every list of sessions comes through here, and most machines have no such database: what only one needs, SQLite
# above all, is imported where it is used.
NAME = "opencode"
_MAGIC = b"SQLite format 3\0"
_HEAD = 1 << 20
_MARKS = (b'"messages"', b'"projectID"', b'"directory"', b'"sessionID"')


def find_databases(env: "dict[str, str]", home: str) -> "list[str]":
    """The client's databases: the one its variable names, and those of its folder."""
    folder = os.path.join(env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "opencode")
    named = env.get("OPENCODE_DB", "")
    told = [os.path.join(folder, named)] if named and not named.startswith(":") else []
    here = sorted(entry.path for entry in find_files(folder, "opencode", ".db"))
    return [path for path in dict.fromkeys([*told, *here]) if is_database_name(path) and os.path.isfile(path)]


def find_transcripts(env: "dict[str, str]", home: str) -> "Iterator[Found]":
    """Every session of every database, subagents' too: which is one is told inside.

    A database that cannot be read is in the list under its own name, so that whoever reads on hears why.
    """
    databases = find_databases(env, home)
    if not databases:
        return
    from thruline.harnesses.opencode.database import open_database
    from thruline.harnesses.opencode.rows import read_sessions

    for path in databases:
        try:
            with open_database(path) as db:
                rows = read_sessions(db)
        except ThrulineError:
            name = os.path.basename(path).removesuffix(".db")
            status = os.stat(path)
            yield Found(build_place(path, name), name, status.st_size, status.st_mtime)
            continue
        sizes = _Sizes(path)
        for session_id, updated in rows:
            yield _Place(build_place(path, session_id), session_id, updated / 1000, sizes)


class _Sizes:
    """How large the sessions of a database are, counted when that is first asked."""

    __slots__ = ("_database", "_found")

    def __init__(self, database: str) -> None:
        self._database = database
        self._found: dict[str, int] | None = None

    def find(self, session_id: str) -> int:
        """The bytes of one; 0 where the database cannot be read any more."""
        from thruline.harnesses.opencode.database import open_database
        from thruline.harnesses.opencode.rows import read_sizes

        if self._found is None:
            try:
                with open_database(self._database) as db:
                    self._found = read_sizes(db)
            except ThrulineError:
                self._found = {}
        return self._found.get(session_id, 0)


class _Place(Found):
    """A session of a database. Its size costs a pass over all of them, and who looks for an id does not ask it."""

    __slots__ = ("_sizes",)

    def __init__(self, path: str, session_id: str, mtime: float, sizes: _Sizes) -> None:
        self._sizes = sizes
        self.path = path
        self.session_id = session_id
        self.mtime = mtime
        self.kind = "session"
        self.until = 0

    @property
    def size(self) -> int:  # type: ignore[override]
        return self._sizes.find(self.session_id)


def is_database_name(path: str) -> bool:
    """Whether the client names its databases so: one for each of its channels."""
    name = os.path.basename(path)
    return name.startswith("opencode") and name.endswith(".db")


def build_place(database: str, session_id: str) -> str:
    """The path that names a session of the database."""
    return os.path.join(database, session_id + ".jsonl")


def session_id_of(path: str) -> str:
    """The session's id: the name of the file, or of the place in the database, without its ending."""
    return stem_of(path).removesuffix(".json")


def recognise(path: str, head: bytes) -> bool:
    """Whether a file that begins with `head` is a session of this client: our lines, or an export."""
    if head.startswith(_MAGIC) and is_database_name(path):
        raise Refused(
            "A database is not one session.", where=path, next="thruline sessions list --all, then give a session's id"
        )
    from thruline.harnesses.canonical import is_canonical

    if is_canonical(head, NAME):
        return True
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{") or not start[1:].lstrip().startswith(b'"info"'):
        return False
    return sum(mark in head for mark in _MARKS) >= 2


def find_companions(path: str) -> "list[Found]":
    """The sessions of its subagents: in the database, or in files beside it that say so."""
    from thruline.harnesses.opencode.store import find_children, is_stored

    if is_stored(path):
        return find_children(path)
    family = {stem_of(path)}
    firsts = {entry.path: _read_session(entry.path) for entry in find_files(os.path.dirname(path))}
    found: list[Found] = []
    while fresh := [each for each in sorted(firsts) if as_text(firsts[each].get("parentID")) in family]:
        for each in fresh:
            created = as_dict(firsts.pop(each).get("time")).get("created")
            family.add(stem_of(each))
            one = describe_file(each, stem_of(each), "subagent")
            if one is not None and each != path:
                one.born = f"{created:020.3f}" if isinstance(created, int | float) else ""  # ids count down
                found.append(one)
    return sorted(found, key=lambda one: one.path)


def _read_session(path: str) -> "dict[str, Any]":
    return as_dict(next(_read_records(path), {}).get("session"))


def read_head(path: str) -> "dict[str, str]":
    """What the first records tell: session_id, cwd, version, title, first_prompt, parent; absent if not told."""
    found: dict[str, str] = {}
    for record in _read_records(path):
        session = as_dict(record.get("session"))
        for name, field in (("session_id", "id"), ("cwd", "directory"), ("version", "version"), ("parent", "parentID")):
            if as_text(session.get(field)):
                found[name] = session[field]
        if find_title(session):
            found["title"] = find_title(session)
        prompt = _find_prompt(record)
        if prompt:
            found["first_prompt"] = one_line(prompt, 120)
            break
    return found


def _find_prompt(record: "dict[str, Any]") -> str:
    if as_dict(record.get("info")).get("role") != "user":
        return ""
    return next((part["text"] for part in as_list(record.get("parts")) if is_typed(part)), "")


def _read_records(path: str) -> "Iterator[dict[str, Any]]":
    """The first records of a session, wherever it is; none where it cannot be read."""
    from thruline.harnesses.jsonl import decode_records
    from thruline.harnesses.opencode.store import is_stored, read_lines

    try:
        if is_stored(path):
            lines: Iterator[bytes] = read_lines(path)
        else:
            with open(path, "rb") as file:
                lines = iter(file.read(_HEAD).splitlines(keepends=True))
        for _, line in zip(range(16), lines, strict=False):
            yield from decode_records(line, path, 0, [])
    except (OSError, ThrulineError):
        return
