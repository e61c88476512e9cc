"""`thruline sessions` from the outside: found where the client keeps them, told as they are, refused when unsafe."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from thruline.cli.door import run
from thruline.harnesses.contract import Reader
from thruline.harnesses.registry import Harness
from thruline.operations.sessions import scanning
from thruline.operations.sessions.listing import find_prefix_length
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.messages import read_messages

SAMPLE = Path(__file__).parents[2] / "samples" / "orders-export" / "session.jsonl"
SESSION = "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"


@pytest.fixture
def kept(home: Path) -> Path:
    """The sample where its client would keep it."""
    folder = home / ".claude" / "projects" / "-home-dev-orders-export"
    folder.mkdir(parents=True)
    return Path(shutil.copy(SAMPLE, folder / f"{SESSION}.jsonl"))


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["sessions", *arguments]) == code
    out = capsys.readouterr()
    return out.out if code == 0 else out.err


def test_a_session_is_listed_with_what_tells_it_apart(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = json.loads(told(capsys, "list", "--all", "--json"))
    assert row["session_id"] == SESSION
    assert row["cwd"] == "/home/dev/orders-export"
    assert (row["turns"], row["state"], row["problems"]) == (5, "answered", 0)
    assert row["title"].startswith("The nightly export writes some orders twice.")


def test_a_session_belongs_to_the_folder_recorded_inside_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Two projects whose names the client folds into one folder.
    for name in ("a.b", "a_b"):
        project = tmp_path / name
        project.mkdir()
        folder = home / ".claude" / "projects" / "a-b"
        folder.mkdir(parents=True, exist_ok=True)
        text = SAMPLE.read_text().replace("/home/dev/orders-export", str(project))
        (folder / f"{name.encode().hex():0<8}-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl").write_text(text)
    monkeypatch.chdir(tmp_path / "a_b")
    (row,) = json.loads(told(capsys, "list", "--json"))
    assert row["cwd"] == str(tmp_path / "a_b")


def test_only_what_changed_is_read_again(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(capsys, "list", "--all")

    def refuse(*_: object) -> None:
        raise AssertionError("a transcript was opened again")

    with monkeypatch.context() as patch:
        patch.setattr(scanning, "open_reader", refuse)
        assert len(json.loads(told(capsys, "list", "--all", "--json"))) == 1
    with kept.open("a") as file:
        file.write(kept.read_text().splitlines()[2].replace("promptId", "x").replace('"uuid":"', '"uuid":"f') + "\n")
    (row,) = json.loads(told(capsys, "list", "--all", "--json"))
    assert row["turns"] == 6


def test_a_session_that_grew_is_read_on_from_where_it_stopped(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = kept.read_text()
    lines = text.splitlines(keepends=True)
    expected = json.loads(told(capsys, "list", "--all", "--json"))[0]
    began: list[int] = []
    original = scanning.open_reader

    def watch(harness: Harness, path: str, **options: Any) -> Reader:
        began.append((options["checkpoint"] or {"offset": 0})["offset"])
        return original(harness, path, **options)

    monkeypatch.setattr(scanning, "open_reader", watch)
    kept.write_text("".join(lines[:60]))
    told(capsys, "list", "--all", "--json")
    with kept.open("a") as file:
        file.write("".join(lines[60:]))
    (row,) = json.loads(told(capsys, "list", "--all", "--json"))
    # A file that shrank is read anew, one that grew from where the last reading ended.
    assert began == [0, len("".join(lines[:60]).encode())]
    assert {key: row[key] for key in row if key != "mtime"} == {key: expected[key] for key in row if key != "mtime"}


def test_a_broken_index_is_made_anew(kept: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "list", "--all")
    index = next(home.rglob("index.db"))
    index.write_bytes(b"this is not a database " * 100)
    assert len(json.loads(told(capsys, "list", "--all", "--json"))) == 1


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


def test_open_shows_the_record_that_stands_on_that_line(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = told(capsys, "messages", SESSION, "--by", "human").split()[0]
    raw = told(capsys, "open", SESSION, f"transcript:{line}", "--raw")
    assert raw.rstrip("\n") == kept.read_text().splitlines()[int(line[1:]) - 1]
    pretty = told(capsys, "open", SESSION, line)
    assert f"── {line} of {kept}" in pretty
    assert "Find out why and fix it." in pretty


def test_latest_is_the_newest_of_this_project_and_current_is_the_one_that_asks(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    for age, identity in ((50, "1" * 8), (10, "2" * 8), (0, "3" * 8)):
        project = tmp_path / ("other" if age == 0 else "here")
        project.mkdir(exist_ok=True)
        path = folder / f"{identity}-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
        path.write_text(
            SAMPLE.read_text().replace("/home/dev/orders-export", str(project)).replace("5e0c7f4a", identity)
        )
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    monkeypatch.chdir(tmp_path / "here")
    assert json.loads(told(capsys, "show", "latest", "--json"))["session"].startswith("2222")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-31b2-4c6d-9a58-7d1f0e2b9c34")
    assert json.loads(told(capsys, "show", "current", "--json"))["session"].startswith("1111")


def test_current_is_never_simply_the_newest(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Cannot tell which session" in told(capsys, "show", "current", code=1)


@pytest.mark.parametrize(
    "ref", ["../../etc/passwd", "nothing/here.jsonl", "ffffffff", "5e0c7f4a\x00", "a b", "..", "*", "%2e%2e"]
)
def test_what_is_no_session_is_refused(kept: Path, ref: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sessions", "show", ref]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_flags_are_no_ids(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sessions", "show", "-rf"]) == 2
    assert run(["sessions", "show", "--", "-rf"]) == 1
    assert "is not a session id" in capsys.readouterr().err


def test_a_prefix_that_fits_two_sessions_says_so(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(kept, kept.with_name("5e0c7f4a-0000-4c6d-9a58-7d1f0e2b9c34.jsonl"))
    assert "fits 2 sessions" in told(capsys, "show", "5e0c7f4a", code=2)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.jsonl", b"", "The file is empty."),
        ("notes.jsonl", b"hello there\n", "No known client wrote this file."),
        ("packed.jsonl", b"\x1f\x8b\x08\x00" + b"\x00" * 60, "The file is compressed."),
        ("packed.jsonl.zst", b"\x28\xb5\x2f\xfd" + b"\x00" * 60, "The file is compressed."),
        ("other.jsonl", b'{"event": "start"}\n', "No known client wrote this file."),
    ],
)
def test_a_file_of_no_client_is_told_apart(
    tmp_path: Path, name: str, content: bytes, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    message = told(capsys, "show", str(path), code=1)
    assert says in message
    assert str(path) in message


def test_a_folder_is_no_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "A folder is not a transcript." in told(capsys, "show", str(tmp_path) + "/", code=1)


def test_a_subagent_is_no_session_of_its_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thread, agent = "01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6", "01a1e1a2-1b8c-7160-ad7b-4ca88adbe8a6"
    folder = home / ".codex" / "sessions" / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    for identity, more in ((thread, {}), (agent, {"parent_thread_id": thread, "thread_source": "subagent"})):
        meta = {"id": identity, "cwd": "/home/dev/app", "cli_version": "0.166.0", "source": "exec", **more}
        said = {"type": "user_message", "message": "Look at the parser"}
        records = [{"type": "session_meta", "payload": meta}, {"type": "event_msg", "payload": said}]
        lines = [json.dumps({"timestamp": "2026-11-15T10:00:00Z", **record}) + "\n" for record in records]
        (folder / f"rollout-2026-11-15T10-00-00-{identity}.jsonl").write_text("".join(lines))
    rows = json.loads(told(capsys, "list", "--all", "--json"))
    assert [row["session_id"] for row in rows] == [thread]


def test_signals_are_told_with_their_words_and_place(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(told(capsys, "signals", SESSION, "--json"))
    assert answer["session"] == SESSION
    lines = kept.read_text().splitlines()
    for signal in answer["signals"]:
        assert {"kind", "by", "file", "line", "uuid", "quote", "strength", "why"} <= set(signal)
        assert signal["file"] == str(kept)
        assert json.dumps(signal["quote"])[1:-1] in lines[signal["line"] - 1]
    assert {"correction", "constraint", "dead_end", "commit", "file"} <= {one["kind"] for one in answer["signals"]}


def test_signals_of_one_kind_are_shown_strongest_first(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(capsys, "signals", SESSION, "--kind", "correction")
    assert shown.startswith("Corrections (3)")
    told_lines = [line.split()[:2] for line in shown.splitlines() if line.strip().startswith("L")]
    # L100 gives rules for what comes next: a constraint, not a correction.
    assert [place for place, _ in told_lines] == ["L75", "L52", "L122"]
    assert [strength for _, strength in told_lines] == sorted([one for _, one in told_lines], reverse=True)
    assert "Commits" not in shown
    assert "one of" in told(capsys, "signals", SESSION, "--kind", "wish", code=2)


def test_ids_are_as_long_as_it_takes_to_tell_them_apart() -> None:
    assert find_prefix_length([]) == 8
    assert find_prefix_length(["5e0c7f4a-31b2", "6e0c7f4a-31b2"]) == 8
    assert find_prefix_length(["01a1e1a1-2599-7c00", "01a1e1a1-1b8c-7160"]) == 13
    assert find_prefix_length(["01a1e1a1-2599-7c00", "01a1e1a1-2599-7c00"]) == 8


def test_a_file_written_anew_under_the_same_name_is_read_anew(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "list", "--all")
    text = kept.read_text()
    for changed in (
        text.replace("nightly", "monthly"),
        text.replace("nightly", "yearly") + text.splitlines()[0] + "\n",
    ):
        with kept.open("r+") as file:  # the same inode
            file.write(changed)
            file.truncate()
        os.utime(kept, ns=(0, kept.stat().st_mtime_ns + 10**9))
        (row,) = json.loads(told(capsys, "list", "--all", "--json"))
        assert row["title"] == changed[changed.index("The ") :][: len(row["title"])].split("\\n")[0]


def test_a_last_record_without_its_line_end_counts(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = kept.read_text().splitlines()
    last = max(number for number, line in enumerate(lines) if '"type":"assistant"' in line)
    kept.write_text("\n".join(lines[: last + 1]))
    (row,) = json.loads(told(capsys, "list", "--all", "--json"))
    assert row["state"] == json.loads(told(capsys, "show", SESSION, "--json"))["summary"]["state"] == "answered"


@pytest.mark.parametrize(
    "words", [["open", SESSION, "L1"], ["fork-tree", SESSION], ["show", SESSION], ["spine", SESSION]]
)
def test_a_transcript_that_fails_under_us_is_told(
    kept: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "list", "--all")
    status = kept.stat()
    kept.unlink()
    kept.symlink_to("/proc/self/mem")  # it opens, and reading it fails, for root too
    assert run(["sessions", *words]) == 1, status
    assert "Traceback" not in capsys.readouterr().err


def test_many_first_listings_at_once_all_succeed(kept: Path, home: Path) -> None:
    command = [sys.executable, "-m", "thruline.cli.entry", "sessions", "list", "--all", "--json"]
    env = {**os.environ, "HOME": str(home)}
    for _ in range(3):
        for leftover in home.rglob("index.db*"):
            leftover.unlink()
        started = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(5)]
        ended = [process.communicate(timeout=60) for process in started]
        assert [process.returncode for process in started] == [0] * 5, [err for _, err in ended]


def test_a_break_behind_a_backslash_is_no_break(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(kept.read_text().replace("The nightly export", "C:\\\\new\\nand"))
    shown = told(capsys, "open", str(path), "L3", "--around", "0")
    assert "C:\\\\new\n      and" in shown


@pytest.mark.feature("F001-03", via="cli")
def test_a_session_in_two_files_is_told_once(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two accounts, or a copy made by a resume: the same records under the same ids, and a few that only one file has.
    lines = SAMPLE.read_text().splitlines(keepends=True)
    for account, part in (("one", lines[:80]), ("two", lines)):
        folder = tmp_path / account / "projects" / "p"
        folder.mkdir(parents=True)
        (folder / f"{SESSION}.jsonl").write_text("".join(part))
        os.utime(folder / f"{SESSION}.jsonl", (1_700_000_000, 1_700_000_000 + len(part)))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path / 'one'}{os.pathsep}{tmp_path / 'two'}")
    located = locate(SESSION, folder=str(tmp_path))
    assert len(located.files) == 2
    both = [(each.by, each.text) for each in read_messages(located)]
    alone = [(each.by, each.text) for each in read_messages(locate(str(SAMPLE), folder=str(tmp_path)))]
    assert both == alone


def test_a_session_that_went_on_in_two_places_keeps_what_was_said_in_both(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same ids, but other words: no copy, whatever the id says.
    said, instead = "No, don't add a pause.", "Yes, do add a pause."
    for account, words in (("one", said), ("two", instead)):
        folder = tmp_path / account / "projects" / "p"
        folder.mkdir(parents=True)
        (folder / f"{SESSION}.jsonl").write_text(SAMPLE.read_text().replace(said, words))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path / 'one'}{os.pathsep}{tmp_path / 'two'}")
    told = [each.text for each in read_messages(locate(SESSION, folder=str(tmp_path)), by="human")]
    alone = [each.text for each in read_messages(locate(str(SAMPLE), folder=str(tmp_path)), by="human")]
    assert len(told) == len(alone) + 1
    for words in (said, instead):
        assert sum(text.startswith(words) for text in told) == 1
