"""Validators are shown; run when asked, each with a timeout and all its children; what was seen is kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.packets.projects import Project
from thruline.errors import Refused
from thruline.operations.packets.store import read_packet
from thruline.operations.packets.validating import run_validators, show_validators

COMMAND = "import sys; from thruline.cli.door import run; sys.exit(run(sys.argv[1:]))"


def test_validators_are_shown_and_nothing_runs(project: Project) -> None:
    made = project.put("x", validators=["touch ran"])
    before = project.read(made)
    assert show_validators(project.paths, made).commands == ("touch ran",)
    assert not (project.root / "ran").exists()
    assert project.read(made) == before


def test_what_was_seen_is_kept_in_the_packet_and_a_later_run_replaces_it(project: Project) -> None:
    made = project.put("x", validators=["test -f wanted", "true"])
    path = Path(project.paths.packets, made + ".md")
    path.write_text(path.read_text() + "my own note\n")
    first = run_validators(project.paths, made)
    assert [(one.command, one.problem) for one in first.results] == [
        ("test -f wanted", "ended with status 1"),
        ("true", ""),
    ]
    assert not first.passed
    packet = read_packet(project.paths, made)
    assert str(packet.document.get("validated")).endswith(", 1 of 2 passed")
    notes = (packet.document.read_section("Notes", 2) or "").splitlines()
    assert notes[0] == "my own note"
    assert [line.partition(": ")[2] for line in notes[1:]] == ["`test -f wanted` ended with status 1", "`true` passed"]
    (project.root / "wanted").write_text("")
    assert run_validators(project.paths, made).passed
    notes = (read_packet(project.paths, made).document.read_section("Notes", 2) or "").splitlines()
    assert [line.partition(": ")[2] or line for line in notes] == [
        "my own note", "`test -f wanted` passed", "`true` passed",
    ]  # fmt: skip


def test_one_that_hangs_is_ended_with_its_children(project: Project) -> None:
    made = project.put("x", validators=["sleep 300 & echo $! > child; wait"])
    (result,) = run_validators(project.paths, made, timeout=1.0).results
    assert result.problem == "did not end within 1 s"
    assert is_over(int((project.root / "child").read_text()))


def test_an_interrupt_ends_the_command_and_keeps_what_was_seen(project: Project) -> None:
    made = project.put("x", validators=["true", "sleep 300 & echo $! > child; wait", "touch never"])
    line = [sys.executable, "-c", COMMAND, "packet", "validate", made, "--run"]
    process = subprocess.Popen(line, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not (project.root / "child").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out.decode().splitlines()[0] == "passed: true"
    assert is_over(int((project.root / "child").read_text()))
    assert not (project.root / "never").exists()
    assert str(read_packet(project.paths, made).document.get("validated")).endswith(", 1 of 3 passed")


def test_a_packet_without_validators_or_of_a_newer_thruline_runs_nothing(project: Project) -> None:
    with pytest.raises(Refused, match="no validators"):
        run_validators(project.paths, project.put("x"))
    newer = project.put("y", schema=2, validators=["touch ran"])
    with pytest.raises(Refused, match="newer thruline"):
        run_validators(project.paths, newer)
    assert not (project.root / "ran").exists()


def is_over(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]:
            return True
        time.sleep(0.05)
    return False
