"""Bytes that no client ever wrote: any value in any place, any change of a real file; the reader goes on."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thruline.harnesses import line_reader
from thruline.harnesses.claude_code.reader import Reader

_KEYS = st.sampled_from(
    [
        "type",
        "uuid",
        "parentUuid",
        "message",
        "content",
        "text",
        "id",
        "name",
        "input",
        "tool_use_id",
        "is_error",
        "isSidechain",
        "toolUseResult",
        "attachment",
        "operation",
        "usage",
        "model",
        "compactMetadata",
        "subtype",
        "answers",
        "questions",
        "options",
        "todos",
        "edits",
        "prompt",
        "agentId",
        "summary",
        "leafUuid",
        "forkedFrom",
        "taskId",
        "subject",
        "status",
        "task",
        "tasks",
        "plan",
        "command",
        "file_path",
    ]
)

_WORDS = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "queue-operation",
        "enqueue",
        "remove",
        "popAll",
        "dequeue",
        "text",
        "tool_use",
        "tool_result",
        "t1",
        "thinking",
        "Bash",
        "Edit",
        "Task",
        "TaskCreate",
        "TaskUpdate",
        "TaskList",
        "TodoWrite",
        "AskUserQuestion",
        "ExitPlanMode",
        "summary",
        "compact_boundary",
        "queued_command",
        "progress",
    ]
)

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | _WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS | st.text(max_size=3), inner, max_size=6),
    max_leaves=12,
)

_RECORDS = st.fixed_dictionaries(
    {"type": _WORDS},
    optional={
        "uuid": _WORDS | _VALUES,
        "parentUuid": _WORDS | _VALUES,
        "operation": _WORDS,
        "attachment": st.dictionaries(_KEYS, _VALUES, max_size=4) | _VALUES,
        "toolUseResult": _VALUES,
        "content": _VALUES,
        "isSidechain": _VALUES,
        "message": st.fixed_dictionaries(
            {},
            optional={
                "id": _VALUES,
                "model": _VALUES,
                "usage": _VALUES,
                "content": _VALUES
                | st.lists(
                    st.fixed_dictionaries(
                        {"type": _WORDS},
                        optional={
                            "id": _WORDS,
                            "tool_use_id": _WORDS | _VALUES,
                            "name": _WORDS | _VALUES,
                            "input": st.dictionaries(_KEYS, _VALUES, max_size=4) | _VALUES,
                            "content": _VALUES,
                            "is_error": st.booleans() | _VALUES,
                        },
                    ),
                    max_size=3,
                ),
            },
        )
        | _VALUES,
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=st.lists(_RECORDS, max_size=8), fast=st.booleans())
def test_no_value_in_any_place_breaks_the_reader(
    records: list[Any], fast: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if fast else 1 << 60)
    path = tmp_path / "fuzz.jsonl"
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    reader = Reader(str(path))
    list(reader)
    json.dumps(reader.checkpoint())
    reader.trace()


def _sample(transcript: Any) -> bytes:
    transcript.queue("enqueue", "also")
    transcript.user("go")
    transcript.call("t1", "Bash", command="git commit -m x && rm a")
    transcript.queue("remove")
    transcript.result("t1", "[main 1234567] x")
    transcript.call("t2", "TaskCreate", subject="parse")
    transcript.result("t2", "ok", result={"task": {"id": "1"}})
    transcript.call("t3", "Task", prompt="look", description="d")
    transcript.user("look", isSidechain=True, parent=None)
    transcript.result("t3", "done", result={"agentId": "a1"})
    transcript.record("progress", data={"type": "hook_progress"})
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    return bytes(transcript.path.read_bytes())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), fast=st.booleans())
def test_no_change_of_bytes_breaks_the_reader(
    data: st.DataObject, fast: bool, transcript: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if fast else 1 << 60)
    transcript.path.write_bytes(b"")
    transcript.number, transcript.tip = 0, None
    raw = bytearray(_sample(transcript))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        change = data.draw(
            st.sampled_from([b"", b"\x00", b"\xff", b'"', b"{", b"}", b"\n", b"\\ud800", b"null", b"1e999"])
        )
        raw[at : at + data.draw(st.integers(0, 3))] = change
    transcript.path.write_bytes(bytes(raw))
    reader = Reader(str(transcript.path))
    list(reader)
    json.dumps(reader.checkpoint())
