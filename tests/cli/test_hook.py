"""`thruline hook`: what a team's shared settings call, on each member's machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.kept import ask
from thruline.layout import find_user_paths

PAYLOAD = json.dumps({"session_id": "0b7e5c1a-6a34-4b0e", "hook_event_name": "UserPromptSubmit", "prompt": "Hello."})


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "project"
    for each in (folder, home / ".claude"):
        each.mkdir()
    monkeypatch.chdir(folder)
    return folder


def call(project: Path, *words: str) -> list[str]:
    """The events that reached the spool, after the line that a client runs."""
    payload = json.dumps({**json.loads(PAYLOAD), "cwd": str(project)})
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", "hook", *words],
        input=payload.encode(),
        capture_output=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    spool = Path(find_user_paths().spool)
    return [str(json.loads(path.read_text())["event"]) for path in spool.rglob("*.json")]


def test_who_never_installed_hears_nothing(project: Path) -> None:
    assert call(project, "claude-code", "prompt") == []
    assert not os.path.exists(find_user_paths().state)


def test_who_installed_the_shared_settings_is_answered(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--shared", "--yes", "--harness", "claude-code")
    assert call(project, "claude-code", "prompt") == ["prompt"]


@pytest.mark.parametrize(
    "words", [(), ("claude-code",), ("claude-code", "prompt", "more"), ("../x", "prompt"), ("--x", "-h")]
)
def test_odd_words_are_answered_with_silence(
    project: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--shared", "--yes", "--harness", "claude-code")
    assert call(project, *words) == []


def test_who_installed_for_all_projects_is_not_answered_twice(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for scope in ("--user", "--shared"):
        ask(capsys, "install", scope, "--yes", "--harness", "claude-code")
    assert call(project, "claude-code", "prompt") == []  # the other line does it


def test_it_is_in_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\n  hook " not in ask(capsys, "--help")
