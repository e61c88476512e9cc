"""Transcripts as they really lie on disks: broken, glued, cut, padded; and bytes that no client ever wrote."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thruline.harnesses import line_reader
from thruline.harnesses.claude_code.reader import Reader
from thruline.session.parts import Said


@pytest.fixture(params=["fast", "slow"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both decoders: the typed one of large files, the plain one of small ones."""
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if request.param == "fast" else 1 << 60)


def texts(reader: Reader) -> list[str]:
    return [part.text for part in reader if isinstance(part, Said)]


@pytest.mark.usefixtures("way")
def test_bad_lines_are_problems_and_the_rest_arrives(transcript: Any) -> None:
    transcript.user("one")
    transcript.raw(b"not json at all\n")
    transcript.raw(b"[1, 2]\n")
    transcript.raw(b"\n")
    transcript.user("two")
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one", "two"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "json"), (3, "shape")]


@pytest.mark.usefixtures("way")
def test_two_records_glued_on_one_line_are_both_read(transcript: Any) -> None:
    transcript.user("one")
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b"}\n{", b"}{", 1))
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one", "two"]
    assert [problem.kind for problem in reader.problems] == ["glued"]


@pytest.mark.usefixtures("way")
def test_a_record_glued_to_progress_is_not_skipped_with_it(transcript: Any) -> None:
    transcript.record("progress", data={"type": "hook_progress"})
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b"}\n{", b"}{", 1))
    assert texts(Reader(str(transcript.path))) == ["two"]


@pytest.mark.usefixtures("way")
def test_a_cut_last_line_is_told_or_left_for_later(transcript: Any) -> None:
    transcript.user("one")
    whole = transcript.path.read_bytes()
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes()[: len(whole) + 30])
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "cut")]
    live = Reader(str(transcript.path), live=True)
    assert texts(live) == ["one"]
    assert live.problems == []
    assert live.checkpoint()["offset"] == len(whole)


@pytest.mark.usefixtures("way")
def test_bytes_that_are_not_utf8_halves_of_emoji_and_nuls_survive(transcript: Any) -> None:
    transcript.user("caf\u00e9 one")
    transcript.user("half \ud83d end")
    data = transcript.path.read_bytes().replace(b"caf\\u00e9", b"caf\xe9")
    transcript.path.write_bytes(b"\x00\x00" + data)
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["caf\ufffd one", "half \ufffd end"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [
        (1, "encoding"),
        (1, "nul"),
        (2, "encoding"),
    ]
    assert "half a surrogate pair" in reader.problems[2].what


@pytest.mark.usefixtures("way")
def test_blocks_of_a_kind_that_nobody_knows_are_counted(transcript: Any) -> None:
    transcript.user([{"type": "hologram", "text": "words"}, {"type": "text", "text": "one"}])
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one"]
    assert reader.counts["user block hologram"] == 1


@pytest.mark.usefixtures("way")
def test_empty_files_and_files_of_summaries_are_sessions_without_words(transcript: Any) -> None:
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.problems == []
    transcript.note(type="summary", summary="Another session", leafUuid="0b0b0b0b-0000-4000-8000-000000000000")
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.counts == {"summary": 1}


@pytest.mark.usefixtures("way")
def test_a_summary_of_a_record_in_this_file_is_its_title(transcript: Any) -> None:
    leaf = transcript.user("one")
    transcript.note(type="summary", summary="Leaks in the cache", leafUuid=leaf)
    told = [part.value for part in Reader(str(transcript.path)) if getattr(part, "name", "") == "title"]
    assert told == ["Leaks in the cache"]


@pytest.mark.usefixtures("way")
def test_unknown_kinds_are_counted(transcript: Any) -> None:
    transcript.note(type="hologram", shape="cube")
    transcript.raw(b'{"no":"type"}\n{"type":7}\n')
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.counts == {"hologram": 1, "none": 2, "unknown": 3}
    assert reader.problems == []


@pytest.mark.usefixtures("way")
def test_type_may_come_after_message(transcript: Any) -> None:
    record = {"message": {"role": "user", "content": "late"}, "uuid": "u1", "type": "user"}
    transcript.raw(json.dumps(record).encode() + b"\n")
    assert texts(Reader(str(transcript.path))) == ["late"]


@pytest.mark.usefixtures("way")
def test_text_that_mentions_a_skipped_kind_is_not_skipped(transcript: Any) -> None:
    transcript.user('why {"type":"progress","data":{} here?')
    transcript.call("t1", "Bash", command='echo {"type":"file-history-snapshot",')
    reader = Reader(str(transcript.path))
    assert len(list(reader)) > 2
    assert set(reader.counts) == {"user", "assistant"}


def test_one_huge_line_is_read(transcript: Any) -> None:
    transcript.call("t1", "Bash", command="cat big")
    transcript.result("t1", "x" * (8 << 20))
    transcript.user("after")
    assert texts(Reader(str(transcript.path))) == ["after"]


# Fuzz: values of any type in any place, and real-shaped bytes with changes.

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


@pytest.mark.usefixtures("way")
def test_other_words_under_a_known_id_are_told_and_copies_are_not(transcript: Any) -> None:
    uuid = transcript.user("one")
    transcript.agent("answer", uuid="aa")
    transcript.user("one", uuid=uuid, version="2.1.198")
    transcript.user("two", uuid=uuid)
    transcript.agent("answer", uuid="aa")
    transcript.agent("another", uuid="aa")
    path = transcript.path
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0])
    reader = Reader(str(path))
    assert texts(reader) == ["one", "answer", "two", "another"]
    assert reader.counts["copy"] == 3
    assert reader.counts["id used twice"] == 2


def test_many_copies_in_one_file_cost_one_look_at_each(transcript: Any) -> None:
    transcript.raw(
        b"".join(
            json.dumps({"type": "user", "uuid": f"{n:08x}", "message": {"content": f"say {n}"}}).encode() + b"\n"
            for n in range(3000)
        )
    )
    transcript.path.write_bytes(transcript.path.read_bytes() * 2)
    reader = Reader(str(transcript.path))
    assert len(texts(reader)) == 3000
    assert reader.counts["copy"] == 3000
