"""`thruline loop run` asked to end, or killed: its client does not go on alone."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from thruline.cli.door import run
from thruline.disk.owner import is_running
from thruline.harnesses.registry import HARNESSES
from thruline.layout import find_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are of other systems")
HARNESS = next(each for each in HARNESSES if each.session_variable)
SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
CLIENT = """#!/bin/sh
echo $$ > "$PLACE"
exec sleep 60
"""


def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A loop of a session that has no transcript, and where its client notes its process."""
    project, programs, place = tmp_path / "project", tmp_path / "bin", tmp_path / "client.pid"
    for folder in (project, programs):
        folder.mkdir()
    program = programs / HARNESS.programs[0]
    program.write_text(CLIENT)
    program.chmod(0o755)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PLACE", str(place))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv(HARNESS.session_variable, SESSION)
    assert run(["context", "init"]) == 0
    assert run(["loop", "start", "Port it.", "--promise", "PORTED"]) == 0
    assert run(["config", "set", "models.daily_dollars", "9"]) == 0
    return place


@pytest.fixture
def driver(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """A loop that is driven, and the process of its client, which does nothing for a minute."""
    place = begin(tmp_path, monkeypatch)
    words = [sys.executable, "-m", "thruline", "loop", "run", "--new-session"]
    running = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: place.exists() and place.read_text().strip() != "")
        yield running, int(place.read_text())
    finally:
        running.kill()
        running.wait()
        if place.exists() and is_alive(int(place.read_text() or 0)):
            os.kill(int(place.read_text()), signal.SIGKILL)


def is_alive(pid: int) -> bool:
    """Whether it runs; one that ended and that nobody asked about yet does not."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self").exists():
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    return bool(is_running(pid))


def wait_for_note() -> list[Path]:
    loops = Path(find_project(os.curdir).loops)
    wait_until(lambda: bool(list(loops.glob("*.run.json"))))
    return list(loops.glob("*.run.json"))


def wait_until(is_so: object, seconds: float = 30.0) -> None:
    assert callable(is_so)
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_run_that_is_asked_to_end_takes_its_client_with_it(
    driver: tuple["subprocess.Popen[bytes]", int], asked: signal.Signals
) -> None:
    running, client = driver
    running.send_signal(asked)
    running.wait(timeout=30)
    wait_until(lambda: not is_alive(client))


@pytest.mark.parametrize("verb", [["cancel", "port-it"], ["pause", "port-it"], ["stop", "--all"]])
def test_the_client_of_a_killed_run_ends_with_its_loop(
    driver: tuple["subprocess.Popen[bytes]", int], verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    running, client = driver
    (note,) = wait_for_note()
    wait_until(lambda: f'"pid": {client}' in note.read_text())
    running.kill()
    running.wait()
    assert is_alive(client)
    assert run(["loop", *verb]) == 0
    wait_until(lambda: not is_alive(client))
    assert not note.exists()


def test_stop_all_ends_the_client_of_a_loop_that_was_held_before(
    driver: tuple["subprocess.Popen[bytes]", int], capsys: pytest.CaptureFixture[str]
) -> None:
    running, client = driver
    (note,) = wait_for_note()
    wait_until(lambda: f'"pid": {client}' in note.read_text())
    running.kill()
    running.wait()
    path = Path(json.loads(run_json(capsys, "loop", "show", "port-it"))["path"])
    path.write_text(path.read_text().replace("status: active", "status: paused"))
    assert run(["loop", "stop", "--all"]) == 0
    wait_until(lambda: not is_alive(client))
    assert not note.exists()


def test_a_loop_whose_session_is_gone_is_not_driven_in_a_new_one_unasked(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = begin(tmp_path, monkeypatch)
    capsys.readouterr()
    assert run(["loop", "run"]) == 1
    said = capsys.readouterr().err
    assert "The session of this loop is gone: its client has no transcript of it." in said
    assert f"{HARNESS.name}:{SESSION}" in said
    assert "--new-session goes on in a new one, which knows the prompt alone" in said
    assert not place.exists(), "no client was started"
    [loop] = json.loads(run_json(capsys, "loop", "list"))
    assert (loop["status"], loop["iteration"]) == ("active", 0)
    assert list(Path(find_project(os.curdir).loops).glob("*.run.json")) == []
    assert run(["loop", "run", "--new-session", "--timeout", "1"]) == 1
    said = capsys.readouterr().err
    assert f"a new session of {HARNESS.name} begins" in said
    [loop] = json.loads(run_json(capsys, "loop", "list"))
    assert (loop["status"], loop["iteration"], loop["session"]) == ("paused", 2, f"{HARNESS.name}:{SESSION}")


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("max_iterations: 3", "max_iterations: three", '"three" is no number of iterations.'),
        ("schema: 1\n", "", 'The loop\'s file has no "schema" that we know.'),
    ],
)
def test_a_limit_that_cannot_be_read_is_not_no_limit(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    was: str,
    now: str,
    why: str,
) -> None:
    place = begin(tmp_path, monkeypatch)
    assert run(["loop", "start", "Again.", "--max-iterations", "3"]) == 0
    path = Path(json.loads(run_json(capsys, "loop", "show", "again"))["path"])
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, now))
    assert run(["loop", "run", "again", "--new-session", "--timeout", "1"]) == 1
    assert why in capsys.readouterr().err
    assert not place.exists(), "no client was started"
    for verb in ("activate", "pause", "resume"):
        assert run(["loop", verb, "again"]) == (0 if verb == "pause" else 1)
    assert capsys.readouterr().err.count(why) == 2
    assert run(["loop", "resume", "again", "--max-iterations", "4"]) == (0 if "three" in now else 1)


def test_a_limit_that_is_spoilt_while_the_client_is_at_work_ends_the_run(
    driver: tuple["subprocess.Popen[bytes]", int], capsys: pytest.CaptureFixture[str]
) -> None:
    running, client = driver
    path = Path(json.loads(run_json(capsys, "loop", "show", "port-it"))["path"])
    path.write_text(path.read_text().replace("max_iterations: 0", "max_iterations: none"))
    assert running.wait(timeout=30) == 1
    wait_until(lambda: not is_alive(client))


def test_a_client_that_fails_in_the_last_iteration_is_a_problem_of_the_run(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(tmp_path, monkeypatch)
    assert run(["loop", "start", "Again.", "--max-iterations", "1"]) == 0
    capsys.readouterr()
    assert run(["loop", "run", "again", "--new-session", "--timeout", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["paused_by"], told["iteration"]) == ("paused", "max_iterations", 1)
    assert "timeout" in told["problem"]


def test_with_a_stop_file_nothing_is_begun_and_nothing_counted(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = begin(tmp_path, monkeypatch)
    [loop] = json.loads(run_json(capsys, "loop", "list"))
    stop = Path(find_project(os.curdir).build_loop(loop["id"], ".stop"))
    stop.touch()
    assert run(["loop", "run", "--new-session"]) == 0
    [loop] = json.loads(run_json(capsys, "loop", "list"))
    assert (loop["status"], loop["paused_by"], loop["iteration"]) == ("paused", "stop file", 0)
    assert not place.exists(), "no client was started"
    assert not stop.exists()


def test_a_loop_is_driven_by_one_at_a_time(
    driver: tuple["subprocess.Popen[bytes]", int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["loop", "run", "--new-session"]) == 1
    assert "This loop is being driven already." in capsys.readouterr().err
    assert is_alive(driver[1])


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run([*words, "--json"]) == 0
    return capsys.readouterr().out
