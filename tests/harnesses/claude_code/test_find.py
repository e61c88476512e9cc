"""Transcripts are found where the client keeps them, known by their first bytes, and belong to what they say inside."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from thruline.errors import Refused
from thruline.harnesses.claude_code.find import (
    find_companions,
    find_homes,
    find_transcripts,
    read_head,
    recognise,
)
from thruline.harnesses.claude_code.tasklist import read_tasks
from thruline.harnesses.transcripts import recognise as find_client


def names(env: dict[str, str], home: Path) -> set[tuple[str, str, str]]:
    return {(Path(one.path).name, one.session_id, one.kind) for one in find_transcripts(env, str(home))}


def test_sessions_and_subagents_are_found_without_opening_them(home: Path) -> None:
    project = home / ".claude" / "projects" / "-home-dev-shop"
    (project / "s1" / "subagents").mkdir(parents=True)
    for name in (
        "s1.jsonl",
        "agent-old.jsonl",
        "notes.txt",
        "s1/subagents/agent-a1.jsonl",
        "s1/subagents/agent-a1.meta.json",
    ):
        (project / name).write_bytes(b"")
        (project / name).chmod(0)
    (project / "folder.jsonl").mkdir()
    assert names({}, home) == {
        ("s1.jsonl", "s1", "session"),
        ("agent-old.jsonl", "agent-old", "subagent"),
        ("agent-a1.jsonl", "s1", "subagent"),
    }


def test_the_clients_variable_names_other_folders(home: Path, tmp_path: Path) -> None:
    for account in ("work", "private"):
        folder = tmp_path / account / "projects" / "-p"
        folder.mkdir(parents=True)
        (folder / f"{account}.jsonl").write_bytes(b"{}\n")
    both = {"CLAUDE_CONFIG_DIR": f"{tmp_path}/work,{tmp_path}/private"}
    assert {row[0] for row in names(both, home)} == {"work.jsonl", "private.jsonl"}
    assert {row[0] for row in names({"CLAUDE_CONFIG_DIR": str(tmp_path / "work")}, home)} == {"work.jsonl"}
    assert find_homes({"XDG_CONFIG_HOME": "/x"}, "/h") == ["/h/.claude", "/x/claude"]


@pytest.mark.parametrize("name", ["x,y", "x:y", "x, y:z"])
def test_a_folder_that_is_there_is_not_taken_apart(tmp_path: Path, name: str) -> None:
    told = str(tmp_path / name)
    taken_apart = find_homes({"CLAUDE_CONFIG_DIR": told}, "/h")
    assert told not in taken_apart
    os.mkdir(told)
    assert find_homes({"CLAUDE_CONFIG_DIR": told}, "/h") == [told]


def test_a_folder_with_a_comma_stands_beside_another(tmp_path: Path) -> None:
    (tmp_path / "x,y").mkdir()
    told = os.pathsep.join((f"{tmp_path}/x,y", f"{tmp_path}/a,{tmp_path}/b"))
    assert find_homes({"CLAUDE_CONFIG_DIR": told}, "/h") == [f"{tmp_path}/{name}" for name in ("x,y", "a", "b")]


def test_nothing_to_find_is_nothing_found(home: Path) -> None:
    assert names({}, home) == set()
    assert names({"CLAUDE_CONFIG_DIR": "/nowhere"}, home) == set()


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'{"type":"summary","summary":"x","leafUuid":"y"}\n', True),
        (b'{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user"}\n', True),
        (b'{"type":"queue-operation","operation":"enqueue","sessionId":"s"}\n', True),
        (b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n', True),
        (b"", False),
        (b"hello\n", False),
        (b"\x1f\x8b\x08", False),
        (b'{"timestamp":"t","type":"session_meta","payload":{"id":"x","sessionId":"s"}}\n', False),
        (b'{"sessionId":"s","projectHash":"p","messages":[]}', False),
        (b'{"type":"session","id":"x","cwd":"/"}\n', False),
    ],
)
def test_a_transcript_is_known_by_its_first_bytes(head: bytes, known: bool) -> None:
    assert recognise("x.jsonl", head) is known


def test_the_head_tells_where_the_session_ran(transcript: Any) -> None:
    transcript.note(type="mode", mode="normal")
    transcript.user("<command-name>/model</command-name>")
    transcript.user("Add an export\nto the shop")
    transcript.call("t1", "Bash", command="x" * 300_000)
    transcript.note(type="ai-title", aiTitle="Export")
    assert read_head(str(transcript.path)) == {
        "session_id": transcript.session,
        "cwd": "/home/dev/shop",
        "version": "2.1.197",
        "branch": "main",
        "first_prompt": "Add an export to the shop",
        "title": "Export",
    }
    assert read_head("/nowhere") == {}


def test_companions_are_subagents_below_and_beside_and_the_task_list(transcript: Any) -> None:
    transcript.user("go")
    folder = transcript.path.parent
    below = transcript.path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    below.parent.mkdir(parents=True)
    below.write_bytes(b"{}\n")
    below.with_name("agent-a1.meta.json").write_text("{}")
    beside = folder / "agent-b2.jsonl"
    beside.write_text(json.dumps({"isSidechain": True, "sessionId": transcript.session}, separators=(",", ":")) + "\n")
    (folder / "agent-c3.jsonl").write_text('{"isSidechain":true,"sessionId":"another"}\n')
    tasks = folder.parent.parent / "tasks" / transcript.session
    tasks.mkdir(parents=True)
    for number, subject in ((10, "test"), (2, "parse")):
        task = {"id": str(number), "subject": subject, "status": "pending", "blocks": []}
        (tasks / f"{number}.json").write_text(json.dumps(task))
    (tasks / "3.json").write_text("{")
    found = find_companions(str(transcript.path))
    assert {(Path(one.path).name, one.kind) for one in found} == {
        ("agent-a1.jsonl", "subagent"),
        ("agent-b2.jsonl", "subagent"),
        ("2.json", "tasks"),
        ("10.json", "tasks"),
        ("3.json", "tasks"),
    }
    assert read_tasks(str(transcript.path)) == (("parse", "pending"), ("test", "pending"))


@pytest.mark.shared
def test_real_transcripts_are_told_from_those_of_other_clients(shared: Path) -> None:
    seen = 0
    for text in (shared / "corpus" / "manifest.jsonl").read_text().splitlines():
        row = json.loads(text)
        path = shared / "corpus" / row["path"]
        head = path.read_bytes()[:65536]
        if head:
            seen += 1
            assert recognise(str(path), head) is (row["harness"] == "claude-code"), row["path"]
    assert seen > 80
    for name in ("codex", "gemini", "opencode", "droid", "copilot", "qwen", "pi"):
        for path in (shared / "fixtures" / name).rglob("*.jsonl"):
            head = path.read_bytes()[:65536]
            assert not recognise(str(path), head), path


def test_a_subagent_with_a_long_task_is_numbered_by_its_birth(transcript: Any) -> None:
    folder = transcript.path.parent / transcript.path.stem / "subagents"
    folder.mkdir(parents=True)
    for name, task, minute in (("a", "x" * 200_000, 2), ("b", "short", 1)):
        record = {
            "isSidechain": True,
            "sessionId": transcript.session,
            "type": "user",
            "message": {"role": "user", "content": task},
            "timestamp": f"2026-11-01T10:{minute:02d}:00.000Z",
        }
        (folder / f"agent-{name}.jsonl").write_text(json.dumps(record, separators=(",", ":")) + "\n")
    born = {Path(one.path).stem: one.born for one in find_companions(str(transcript.path))}
    assert born == {"agent-a": "2026-11-01T10:02:00.000Z", "agent-b": "2026-11-01T10:01:00.000Z"}


def test_a_transcript_whose_first_prompt_stands_before_everything_else_is_recognised(transcript: Any) -> None:
    record = {"message": {"role": "user", "content": "x" * 300_000}, "isSidechain": False, "type": "user"}
    record |= {"parentUuid": None, "sessionId": transcript.session, "cwd": "/home/dev/shop"}
    transcript.raw(json.dumps(record, separators=(",", ":")).encode() + b"\n")
    assert find_client(str(transcript.path)).package.endswith("claude_code")
    transcript.path.write_bytes(b"x" * 300_000)
    with pytest.raises(Refused):
        find_client(str(transcript.path))
