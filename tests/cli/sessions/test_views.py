"""Messages, spine, signals and records of a session, told as they stand in its file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sessions.asking import told
from tests.sample import SAMPLE, SESSION
from thruline.cli.door import run


@pytest.mark.feature("F001-19", via="cli")
def test_human_messages_are_exactly_what_was_typed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = json.loads(told(capsys, "messages", SESSION[:8], "--by", "human", "--json"))
    assert [(m["kind"], m["line"]) for m in messages] == [("turn", m["line"]) for m in messages]
    assert len(messages) == 5
    raw = kept.read_text().splitlines()
    for message in messages:
        assert message["file"] == str(kept)
        record = json.loads(raw[message["line"] - 1])
        assert record["uuid"] == message["uuid"]
        assert record["message"]["content"] == message["text"]


def test_the_spine_holds_no_payload(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spine = told(capsys, "spine", SESSION)
    assert "No, don't add a pause." in spine
    assert "def fetch_page" not in spine


def test_show_tells_files_and_commits(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    view = json.loads(told(capsys, "show", SESSION, "--json"))
    assert {Path(touch["path"]).name for touch in view["touched"] if "edited" in touch["how"]} == {
        "exporter.py",
        "test_exporter.py",
    }
    assert [commit["subject"] for commit in view["commits"]] == [
        "Ask for rows after the last key, so no order is exported twice",
        "Pin the column order of the export",
    ]


def test_show_tells_how_many_records_nobody_knows_and_one_error_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = [
        {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no such file"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "done"},
    ]
    calls = [{"type": "tool_use", "id": f"t{n}", "name": "Read", "input": {"file_path": f"/x/{n}"}} for n in (1, 2)]
    base = {"sessionId": SESSION, "cwd": "/x", "isSidechain": False, "version": "2.0.0", "userType": "external"}
    records = [
        {"type": "user", "message": {"role": "user", "content": "Go."}, "uuid": "u1", "parentUuid": None},
        {"type": "assistant", "message": {"role": "assistant", "content": calls}, "uuid": "u2", "parentUuid": "u1"},
        {"type": "user", "message": {"role": "user", "content": ends}, "uuid": "u3", "parentUuid": "u2"},
        {"type": "hologram"},
        {"type": "hologram"},
    ]
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps({**base, **record}) + "\n" for record in records))
    lines = told(capsys, "show", str(path)).splitlines()
    assert "  people     1 turn" in lines
    assert "  trouble    1 error" in lines
    assert "  unknown    2 records of a kind not known here; --json counts each kind" in lines
    assert json.loads(told(capsys, "show", str(path), "--json"))["records"]["hologram"] == 2
    path.write_text("".join(json.dumps({**base, **record}) + "\n" for record in records[:3]))
    assert "unknown" not in told(capsys, "show", str(path))


def test_open_shows_the_record_that_stands_on_that_line(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = told(capsys, "messages", SESSION, "--by", "human").split()[0]
    raw = told(capsys, "open", SESSION, f"transcript:{line}", "--raw")
    assert raw.rstrip("\n") == kept.read_text().splitlines()[int(line[1:]) - 1]
    pretty = told(capsys, "open", SESSION, line)
    assert f"── {line} of {kept}" in pretty
    assert "Find out why and fix it." in pretty


def test_raw_prints_the_bytes_that_stand_in_the_file(kept: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    bad = b'{"type":"user","message":{"content":"caf\xe9 \x00 \xf0\x9f"}}\r\n'
    with kept.open("ab") as file:
        file.write(bad + b'{"type":"us')
    last = len(kept.read_bytes().split(b"\n"))
    assert run(["sessions", "open", SESSION, f"L{last - 1}", "--raw"]) == 0
    assert capfdbinary.readouterr().out == bad
    assert run(["sessions", "open", SESSION, f"L{last - 1}-L{last}", "--raw"]) == 0
    assert capfdbinary.readouterr().out == bad + b'{"type":"us\n'
    assert run(["sessions", "open", SESSION, f"L{last + 1}", "--raw"]) == 1
    assert b"behind the end" in capfdbinary.readouterr().err


def test_a_record_too_large_to_be_shown_is_cut_and_counted(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = {f"k{n}": "x" * 100 for n in range(400)}
    for record in ({"type": "user", "text": "a line\n" * 300_000, "after": "z"}, {"type": "user", **many}):
        with kept.open("a") as file:
            file.write(json.dumps(record) + "\n")
        last = len(kept.read_text().splitlines())
        shown = told(capsys, "open", SESSION, f"L{last}", "--around", "0")
        told_more = next(line for line in shown.splitlines() if line.startswith("… "))
        more = int(told_more.split()[1].replace(",", ""))
        assert len(shown) < 21_000
        assert more > len(json.dumps(record)) * 0.9 - 20_000
    assert "a line\n      a line\n" in told(capsys, "open", SESSION, f"L{last - 1}", "--around", "0")
    assert json.loads(told(capsys, "open", SESSION, f"L{last}", "--json"))["raw"] == json.dumps(record) + "\n"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_huge_line_is_opened_for_little_more_than_itself(tmp_path: Path) -> None:
    huge = tmp_path / f"{SESSION}.jsonl"
    lines = SAMPLE.read_text().splitlines(keepends=True)
    record = {**json.loads(lines[3]), "toolUseResult": "a line of output\n" * (40 << 16)}
    huge.write_text("".join(lines[:3]) + json.dumps(record) + "\n" + "".join(lines[4:]))
    code = (
        "import sys\n"
        "from thruline.cli.door import run\n"
        "code = run(['sessions', 'open', *sys.argv[1:]])\n"
        "print('\\n', next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
        "sys.exit(code)"
    )
    size = huge.stat().st_size >> 10
    for more, times in ((), 4), (("--raw",), 2):
        done = subprocess.run(
            [sys.executable, "-c", code, str(huge), "L4", *more], capture_output=True, text=True, check=True
        )
        assert int(done.stdout.split()[-1]) < 40_000 + times * size


def test_signals_are_told_with_their_words_and_place(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(told(capsys, "signals", SESSION, "--json"))
    assert answer["session"] == SESSION
    lines = kept.read_text().splitlines()
    for signal in answer["signals"]:
        assert {"kind", "by", "file", "line", "uuid", "quote", "strength", "why"} <= set(signal)
        assert signal["file"] == str(kept)
        assert json.dumps(signal["quote"])[1:-1] in lines[signal["line"] - 1]
    assert {"correction", "constraint", "dead_end", "commit", "file"} <= {one["kind"] for one in answer["signals"]}


def test_signals_tell_the_id_of_the_session_also_where_its_file_has_another_name(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = kept.rename(kept.with_name("the export of today.jsonl"))
    assert json.loads(told(capsys, "signals", str(moved), "--json"))["session"] == SESSION


def test_signals_of_one_kind_are_shown_strongest_first(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(capsys, "signals", SESSION, "--kind", "correction")
    assert shown.startswith("Corrections (3)")
    told_lines = [line.split()[:2] for line in shown.splitlines() if line.strip().startswith("L")]
    # L100 gives rules for what comes next: a constraint, not a correction.
    assert [place for place, _ in told_lines] == ["L75", "L52", "L122"]
    assert [strength for _, strength in told_lines] == sorted([one for _, one in told_lines], reverse=True)
    assert "Commits" not in shown
    assert "one of" in told(capsys, "signals", SESSION, "--kind", "wish", code=2)


def test_weak_signals_rank_every_message_behind_those_that_count(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = json.loads(told(capsys, "signals", SESSION, "--kind", "correction", "--json"))["signals"]
    ranked = json.loads(told(capsys, "signals", SESSION, "--kind", "correction", "--weak", "--json"))["signals"]
    assert len(ranked) > len(usual)
    strongest = sorted(ranked, key=lambda one: -one["strength"])[: len(usual)]
    assert sorted(strongest, key=lambda one: one["line"]) == usual


def test_a_break_behind_a_backslash_is_no_break(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(kept.read_text().replace("The nightly export", "C:\\\\new\\nand"))
    shown = told(capsys, "open", str(path), "L3", "--around", "0")
    assert "C:\\\\new\n      and" in shown
