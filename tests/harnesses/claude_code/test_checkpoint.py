"""A session that grew is read on from where the last reading stopped, and says the same as one reading of the whole."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import thruline.harnesses.claude_code.reader.state as state_module
from thruline.harnesses import line_reader
from thruline.harnesses.claude_code.reader import Reader
from thruline.session.parts import Delegated


def check_cuts(path: Path, data: bytes, cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(data)
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1)
    whole = Reader(str(path))
    expected = [repr(part) for part in whole]
    for number, cut in enumerate(cuts):
        monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if number % 2 else 1 << 60)
        path.write_bytes(data[:cut])
        first = Reader(str(path), live=True)
        begun = [repr(part) for part in first]
        kept = json.loads(json.dumps(first.checkpoint()))
        path.write_bytes(data)
        rest = Reader(str(path), checkpoint=kept)
        assert begun + [repr(part) for part in rest] == expected, f"cut at byte {cut} of {path.name}"
        assert rest.counts == whole.counts


def write_all_kinds(transcript: Any) -> None:
    transcript.queue("enqueue", "later")
    base = transcript.user("go")
    transcript.call("t1", "Bash", command="git commit -m x; true && rm a")
    transcript.queue("remove")
    transcript.record("attachment", attachment={"type": "queued_command", "prompt": "later"})
    transcript.result("t1", "[main 1234567] x")
    transcript.call("t2", "TaskCreate", subject="parse")
    transcript.result("t2", "ok", result={"task": {"id": "1"}})
    transcript.call("t3", "Task", prompt="look", description="d")
    first = transcript.user("look", isSidechain=True, parent=None)
    transcript.agent("seen", isSidechain=True, parent=first)
    transcript.result("t3", "done", result={"agentId": "a1"})
    transcript.queue("enqueue", "typed")
    transcript.queue("dequeue")
    transcript.user("typed")
    transcript.user("another way", parent=base)
    transcript.call("t4", "Agent", prompt="watch", description="w")
    transcript.result("t4", "started", result={"isAsync": True, "agentId": "a2"})
    transcript.agent("half", message_id="m9", output=1)
    transcript.agent("whole", message_id="m9", output=50)
    transcript.record("progress", data={"type": "hook_progress"})
    transcript.user("<task-notification><task-id>a2</task-id><status>completed</status></task-notification>")
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    transcript.user("summary", isCompactSummary=True)
    transcript.queue("enqueue", "taken back")
    transcript.queue("popAll")
    transcript.call("t5", "ExitPlanMode", plan="# P")


def test_reading_on_from_any_byte_gives_the_same_parts(transcript: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all_kinds(transcript)
    data = transcript.path.read_bytes()
    check_cuts(transcript.path, data, list(range(0, len(data), 61)), monkeypatch)


def test_a_chain_of_checkpoints_gives_the_same_parts(transcript: Any) -> None:
    write_all_kinds(transcript)
    data = transcript.path.read_bytes()
    expected = [repr(part) for part in Reader(str(transcript.path))]
    told: list[str] = []
    kept = None
    for end in [*range(500, len(data), 500), len(data)]:
        transcript.path.write_bytes(data[:end])
        reader = Reader(str(transcript.path), checkpoint=kept, live=True)
        told += [repr(part) for part in reader]
        kept = json.loads(json.dumps(reader.checkpoint()))
    told += [repr(part) for part in Reader(str(transcript.path), checkpoint=kept)]
    assert told == expected


def test_the_tail_is_read_without_heavy_modules(transcript: Any) -> None:
    import subprocess
    import sys

    transcript.user("go")
    source = Path(line_reader.__file__).parents[2]
    program = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from thruline.harnesses.claude_code.reader import Reader\n"
        "reader = Reader(sys.argv[1]); parts = list(reader); reader.checkpoint()\n"
        "assert parts\n"
        "heavy = {'re', 'typing', 'dataclasses', 'msgspec', 'collections.abc', 'pathlib', 'contextlib'}\n"
        # `json` itself brings `re`.
        "print(sorted((heavy - {'re'}) & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(transcript.path), str(source)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.shared
def test_real_sessions_are_read_on_from_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: Path
) -> None:
    files = sorted((shared / "corpus").rglob("*.jsonl")) + sorted((shared / "fixtures" / "claude").rglob("*-*.jsonl"))
    files = [file for file in files if "-" in file.stem and file.stat().st_size and "019dc0d3" not in file.name]
    assert len(files) > 60
    for number, file in enumerate(files):
        data = file.read_bytes()[:600_000]
        cuts = [(len(data) * share + number) // 7 for share in range(1, 7)]
        check_cuts(tmp_path / file.name, data, cuts, monkeypatch)


def test_a_subagent_whose_end_waits_in_the_queue_is_told_after_a_resume(transcript: Any) -> None:
    transcript.user("go")
    transcript.call("t1", "Agent", prompt="watch", description="w")
    transcript.result("t1", "started", result={"isAsync": True, "agentId": "a2"})
    ended = "<task-notification><task-id>a2</task-id><status>completed</status></task-notification>"
    transcript.queue("enqueue", ended)
    reader = Reader(str(transcript.path), live=True)
    list(reader)
    reader.pending()
    kept = json.loads(json.dumps(reader.checkpoint()))
    transcript.queue("remove", ended)
    rest = Reader(str(transcript.path), checkpoint=kept)
    assert [part.agent_id for part in rest if isinstance(part, Delegated)] == ["a2"]


def write_many(transcript: Any, number: int) -> bytes:
    lines = [
        json.dumps({"type": "user", "uuid": f"{n * 7919 % 1000003:08x}", "message": {"content": f"say {n}"}}) + "\n"
        for n in range(number)
    ]
    data = "".join(lines + lines[::7]).encode()
    transcript.path.write_bytes(data)
    return data


@pytest.mark.parametrize("fast", [-1, 1 << 60])
def test_many_records_are_known_in_packs_and_copies_of_any_are_found(
    transcript: Any, monkeypatch: pytest.MonkeyPatch, fast: int
) -> None:
    monkeypatch.setattr(state_module, "_MOST_LINES", 50)
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", fast)
    data = write_many(transcript, 1400)
    whole = Reader(str(transcript.path))
    told = [repr(part) for part in whole]
    assert whole.counts["copy"] == 200
    assert list(whole.lines.values()) == list(range(1, 1401))
    cut = len(data) // 2
    transcript.path.write_bytes(data[:cut])
    first = Reader(str(transcript.path), live=True)
    begun = [repr(part) for part in first]
    kept = json.loads(json.dumps(first.checkpoint()))
    transcript.path.write_bytes(data)
    rest = Reader(str(transcript.path), checkpoint=kept)
    assert begun + [repr(part) for part in rest] == told
    assert rest.lines == whole.lines


def test_what_is_known_of_a_record_takes_a_few_bytes() -> None:
    tracemalloc.start()
    state = state_module.State("p", "", inside=False)
    for line in range(1, 140_001):
        state.note(f"{line * 0x9E3779B97F4A7C15 % (1 << 61):036x}", line)
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 9 << 20
    assert [state.line_of(f"{line * 0x9E3779B97F4A7C15 % (1 << 61):036x}") for line in (1, 70_000, 140_000)] == [
        1,
        70_000,
        140_000,
    ]
    assert state.line_of("5") == 0
