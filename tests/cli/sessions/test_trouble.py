"""Transcripts that cannot be read, or vanish: told in three parts or as a located problem, never a traceback."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.kept import ask, put_session, turn_on
from tests.sample import SAMPLE, SESSION
from tests.someone_else import NOBODY, as_someone_else
from thruline.ark import compress as zstd
from thruline.cli.door import run


def thruline(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", *arguments],
        env={**os.environ, "HOME": str(home), "THRULINE_HOME": str(home / "state")},
        cwd="/",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails, for root too")
def test_a_transcript_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.symlink_to("/proc/self/mem")
    done = thruline("sessions", "show", str(broken), home=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "Cannot read the transcript" in done.stderr
    assert str(broken) in done.stderr


def test_a_session_deleted_between_two_listings_is_gone_from_the_list(home: Path) -> None:
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    path = folder / "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
    shutil.copy(SAMPLE, path)
    assert len(json.loads(thruline("sessions", "list", "--all", "--json", home=home).stdout)) == 1
    path.unlink()
    assert json.loads(thruline("sessions", "list", "--all", "--json", home=home).stdout) == []


def test_a_transcript_that_is_rewritten_while_we_read_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "busy.jsonl"
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines))
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.is_set():
            path.write_bytes(b"".join(lines[:70]))
            with path.open("ab") as file:
                for line in lines[70:]:
                    file.write(line)
            time.sleep(0.001)

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for _ in range(5):
            done = thruline("sessions", "spine", str(path), home=tmp_path)
            assert done.returncode in (0, 1), done.stderr
            assert "Traceback" not in done.stderr
            assert "bug" not in done.stderr
    finally:
        stop.set()
        writer.join()


def test_a_name_that_is_not_utf_8_is_listed_and_opened(home: Path) -> None:
    folder = os.fsencode(home / ".claude" / "projects") + b"/caf\xe9"
    os.makedirs(folder)
    path = folder + b"/5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
    with open(path, "wb") as file:
        file.write(SAMPLE.read_bytes())
    listed = thruline("sessions", "list", "--all", home=home)
    assert listed.returncode == 0, listed.stderr
    assert "5e0c7f4a" in listed.stdout
    assert thruline("sessions", "show", "5e0c7f4a", home=home).returncode == 0
    as_json = thruline("sessions", "list", "--all", "--json", home=home)
    assert json.loads(as_json.stdout)[0]["turns"] == 5


def test_an_interrupted_scan_keeps_what_was_scanned(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from thruline.operations.sessions import listing

    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    for number in range(6):
        shutil.copy(SAMPLE, folder / f"{number}{number}{number}c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl")

    def stop(done: int, count: int, *_: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        listing.list_sessions(progress=stop)
    read: list[int] = []
    found = listing.list_sessions(progress=lambda done, count, *_: read.append(count))
    assert len(found.rows) == 6
    assert read == [2, 2]


def test_where_no_client_was_used_that_is_said(home: Path) -> None:
    told = thruline("sessions", "show", "0123456789", home=home).stderr
    assert "  where  no client has a transcript here; looked in the ark\n" in told
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE, folder / "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl")
    told = thruline("sessions", "show", "0123456789", home=home).stderr
    assert "  where  looked for transcripts of Claude Code, and in the ark\n" in told


ROLLOUT = Path(__file__).parents[2] / "harnesses" / "codex" / "samples"
THREAD = "019cb000-1111-7222-8333-444455556666"


def test_a_rollout_that_its_client_compressed_is_named_wherever_it_is_missing(home: Path) -> None:
    (sample,) = ROLLOUT.glob(f"*{THREAD}.jsonl")
    day = home / ".codex" / "sessions" / "2026" / "03" / "02"
    day.mkdir(parents=True)
    packed = day / f"{sample.name}.zst"
    packed.write_bytes(zstd.compress(sample.read_bytes()))
    listed = thruline("sessions", "list", "--all", home=home)
    assert (listed.returncode, listed.stdout) == (0, "No sessions.\n")
    assert listed.stderr == f"note: Compressed by its client, so not read: {packed}\n"
    shown = thruline("sessions", "show", THREAD, home=home)
    assert shown.returncode == 1
    assert "The file is compressed." in shown.stderr
    assert str(packed) in shown.stderr
    assert "zstd -d" in shown.stderr
    # Unpacked beside it, the plain one is read, and nothing is missing.
    shutil.copy(sample, day)
    listed = thruline("sessions", "list", "--all", home=home)
    assert listed.stderr == ""
    assert THREAD[:8] in listed.stdout
    assert thruline("sessions", "show", THREAD, home=home).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take only names that are text")
def test_a_name_that_is_no_text_is_listed_archived_and_forgotten_like_any_other(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "orders-export"
    project.mkdir()
    monkeypatch.chdir(project)
    path = put_session(home)
    path.write_text(path.read_text().replace("/home/dev/orders-export", str(project)))
    odd = path.with_name("12345678bad\udcff.jsonl")
    odd.write_bytes(path.read_bytes())
    turn_on(capsys)
    for _ in range(2):  # read, then from the index
        rows = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
        assert {row["session_id"] for row in rows} == {SESSION, "12345678bad\udcff"}
    ask(capsys, "archive", "--all")
    ask(capsys, "archive", "latest")
    ask(capsys, "handoff", "latest")
    odd.unlink()
    for _ in range(2):
        assert "12345678" in ask(capsys, "sessions", "list", "--all")
    ask(capsys, "forget", "12345678", "--yes")
    rows = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert [row["session_id"] for row in rows] == [SESSION]


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of the user who asks, where that user can go."""
    folder = Path(tempfile.mkdtemp())
    for path in ("state", ".claude/projects/p", ".codex/sessions/2026/11"):
        (folder / path).mkdir(parents=True)
    shutil.copy(SAMPLE, folder / ".claude" / "projects" / "p" / f"{SESSION}.jsonl")
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("THRULINE_HOME", str(folder / "state"))
    monkeypatch.chdir(folder)
    yield folder
    for path in folder.rglob("*"):
        path.chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.skipif(os.name == "nt", reason="folders are closed in another way there")
@pytest.mark.parametrize("name", [".claude/projects", ".claude/projects/p", ".codex/sessions", ".codex/sessions/2026"])
def test_a_folder_of_sessions_that_may_not_be_read_is_told_wherever_one_is_missing(
    theirs: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (theirs / name).chmod(0)
    with as_someone_else():
        assert run(["sessions", "list", "--all"]) == 0
        assert f"note: Not ours to read, so not looked into: {theirs / name}\n" in capsys.readouterr().err
        assert run(["sessions", "show", "0f0f0f0f"]) == 1
        assert f"not into {theirs / name}, which may not be read" in capsys.readouterr().err
        assert run(["sessions", "show", "latest"]) == 1
        assert f"{theirs / name} may not be read" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="files are closed in another way there")
def test_a_transcript_that_may_not_be_read_says_so_however_it_is_named(
    theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = theirs / ".claude" / "projects" / "p" / f"{SESSION}.jsonl"
    path.chmod(0)
    with as_someone_else():
        for words in (["sessions", "show", SESSION], ["sessions", "show", str(path)], ["handoff", SESSION]):
            assert run(words) == 1
            told = capsys.readouterr().err
            assert "permission denied" in told.lower()
            assert str(path) in told
            assert "try again" not in told
