"""What the real client wrote: its tables and exports as recorded, and a real person's session."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from thruline.harnesses.canonical import is_canonical
from thruline.harnesses.opencode.reader import Reader
from thruline.harnesses.opencode.store import read_lines
from thruline.session.parts import Call, Compacted, Delegated, Part, Result, Said


def make_recorded(path: Path, recorded: Path) -> Path:
    """The database of the recording: the client's own schema, and the rows that were dumped."""
    db = sqlite3.connect(path)
    db.execute("pragma journal_mode=wal")
    db.executescript((recorded / "schema.sql").read_text())
    for table in ("project", "session", "message", "part", "todo"):
        for line in (recorded / "db" / f"{table}.jsonl").read_text().splitlines():
            row: dict[str, Any] = json.loads(line)
            if isinstance(row.get("data"), dict):
                row["data"] = json.dumps(row["data"], ensure_ascii=False, separators=(",", ":"))
            marks = ", ".join("?" * len(row))
            values = [json.dumps(each) if isinstance(each, dict | list) else each for each in row.values()]
            db.execute(f"insert into {table} ({', '.join(row)}) values ({marks})", values)
    db.commit()
    db.close()
    return path


def read(lines: bytes, path: Path) -> list[Part]:
    path.write_bytes(lines)
    assert is_canonical(lines, "opencode")
    reader = Reader(str(path))
    found = list(reader)
    assert reader.problems == []
    assert "unknown" not in reader.counts
    return found


@pytest.mark.shared
@pytest.mark.parametrize("name", ["main", "compaction", "fork", "subagent-parent", "subagent-child"])
def test_the_database_and_the_clients_export_of_it_give_the_same_parts(name: str, shared: Path, tmp_path: Path) -> None:
    recorded = shared / "fixtures" / "opencode"
    database = make_recorded(tmp_path / "opencode.db", recorded)
    export = recorded / f"export-{name}.json"
    session = json.loads(export.read_text())["info"]["id"]
    stored = read(b"".join(read_lines(str(database / f"{session}.jsonl"))), tmp_path / "a.jsonl")
    exported = read(b"".join(read_lines(str(export))), tmp_path / "a.jsonl")
    assert [repr(part) for part in stored] == [repr(part) for part in exported]
    assert any(isinstance(part, Said) for part in stored)
    if name == "compaction":
        assert [part.trigger for part in stored if isinstance(part, Compacted)] == ["auto"]
    if name == "subagent-parent":
        assert [part.outcome for part in stored if isinstance(part, Delegated)] == ["Child finished: 42."]


@pytest.mark.shared
def test_a_fork_is_known_by_the_moments_of_its_messages(shared: Path, tmp_path: Path) -> None:
    traces = []
    for name in ("main", "fork", "compaction"):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(read_lines(str(shared / "fixtures" / "opencode" / f"export-{name}.json"))))
        reader = Reader(str(path))
        list(reader)
        traces.append(reader.trace().keys)
    main, fork, other = traces
    assert list(fork)[: len(main)] == list(main)
    assert not set(main) & set(other)


@pytest.mark.shared
def test_a_real_session_is_read_whole(shared: Path, tmp_path: Path) -> None:
    (export,) = shared.glob("corpus/*/ses_*.json")
    document = json.loads(export.read_text())
    parts = read(b"".join(read_lines(str(export))), tmp_path / "a.jsonl")
    people = [part for part in parts if isinstance(part, Said) and part.by == "human"]
    typed = [
        (line, part["text"])
        for line, message in enumerate(document["messages"], 1)
        for part in message["parts"]
        if message["info"]["role"] == "user" and part["type"] == "text" and not part.get("synthetic")
    ]
    assert [(part.line, part.text) for part in people] == typed
    assert len(typed) == 22
    calls = [part.call_id for part in parts if isinstance(part, Call)]
    assert sorted(calls) == sorted(part.call_id for part in parts if isinstance(part, Result))
    assert len(set(calls)) == len(calls) == 107
    changed = {path for part in parts if isinstance(part, Result) for path, how in part.changes if how != "read"}
    assert len(changed) == document["info"]["summary"]["files"]
