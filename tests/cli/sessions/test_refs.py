"""A session is named by id, prefix, path or word, and what names none is refused."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.sessions.asking import told
from tests.sample import SAMPLE, SESSION
from thruline.cli.door import run


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


@pytest.mark.parametrize("inner", ["../../../x", "-rf", "a/b", "x\\u0000y"])
def test_a_session_that_calls_itself_what_no_id_can_be_goes_by_its_file(
    kept: Path, tmp_path: Path, inner: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_text(kept.read_text().replace(f'"{SESSION}"', f'"{inner}"'))
    assert json.loads(told(capsys, "show", str(kept), "--json"))["session"] == SESSION
    assert f"  session    {SESSION}" in told(capsys, "show", str(kept))
    assert json.loads(told(capsys, "fork-tree", str(kept), "--json"))["root"]["session"] == SESSION
    assert run(["handoff", "prepare", str(kept), "--out", str(tmp_path / "out")]) == 0
    assert json.loads((tmp_path / "out" / "plan.json").read_text())["session"] == SESSION


def test_flags_are_no_ids(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sessions", "show", "-rf"]) == 2
    assert run(["sessions", "show", "--", "-rf"]) == 1
    assert "is not a session id" in capsys.readouterr().err


def test_a_prefix_that_fits_two_sessions_says_so(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(kept, kept.with_name("5e0c7f4a-0000-4c6d-9a58-7d1f0e2b9c34.jsonl"))
    assert "fits 2 sessions" in told(capsys, "show", "5e0c7f4a", code=2)


def test_a_whole_id_names_its_session_also_where_another_goes_on_from_it(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(kept, kept.with_name(f"{SESSION}.bak.jsonl"))
    shutil.copy(kept, kept.with_name(f"{SESSION}-2.jsonl"))
    for ref in (SESSION, SESSION.upper()):
        assert json.loads(told(capsys, "show", ref, "--json"))["files"] == [str(kept)]
    longer = json.loads(told(capsys, "show", f"{SESSION}-2", "--json"))["files"]
    assert longer == [str(kept.with_name(f"{SESSION}-2.jsonl"))]
    assert "give more characters" in told(capsys, "show", SESSION[:20], code=2)


def test_one_id_of_two_clients_is_asked_for_by_path_and_not_by_more_characters(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    day = home / ".codex" / "sessions" / "2026" / "11" / "16"
    day.mkdir(parents=True)
    (day / f"rollout-2026-11-16T10-00-00-{SESSION}.jsonl").write_text('{"type":"session_meta","payload":{}}\n')
    message = told(capsys, "show", SESSION, code=2)
    assert "fits 2 sessions" in message
    assert f"codex:{SESSION}" in message
    assert "give the path of its transcript" in message


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
