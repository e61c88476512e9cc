"""Databases as the client makes them, filled with the sessions of our samples."""

import json
import sqlite3
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CART = HERE / "samples" / "cart.jsonl"
REVIEW = HERE / "relatives" / "review.jsonl"
CART_ID = "ses_4f1c0a9b2ffeQ7hYx3LmTzWk5d"
REVIEW_ID = "ses_4f1c0a1d7ffeB2nVc8RsPqXy6e"

TABLES = """
create table session (
  id text primary key, project_id text not null, parent_id text, slug text not null, directory text not null,
  title text not null, version text not null, revert text, time_created integer not null, time_updated integer not null
);
create table message (
  id text primary key, session_id text not null, time_created integer not null, time_updated integer not null,
  data text not null
);
create index message_session_time_created_id_idx on message (session_id, time_created, id);
create table part (
  id text primary key, message_id text not null, session_id text not null, time_created integer not null,
  time_updated integer not null, data text not null
);
create index part_message_id_id_idx on part (message_id, id);
create index part_session_idx on part (session_id);
create table credential (id text primary key, value text not null);
insert into credential values ('one', 'a-secret-of-the-client');
"""


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records of a sample."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def make_database(path: Path, *samples: Path) -> Path:
    """A database in write-ahead mode with the sessions of these samples, closed as a client closes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    db.execute("pragma journal_mode=wal")
    db.executescript(TABLES)
    for sample in samples:
        put_session(db, read_records(sample))
    db.commit()
    db.close()
    return path


def put_session(db: sqlite3.Connection, records: list[dict[str, Any]]) -> None:
    """The rows of one session."""
    info = records[0]["session"]
    times = [record["info"]["time"]["created"] for record in records if "info" in record]
    columns = ("id", "projectID", "parentID", "slug", "directory", "title", "version")
    moments = (info["time"]["created"], max(times, default=0))
    db.execute(
        "insert into session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)"
        " values (?,?,?,?,?,?,?,?,?)",
        [*(info.get(name) for name in columns), *moments],
    )
    for record in records:
        if "info" in record:
            put_message(db, record)


def put_message(db: sqlite3.Connection, record: dict[str, Any]) -> None:
    """The rows of one message and its parts: what has a column of its own is not in their JSON."""
    message = {name: value for name, value in record["info"].items() if name not in ("id", "sessionID")}
    name, session, made = record["info"]["id"], record["info"]["sessionID"], message["time"]["created"]
    db.execute("insert into message values (?,?,?,?,?)", [name, session, made, made, _dump(message)])
    for part in record["parts"]:
        data = {key: value for key, value in part.items() if key not in ("id", "messageID", "sessionID")}
        db.execute("insert into part values (?,?,?,?,?,?)", [part["id"], name, session, made, made, _dump(data)])


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_export(path: Path, sample: Path) -> Path:
    """The session of a sample as the client exports it: one document."""
    records = read_records(sample)
    messages = [{"info": record["info"], "parts": record["parts"]} for record in records]
    path.write_text(json.dumps({"info": records[0]["session"], "messages": messages}, indent=2, ensure_ascii=False))
    return path
