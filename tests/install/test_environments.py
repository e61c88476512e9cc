"""The environment that hooks run in may go, and another one takes over: settings stay as they are."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.install.conftest import build_env, install_with_pip
from thruline.layout import UserPaths

pytestmark = pytest.mark.client

SESSION = "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"


def run_line(line: str, home: Path) -> list[str]:
    """What a client runs at a prompt, and the events that it left; the worker may have taken them already."""
    payload = {"session_id": SESSION, "cwd": str(home), "hook_event_name": "UserPromptSubmit", "prompt": "Hello."}
    done = subprocess.run(
        ["sh", "-c", line], input=json.dumps(payload).encode(), capture_output=True, env=build_env(home), check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    spool = Path(UserPaths(str(home / ".local" / "state" / "thruline"), "").spool)
    found = [path for path in spool.rglob("*.json") if not path.name.startswith(".")]
    events = [str(json.loads(path.read_text())["event"]) for path in found]
    for path in found:
        path.unlink()
    return events


def test_another_environment_takes_over_without_a_change_of_settings(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"model": "opus"}\n')
    first = replace(install_with_pip(wheel, tmp_path / "first"), env=build_env(home))
    done = first.run("install", "--yes", "--harness", "claude-code", cwd=home)
    assert done.returncode == 0, done.stderr
    line = first.run("install", "--show-command", "claude-code", "prompt", cwd=home).stdout.strip()
    installed = settings.read_bytes()
    assert line.encode() in installed
    assert run_line(line, home) == ["prompt"]

    shutil.rmtree(tmp_path / "first")
    assert run_line(line, home) == []

    second = replace(install_with_pip(wheel, tmp_path / "second"), env=build_env(home))
    assert second.run("config", "list", cwd=home).returncode == 0  # any command: nobody has to install again
    assert settings.read_bytes() == installed
    assert run_line(line, home) == ["prompt"]
    assert second.run("install", "--yes", "--harness", "claude-code", cwd=home).returncode == 0
    assert settings.read_bytes() == installed
    assert second.run("uninstall", "--yes", cwd=home).returncode == 0
    assert settings.read_text() == '{"model": "opus"}\n'
