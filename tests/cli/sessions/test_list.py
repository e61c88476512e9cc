"""`sessions list` from the outside: found where the client keeps them, and only what changed is read again."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.sessions.asking import told
from tests.sample import SAMPLE, SESSION
from thruline.harnesses.contract import Reader
from thruline.harnesses.registry import Harness
from thruline.operations.sessions import scanning
from thruline.operations.sessions.listing import find_prefix_length


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


@pytest.mark.parametrize("recorded", ["link", "link/below", "up/project/below"])
def test_a_session_recorded_by_way_of_a_link_belongs_to_where_the_link_leads(
    home: Path,
    tmp_path: Path,
    recorded: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "real" / "project" / "below").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(tmp_path / "real" / "project")], check=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "project")
    (tmp_path / "up").symlink_to(tmp_path / "real")
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    text = SAMPLE.read_text().replace("/home/dev/orders-export", str(tmp_path / recorded))
    (folder / f"{SESSION}.jsonl").write_text(text)
    for here in (recorded, "real/project", "real/project/below"):
        monkeypatch.chdir(tmp_path / here)
        (row,) = json.loads(told(capsys, "list", "--json"))
        assert row["session_id"] == SESSION
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path / "beside")
    assert json.loads(told(capsys, "list", "--json")) == []


def test_a_folder_that_is_not_a_whole_path_belongs_to_no_project(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_text(SAMPLE.read_text().replace("/home/dev/orders-export", "below"))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    assert json.loads(told(capsys, "list", "--json")) == []


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


def test_many_first_listings_at_once_all_succeed(kept: Path, home: Path) -> None:
    command = [sys.executable, "-m", "thruline.cli.entry", "sessions", "list", "--all", "--json"]
    env = {**os.environ, "HOME": str(home)}
    for _ in range(3):
        for leftover in home.rglob("index.db*"):
            leftover.unlink()
        started = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(5)]
        ended = [process.communicate(timeout=60) for process in started]
        assert [process.returncode for process in started] == [0] * 5, [err for _, err in ended]
