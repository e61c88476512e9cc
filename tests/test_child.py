"""Programs that we run: their status, their end, and that nothing of them is left."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thruline.child import end_group, run_child, run_line
from thruline.process import read_process

QUIET = (subprocess.DEVNULL, subprocess.DEVNULL, subprocess.DEVNULL)
# A program with a child, which notes its own number and the child's.
FAMILY = "sleep 60 & echo $$ $! > pids; wait"


def run(folder: Path, line: str, timeout: float = 30.0, **options: object) -> tuple[int, str]:
    argv = ["/bin/sh", "-c", line]
    return run_child(argv, folder=str(folder), env=dict(os.environ), streams=QUIET, timeout=timeout, **options)  # type: ignore[arg-type]


def is_gone(folder: Path) -> bool:
    """Whether none of them runs; what was killed may take a moment to die."""
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    patience = time.monotonic() + 20
    while any(read_process(pid)[0] for pid in pids):
        if time.monotonic() > patience:
            return False
        time.sleep(0.01)
    return True


def test_a_program_that_ends_tells_its_status(tmp_path: Path) -> None:
    assert run(tmp_path, "exit 7") == (7, "")
    assert run(tmp_path, "true") == (0, "")


def test_a_child_left_behind_ends_with_its_parent(tmp_path: Path) -> None:
    assert run(tmp_path, "sleep 60 & echo $! > pids") == (0, "")
    assert is_gone(tmp_path)


def test_what_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    code, why = run(tmp_path, FAMILY, 0.5)
    assert (code, why) == (-1, "timeout: did not end within 0.5 s")
    assert is_gone(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows whose child a process was")
@pytest.mark.parametrize("timeout", [30.0, 1.0])
def test_a_child_that_made_itself_a_session_of_its_own_ends_too(tmp_path: Path, timeout: float) -> None:
    waits = "until [ -s pids ]; do sleep 0.01; done" + ("; sleep 60" if timeout < 30 else "")
    escaped = "setsid sh -c 'sleep 61 & echo $$ $! > made; mv made pids; wait' </dev/null >/dev/null 2>&1 &"
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        run(tmp_path, f"{escaped} {waits}", timeout, deep=True)
        assert len((tmp_path / "pids").read_text().split()) == 2
        assert is_gone(tmp_path)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_who_looks_can_end_it_and_knows_its_number(tmp_path: Path) -> None:
    seen = []

    def look(pid: int) -> str:
        seen.append(pid)
        return "enough" if (tmp_path / "pids").exists() and (tmp_path / "pids").read_text() else ""

    assert run(tmp_path, FAMILY, look=look) == (-1, "enough")
    assert str(seen[0]) == (tmp_path / "pids").read_text().split()[0]
    assert is_gone(tmp_path)


def test_an_error_while_looking_leaves_nothing_running(tmp_path: Path) -> None:
    def look(_pid: int) -> str:
        if (tmp_path / "pids").exists() and (tmp_path / "pids").read_text():
            raise KeyboardInterrupt
        return ""

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, FAMILY, look=look)
    assert is_gone(tmp_path)


def test_a_line_tells_how_it_failed_and_the_end_of_what_it_said(tmp_path: Path) -> None:
    env = dict(os.environ)
    assert run_line("echo fine", folder=str(tmp_path), env=env, timeout=30) == ("", "fine")
    assert run_line("echo no >&2; exit 3", folder=str(tmp_path), env=env, timeout=30) == ("ended with status 3", "no")
    assert run_line("sleep 60", folder=str(tmp_path), env=env, timeout=0.3) == ("did not end within 0.3 s", "")
    how, said = run_line("yes | head -c 100000; echo last", folder=str(tmp_path), env=env, timeout=30)
    assert (how, said[-4:], len(said) < 20_000) == ("", "last", True)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how large the file is")
def test_a_line_that_never_stops_talking_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thruline.child._MOST", 1 << 20)
    line = "yes | head -c 50000000; sleep 0.5; stat -L -c %s /proc/$$/fd/1"
    how, said = run_line(line, folder=str(tmp_path), env=dict(os.environ), timeout=60)
    assert how == ""
    assert said.splitlines()[-2] == "y"
    assert int(said.splitlines()[-1]) < 1 << 20


def test_a_group_that_is_over_can_be_ended_again(tmp_path: Path) -> None:
    process = subprocess.Popen(["true"], start_new_session=True)
    process.wait()
    end_group(process.pid)
