"""Sessions that are no file of lines: places in the database, and the documents that the client exports.

A session of the database is named by a path below the database's file, `opencode.db/<session id>.jsonl`. No such file
can exist, and written out into a folder of that name it is one.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from typing import Any

from thruline.errors import DiskError, FormatError, NotFound
from thruline.harnesses.canonical import render_lines
from thruline.harnesses.folders import stem_of
from thruline.harnesses.opencode.database import open_database
from thruline.harnesses.opencode.find import NAME, build_place, is_database_name
from thruline.harnesses.opencode.rows import (
    count_unread,
    find_descendants,
    read_messages,
    read_session,
    read_sessions,
    read_stamp,
)
from thruline.session.found import Found

_KEPT = ("id", "parentID", "projectID", "slug", "directory", "title", "version", "revert")


def split_place(path: str) -> tuple[str, str]:
    """(database, session id) of a place in a database; ("", "") for any other path."""
    database, name = os.path.split(path)
    if name.endswith(".jsonl") and is_database_name(database) and os.path.isfile(database):
        return database, stem_of(name)
    return "", ""


def is_stored(path: str) -> bool:
    """Whether the session at `path` must be written out as lines before it can be read."""
    return bool(split_place(path)[0]) or path.endswith(".json")


def is_there(path: str) -> bool:
    """Whether the client still has the session of that place."""
    database, session_id = split_place(path)
    if not database:
        return os.path.lexists(path)
    with open_database(database) as db:
        return read_session(db, session_id) is not None


def read_lines(path: str) -> Iterator[bytes]:
    """The session as canonical JSON lines."""
    database, session_id = split_place(path)
    if not database:
        yield from _read_export(path)
        return
    with open_database(database) as db:
        session = read_session(db, session_id)
        if session is None:
            read_sessions(db)  # lists name a database that they cannot read by itself: here it is told why
            raise NotFound(
                f'The database has no session "{session_id}".', where=database, next="thruline sessions list"
            )
        unread = count_unread(db, session_id)
        messages = read_messages(db, session_id)
        first = next(messages, None)
        if first is None:
            # Nothing where messages were, and something where they may come to be: that is no empty session.
            yield from render_lines(NAME, session | ({"unread": unread} if unread else {}), ())
            return
        yield from render_lines(NAME, session, _chain(first, messages))


def _chain(first: dict[str, Any], rest: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield first
    yield from rest


def _read_export(path: str) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            document = json.loads(file.read().decode("utf-8", "replace"))
    except OSError as error:
        raise DiskError(
            f"Cannot read the export: {error.strerror}.", where=path, next="check its permissions"
        ) from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise FormatError(
            "The export is no JSON document, or only a part of one.", path=path, line=line, next="export it again"
        ) from None
    info = document.get("info") if isinstance(document, dict) else None
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(info, dict) or not isinstance(messages, list):
        raise FormatError("This is no export of a session.", path=path, next="let the client export it again")
    session = {name: info[name] for name in _KEPT if info.get(name) is not None}
    time = info.get("time")
    if isinstance(time, dict) and "created" in time:
        session["time"] = {"created": time["created"]}
    yield from render_lines(NAME, session, (each if isinstance(each, dict) else {} for each in messages))


def find_children(path: str) -> list[Found]:
    """The places of the subagents' sessions; none for an export, which holds one session alone."""
    database, session_id = split_place(path)
    if not database:
        return []
    with open_database(database) as db:
        return [_describe(db, database, each, "subagent") for each in find_descendants(db, session_id)]


def describe(path: str) -> Found:
    """The session of a place in the database, as a list of all would have it."""
    database, session_id = split_place(path)
    with open_database(database) as db:
        return _describe(db, database, session_id, "session")


def _describe(db: sqlite3.Connection, database: str, session_id: str, kind: str) -> Found:
    updated, size = read_stamp(db, session_id)
    return Found(build_place(database, session_id), session_id, size, updated / 1000, kind)
