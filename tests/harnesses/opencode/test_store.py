"""The client's database is read as it stands, and nothing of it or beside it changes."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.harnesses.opencode.stores import (
    CART,
    CART_ID,
    REVIEW,
    REVIEW_ID,
    TABLES,
    make_database,
    put_message,
    read_records,
    write_export,
)
from thruline.errors import Conflict, DiskError, FormatError, NotFound, Refused
from thruline.harnesses.opencode.database import open_database
from thruline.harnesses.opencode.reader import Reader
from thruline.harnesses.opencode.store import find_children, is_there, read_lines


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return make_database(tmp_path / "data" / "opencode.db", CART, REVIEW)


def read(database: Path, session: str = CART_ID) -> bytes:
    return b"".join(read_lines(str(database / f"{session}.jsonl")))


def look(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in sorted(folder.iterdir())
    }


def test_a_session_of_the_database_is_the_lines_of_its_sample(database: Path) -> None:
    assert read(database) == CART.read_bytes()
    assert read(database, REVIEW_ID) == REVIEW.read_bytes()


def test_reading_changes_no_byte_and_leaves_no_file(database: Path) -> None:
    before = look(database.parent)
    assert list(before) == ["opencode.db"]
    read(database)
    find_children(str(database / f"{CART_ID}.jsonl"))
    assert look(database.parent) == before


def test_a_read_only_folder_is_read(database: Path) -> None:
    database.chmod(0o400)
    database.parent.chmod(0o500)
    try:
        assert read(database) == CART.read_bytes()
    finally:
        database.parent.chmod(0o700)


def test_a_database_that_the_client_holds_open_is_read_with_what_it_wrote_last(database: Path) -> None:
    client = sqlite3.connect(database)
    client.execute("pragma wal_autocheckpoint=0")
    record = read_records(CART)[14]
    record["info"] |= {"id": "msg_zz", "time": {"created": 1794799999999}}
    record["parts"] = [{"type": "text", "text": "written last", "id": "prt_zz"}]
    put_message(client, record)
    client.commit()
    before = {name: data for name, (data, _, _) in look(database.parent).items() if not name.endswith("-shm")}
    assert set(before) == {"opencode.db", "opencode.db-wal"}
    assert b"written last" in read(database)
    after = {name: data for name, (data, _, _) in look(database.parent).items() if not name.endswith("-shm")}
    assert after == before
    # No lock of ours is left: the client can write, and have the file for itself.
    client.execute("delete from message where id = 'msg_zz'")
    client.commit()
    client.execute("pragma wal_checkpoint(truncate)")
    client.execute("pragma locking_mode=exclusive")
    client.execute("delete from credential")
    client.commit()
    client.close()


def test_a_client_that_is_in_the_middle_of_writing_is_not_waited_for(database: Path) -> None:
    client = sqlite3.connect(database, isolation_level=None)
    client.execute("begin immediate")
    client.execute("delete from part")
    assert read(database) == CART.read_bytes()
    client.execute("rollback")
    client.close()


def copy_open(database: Path, folder: Path, *ends: str) -> Path:
    """What is on disk when a client is killed after it wrote, or of that what somebody copied."""
    client = sqlite3.connect(database)
    client.execute("update session set title = 'from the log'")
    client.commit()
    folder.mkdir()
    for end in ("", *ends):
        shutil.copyfile(f"{database}{end}", folder / f"opencode.db{end}")
    client.close()
    return folder / "opencode.db"


def test_what_a_killed_client_left_in_its_log_is_read(database: Path, tmp_path: Path) -> None:
    left = copy_open(database, tmp_path / "left", "-wal", "-shm")
    before = {path.name: path.read_bytes() for path in left.parent.iterdir() if not path.name.endswith("-shm")}
    assert b"from the log" in read(left)
    assert {p.name: p.read_bytes() for p in left.parent.iterdir() if not p.name.endswith("-shm")} == before
    assert len(list(left.parent.iterdir())) == 3


def test_a_log_that_could_not_be_read_without_a_change_is_told(database: Path, tmp_path: Path) -> None:
    left = copy_open(database, tmp_path / "left", "-wal")
    before = look(left.parent)
    with pytest.raises(Refused, match="log of changes"):
        read(left)
    assert look(left.parent) == before


def test_a_change_while_nobody_seemed_to_have_it_open_is_told(database: Path) -> None:
    lines = read_lines(str(database / f"{CART_ID}.jsonl"))
    next(lines)
    client = sqlite3.connect(database)
    client.execute("update session set title = 'meanwhile'")
    client.commit()
    client.close()
    with pytest.raises(Conflict):
        list(lines)


def test_no_statement_of_ours_can_write(database: Path) -> None:
    with pytest.raises(DiskError, match="readonly"), open_database(str(database)) as db:
        db.execute("delete from part")


def test_another_schema_is_told_with_its_place(tmp_path: Path) -> None:
    path = make_database(tmp_path / "opencode.db", CART)
    db = sqlite3.connect(path)
    db.execute("alter table part rename column data to content")
    db.close()
    with pytest.raises(Refused, match="no such column: data") as told:
        read(path)
    assert told.value.where == str(path)


def test_messages_in_a_table_to_come_are_a_problem_with_its_line(tmp_path: Path) -> None:
    path = make_database(tmp_path / "opencode.db")
    db = sqlite3.connect(path)
    db.execute("create table session_message (id text, session_id text, data text)")
    db.execute("insert into session_message values ('m', 'ses_new', '{}')")
    db.execute("insert into session values ('ses_new', 'p', null, 's', '/x', 'A title', '2.0.0', null, 1, 2)")
    db.commit()
    db.close()
    lines = tmp_path / "new.jsonl"
    lines.write_bytes(read(path, "ses_new"))
    reader = Reader(str(lines))
    assert list(reader)
    ((line, kind),) = [(problem.line, problem.kind) for problem in reader.problems]
    assert (line, kind) == (1, "schema")


def test_a_row_that_is_no_json_costs_itself_alone(database: Path, tmp_path: Path) -> None:
    db = sqlite3.connect(database)
    (name,) = db.execute("select id from part where data like '%I will look first%'").fetchone()
    db.execute('update part set data = \'{"type": "text", "te\' where id = ?', [name])
    db.commit()
    db.close()
    lines = tmp_path / "a.jsonl"
    lines.write_bytes(read(database))
    reader = Reader(str(lines))
    assert len(list(reader)) == len(list(Reader(str(CART)))) - 1
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "json")]
    assert name in reader.problems[0].what


def test_a_damaged_database_and_a_missing_session_are_told(database: Path) -> None:
    with pytest.raises(NotFound):
        read(database, "ses_nobody")
    assert not is_there(str(database / "ses_nobody.jsonl"))
    assert is_there(str(database / f"{CART_ID}.jsonl"))
    database.write_bytes(b"SQLite format 3\0" + os.urandom(8192))
    with pytest.raises((FormatError, DiskError)) as told:
        read(database)
    assert str(database) in told.value.where


def test_subagents_are_found_at_any_depth_and_a_circle_ends(tmp_path: Path) -> None:
    path = make_database(tmp_path / "opencode.db", CART, REVIEW)
    db = sqlite3.connect(path)
    row = "insert into session values (?, 'p', ?, 's', '/x', 't', '1', null, 1, 2)"
    db.executemany(row, [("ses_deep", REVIEW_ID), ("ses_a", "ses_b"), ("ses_b", "ses_a")])
    db.commit()
    db.close()
    assert [found.session_id for found in find_children(str(path / f"{CART_ID}.jsonl"))] == [REVIEW_ID, "ses_deep"]
    assert [found.session_id for found in find_children(str(path / "ses_a.jsonl"))] == ["ses_b"]


def test_an_export_is_the_same_lines(tmp_path: Path) -> None:
    path = write_export(tmp_path / f"{CART_ID}.json", CART)
    assert b"".join(read_lines(str(path))) == CART.read_bytes()


@pytest.mark.parametrize("text", ['{"info": {"id": "ses_x"}, "messages": [', '{"info": 7, "messages": []}', "[]", ""])
def test_a_broken_export_is_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(FormatError) as told:
        list(read_lines(str(path)))
    assert str(path) in told.value.where


def test_the_clients_secrets_are_never_selected(database: Path) -> None:
    assert b"a-secret-of-the-client" not in read(database)
    assert "credential" in TABLES
