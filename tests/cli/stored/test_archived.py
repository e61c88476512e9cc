"""Sessions of a database in the ark: every pointer still opens, and versions are kept as the session changes."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.kept import ask, turn_on
from tests.harnesses.opencode.stores import (
    CART,
    CART_ID,
    REVIEW_ID,
    put_message,
    read_records,
    write_export,
)
from thruline.ark.store import Ark
from thruline.layout import find_user_paths


def read_everything(capsys: pytest.CaptureFixture[str], ref: str) -> list[str]:
    """What every command that reads a session says of it, and the record behind every pointer."""
    said = [
        ask(capsys, "sessions", "show", ref, "--json").replace('"in_ark_only": true', '"in_ark_only": false'),
        ask(capsys, "sessions", "spine", ref),
        ask(capsys, "sessions", "messages", ref, "--json"),
    ]
    places = [f"L{line}" for line in range(1, 17)] + ["a1:L1", "a1:L2"]
    return said + [ask(capsys, "sessions", "open", ref, place, "--json") for place in places]


@pytest.mark.parametrize("gone", ["database", "row"])
def test_every_pointer_opens_after_the_database_is_gone(
    gone: str, database: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    turn_on(capsys)
    before = read_everything(capsys, CART_ID)
    brief = tmp_path / "brief.md"
    brief.write_text(ask(capsys, "handoff", CART_ID), "utf-8")
    done = json.loads(ask(capsys, "archive", CART_ID, "--json"))
    assert (done["archived"], done["problems"]) == ([CART_ID], [])
    if gone == "database":
        database.unlink()
    else:
        db = sqlite3.connect(database)
        for table in ("session", "message", "part"):
            db.execute(f"delete from {table}")
        db.commit()
        db.close()
    for ref in (CART_ID, CART_ID[:12], str(database / f"{CART_ID}.jsonl")):
        assert read_everything(capsys, ref) == before
    assert json.loads(ask(capsys, "sessions", "show", CART_ID, "--json"))["in_ark_only"]
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert (row["session_id"], row["in_ark_only"], row["title"]) == (CART_ID, True, "A cart for the shop")
    assert "not the file" not in ask(capsys, "verify", str(brief))


def test_a_session_of_the_database_is_archived_again_only_when_it_changed(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert sorted(done["archived"]) == sorted([CART_ID, REVIEW_ID])
    again = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (again["archived"], again["unchanged"], again["read"]) == ([], 2, 0)
    ark = Ark(find_user_paths().ark)
    member = ark.get("opencode", CART_ID).members[0]
    assert b"".join(ark.read(member)) == CART.read_bytes()
    db = sqlite3.connect(database)
    record = read_records(CART)[14]
    record["info"] |= {"id": "msg_zz", "time": {"created": 1794799999999}}
    record["parts"] = [{"type": "text", "text": "one thing more", "id": "prt_zz"}]
    put_message(db, record)
    db.commit()
    db.close()
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["archived"] == [CART_ID]
    entry = ark.get("opencode", CART_ID)
    assert entry.earlier == ()
    assert b"".join(ark.read(entry.members[0])).startswith(CART.read_bytes())


def test_what_was_undone_and_deleted_is_reached_as_the_version_before(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", CART_ID)
    db = sqlite3.connect(database)
    (name,) = db.execute("select message_id from part where data like '%whole centimes%'").fetchone()
    db.execute("delete from part where message_id >= ?", [name])
    db.execute("delete from message where id >= ?", [name])
    db.execute("update session set time_updated = 1794799999999")
    db.commit()
    db.close()
    ask(capsys, "archive", CART_ID)
    assert "whole centimes" not in ask(capsys, "sessions", "spine", CART_ID)
    versions = json.loads(ask(capsys, "archive", "--list", CART_ID, "--json"))
    assert [each["ref"] for each in versions] == [f"{CART_ID}@0", f"{CART_ID}@1"]
    assert [each["size"] for each in versions][1] == CART.stat().st_size
    assert "whole centimes" in ask(capsys, "sessions", "spine", f"{CART_ID}@1")
    assert "whole centimes" in ask(capsys, "sessions", "open", f"{CART_ID}@1", "L8")
    assert "2 before the last" in ask(capsys, "sessions", "spine", f"{CART_ID}@2", code=1)


def test_an_archived_export_is_read_after_the_file_is_gone(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    export = write_export(tmp_path / f"{CART_ID}.json", CART)
    before = ask(capsys, "sessions", "spine", str(export))
    ask(capsys, "archive", str(export))
    export.unlink()
    assert ask(capsys, "sessions", "spine", str(export)) == before
    assert ask(capsys, "sessions", "spine", CART_ID) == before


@pytest.mark.parametrize("form", ["id", "place"])
def test_a_subagents_session_that_the_client_deleted_is_read_from_the_ark(
    database: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", CART_ID)
    before = read_everything(capsys, CART_ID)
    db = sqlite3.connect(database)
    for table, column in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
        db.execute(f"delete from {table} where {column} = ?", [REVIEW_ID])
    db.commit()
    db.close()
    assert read_everything(capsys, CART_ID if form == "id" else str(database / f"{CART_ID}.jsonl")) == before
