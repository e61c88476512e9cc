"""What machines do to programs: a deleted folder, a full disk, a state that cannot be written. No bug, so no report."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sample import SAMPLE
from thruline.cli import door
from thruline.disk.atomic import make_folders
from thruline.layout import find_user_paths

COMMAND = [sys.executable, "-m", "thruline.cli.entry"]
NAME = "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"


@pytest.fixture(autouse=True)
def session(home: Path) -> Path:
    """One session in a client's folder."""
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    return Path(shutil.copy(SAMPLE, folder / f"{NAME}.jsonl"))


# --- the working folder is gone -----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [["config", "list"], ["context", "init"], ["context", "show"], ["sessions", "list"]])
def test_a_deleted_working_folder_is_told(tmp_path: Path, line: list[str], home: Path) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd "$1"; rmdir "$1"; shift; exec "$@"'
    done = subprocess.run(["sh", "-c", script, "sh", tmp_path / "gone", *COMMAND, *line], capture_output=True)
    assert done.stderr == b"The working folder no longer exists.\n  try    cd into a folder that does\n"
    assert done.returncode == 1
    assert list(home.rglob("bug-*")) == []


def test_what_needs_no_folder_runs_in_a_deleted_one(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    script = 'cd "$1"; rmdir "$1"; shift; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", tmp_path / "gone", *COMMAND, "scrub", "-"], input=b"a", capture_output=True
    )
    assert (done.returncode, done.stdout) == (0, b"a")


# --- the output cannot be written ---------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "line",
    [
        ["doctor"],
        ["doctor", "--json"],
        ["--help"],
        ["scrub", "-"],
        ["completion", "bash"],
        ["sessions", "show", NAME],
        ["sessions", "spine", NAME],
        ["sessions", "nothing", "--json"],
    ],
)
def test_a_full_disk_behind_the_output_is_told_in_one_line(line: list[str], home: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *line], stdout=full, stderr=subprocess.PIPE, input=b"x" * 100_000)
    assert done.returncode == 1
    assert done.stderr == b"Cannot write the output: No space left on device.\n"
    assert list(home.rglob("bug-*")) == []


@pytest.mark.parametrize("line", [["doctor"], ["sessions", "show", NAME], ["sessions", "list"], ["scrub", "-"]])
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
def test_a_closed_output_is_no_bug(line: list[str], closed: str, home: Path) -> None:
    done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *line], capture_output=True, input=b"a")
    assert done.returncode in (0, 1)
    assert list(home.rglob("bug-*")) == []


# --- the system says no -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EIO])
def test_what_the_system_refuses_is_told_with_the_path(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/some/file")

    monkeypatch.setattr("thruline.cli.config.find_project", refuse)
    assert door.run(["config", "list"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"Cannot use file: {os.strerror(number)[0].lower()}")
    assert "  where  /some/file\n  try    " in told


def test_what_should_be_there_and_is_not_stays_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def miss(*_: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/some/file")

    monkeypatch.setattr("thruline.cli.config.find_project", miss)
    assert door.run(["config", "list"]) == 3


# --- the index cannot be kept -------------------------------------------------------------------------------------


def spoil_by_folder() -> None:
    os.makedirs(find_user_paths().index)


def spoil_by_file() -> None:
    make_folders(os.path.dirname(find_user_paths().state))
    Path(find_user_paths().state).write_text("a file")


@pytest.mark.parametrize("spoil", [spoil_by_folder, spoil_by_file])
def test_sessions_are_listed_without_an_index_and_that_is_said_once(
    spoil: object, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil()  # type: ignore[operator]
    assert door.run(["sessions", "list", "--all", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [row["session_id"] for row in json.loads(out)] == [NAME]
    assert err.startswith("note: What was read cannot be kept for the next time: ")
    assert err.count("\n") == 1


def test_a_full_disk_in_the_middle_of_a_listing_loses_no_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, session: Path
) -> None:
    assert door.run(["sessions", "list", "--all"]) == 0
    capsys.readouterr()
    for number in range(3):
        shutil.copy(SAMPLE, session.with_name(f"{NAME[:-1]}{number}.jsonl"))
    # SQLite's own way to be full: no page more than there are.
    connect = door_connect()
    monkeypatch.setattr("thruline.index.sessions.sqlite3.connect", connect)
    assert door.run(["sessions", "list", "--all", "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 4
    assert err.count("note: ") == 1
    assert "disk is full" in err


def door_connect() -> object:
    import sqlite3

    real = sqlite3.connect

    def connect(*arguments: object, **options: object) -> sqlite3.Connection:
        made = real(*arguments, **options)  # type: ignore[arg-type]
        made.execute("pragma max_page_count=1")
        return made

    return connect


def test_an_index_that_another_process_holds_is_not_thrown_away(capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3

    assert door.run(["sessions", "list", "--all"]) == 0
    path = find_user_paths().index
    before = os.stat(path).st_ino
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("pragma locking_mode=exclusive")
    holder.execute("begin exclusive")
    holder.execute("delete from made_by")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thruline.index.sessions.PATIENCE", 0.05)
        assert door.run(["sessions", "list", "--all"]) == 0
    holder.close()
    assert os.stat(path).st_ino == before
    assert "locked" in capsys.readouterr().err
