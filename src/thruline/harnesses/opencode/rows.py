"""The rows of one session, of those three tables that hold conversations and no others: some hold credentials."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

# What a part's row holds is not looked at here: most of a database is parts.
_SESSIONS = """
select s.id, max(s.time_updated, coalesce(m.updated, 0)) from session s
left join (select session_id, max(time_updated) updated from message group by session_id) m on m.session_id = s.id
"""
_SIZES = """
select session_id, sum(bytes) from (
  select session_id, sum(length(cast(data as blob))) bytes from message group by session_id
  union all select session_id, sum(length(cast(data as blob))) bytes from part group by session_id
) group by session_id
"""
_SESSION = (
    "select id, parent_id, project_id, slug, directory, title, version, time_created, revert from session where id = ?"
)
_STAMP = "select max(time_updated), sum(length(cast(data as blob))) from {} where session_id = ?"
_MESSAGES = "select id, data from message where session_id = ? order by time_created, id"
_PARTS = "select id, data from part where message_id = ? order by id"


def read_sessions(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """(id, when it was last changed, in milliseconds) of every session, subagents' too.

    An answer's message is written again behind its last part, so what its parts say of time is only asked for one
    session at a time (`read_stamp`).
    """
    db.execute("select data from part limit 0")
    return [(session_id, _as_time(updated)) for session_id, updated in db.execute(_SESSIONS) if is_id(session_id)]


def is_id(value: object) -> bool:
    """Whether a column's value can be a session's id, and a file's name. The client makes no others."""
    return isinstance(value, str) and value.strip(".") != "" and not set(value) & set("/\\\0")


def _as_time(value: object) -> int:
    # A column of this database holds what somebody put there, whatever its type says.
    return int(value) if isinstance(value, int | float) else 0


def read_sizes(db: sqlite3.Connection) -> dict[str, int]:
    """The bytes of each session's messages and their parts: a pass over the whole database."""
    return dict(db.execute(_SIZES).fetchall())


def find_descendants(db: sqlite3.Connection, session_id: str) -> list[str]:
    """The sessions that this one started as subagents, and theirs, oldest first."""
    children: dict[str, list[str]] = {}
    for child, parent in db.execute("select id, parent_id from session where parent_id is not null order by id"):
        children.setdefault(parent, []).append(child)
    found: list[str] = []
    waiting = [session_id]
    while waiting:
        fresh = [each for each in children.pop(waiting.pop(0), []) if each != session_id and is_id(each)]
        found += fresh
        waiting += fresh
    return found


def read_stamp(db: sqlite3.Connection, session_id: str) -> tuple[int, int]:
    """(when any row of it was last changed, in milliseconds; bytes) of one session."""
    updated, size = [], 0
    for table in ("message", "part"):
        found = db.execute(_STAMP.format(table), [session_id]).fetchone()
        updated.append(_as_time(found[0]))
        size += found[1] or 0
    own = db.execute("select time_updated from session where id = ?", [session_id]).fetchone()
    return max(*updated, _as_time(own[0]) if own else 0), size


def read_session(db: sqlite3.Connection, session_id: str) -> dict[str, Any] | None:
    """What is known of the session as a whole and does not change with every turn; None where it is not there."""
    row = db.execute(_SESSION, [session_id]).fetchone()
    if row is None:
        return None
    names = ("id", "parentID", "projectID", "slug", "directory", "title", "version")
    found: dict[str, Any] = {name: value for name, value in zip(names, row, strict=False) if value is not None}
    found["time"] = {"created": row[7]}
    if row[8]:
        found["revert"] = parse_data(row[8])
    return found


def read_messages(db: sqlite3.Connection, session_id: str) -> Iterator[dict[str, Any]]:
    """The messages in the order of the conversation, each with its parts, in the form that the client exports."""
    # A cursor of its own for the parts: the outer one goes on meanwhile.
    for message_id, data in db.execute(_MESSAGES, [session_id]):
        parts = [
            {**parse_data(text), "id": part_id, "messageID": message_id}
            for part_id, text in db.cursor().execute(_PARTS, [message_id])
        ]
        yield {"info": {**parse_data(data), "id": message_id, "sessionID": session_id}, "parts": parts}


def count_unread(db: sqlite3.Connection, session_id: str) -> int:
    """How many messages of the session stand in the table that a coming version of the client writes instead."""
    try:
        found = db.execute("select count(*) from session_message where session_id = ?", [session_id]).fetchone()
    except sqlite3.OperationalError:
        return 0  # an older version, which has no such table
    return int(found[0])


def parse_data(text: Any) -> dict[str, Any]:
    """The object of a column; one that is no JSON comes as its text, under a type that no client gives."""
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"type": "unreadable", "text": str(text)}
