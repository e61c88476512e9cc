"""A headless client ends with whoever asked it, however that one ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import SAMPLE
from thruline.child import end_group
from thruline.engines.command import end_orphans
from thruline.harnesses.registry import HARNESSES
from thruline.process import read_process

CLIENT = next(one for one in HARNESSES if one.npm)
PATIENCE = 30.0


@pytest.fixture
def asking(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A handoff that waits for five clients, which note who they are and never answer."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (tmp_path / "temporary").mkdir()
    for name in CLIENT.programs:
        program = programs / name
        program.write_text(f"#!/bin/sh\nsleep 600 &\necho $$ >> {tmp_path}/pids\nwait\n")
        program.chmod(0o755)
    env = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(tmp_path / "temporary")}
    words = ["handoff", str(SAMPLE), "--engine", f"command:{CLIENT.name}"]
    started = subprocess.Popen(
        [str(Path(sys.executable).parent / "thruline"), *words],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        ends = time.monotonic() + PATIENCE
        while len(find_clients(tmp_path)) < 5:
            assert time.monotonic() < ends, "the clients did not start"
            assert started.poll() is None
            time.sleep(0.05)
        yield started
    finally:
        started.kill()
        started.wait()
        for pid in find_running(tmp_path):
            end_group(pid)


def find_clients(folder: Path) -> list[int]:
    note = folder / "pids"
    return [int(line) for line in note.read_text().split()] if note.exists() else []


def find_running(folder: Path) -> list[int]:
    return [pid for pid in find_clients(folder) if read_process(pid)[2]]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_request_to_end_ends_the_clients_and_leaves_nothing(
    asking: "subprocess.Popen[bytes]", tmp_path: Path, name: str
) -> None:
    asking.send_signal(getattr(signal, name))
    assert asking.wait(PATIENCE) == 130
    assert find_running(tmp_path) == []
    assert list((tmp_path / "temporary").glob("thruline-*")) == []
    assert list(tmp_path.rglob("spine.txt")) == []


def test_clients_of_a_thruline_that_was_killed_are_ended_by_the_next(
    asking: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    asking.kill()
    asking.wait(PATIENCE)
    assert len(find_running(tmp_path)) == 5
    stranger = temporary / "thruline-ask-p1-mine"  # whose maker runs
    stranger.mkdir()
    end_orphans(str(temporary))
    ends = time.monotonic() + PATIENCE
    while find_running(tmp_path):
        assert time.monotonic() < ends
        time.sleep(0.05)
    assert list(temporary.glob("thruline-*")) == [stranger]
