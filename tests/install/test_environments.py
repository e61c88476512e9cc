"""The environment that hooks run in may go, and another one takes over: settings stay as they are."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import thruline
from tests.install.conftest import Installed, build_env, install_with_uv_tool
from thruline.layout import UserPaths

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


def call_another_version(installed: Installed, version: str) -> None:
    """Makes the installed package say that it is `version`."""
    [init] = installed.python.parents[1].glob("lib/python*/site-packages/thruline/__init__.py")
    text = init.read_text()
    init.write_text(text.replace(f'"{thruline.__version__}"', f'"{version}"'))
    assert init.read_text() != text


def test_another_environment_with_another_version_takes_over_without_a_change_of_settings(
    wheel: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    files = {"claude-code": home / ".claude" / "settings.json", "codex": home / ".codex" / "hooks.json"}
    for path in files.values():
        path.parent.mkdir(parents=True)
        path.write_text('{"model": "opus"}\n')
    first = replace(install_with_uv_tool(wheel, tmp_path / "first"), env=build_env(home))
    call_another_version(first, "0.0.1")
    done = first.run("install", "--yes", cwd=home)
    assert done.returncode == 0, done.stderr
    lines = {name: first.run("install", "--show-command", name, "prompt", cwd=home).stdout.strip() for name in files}
    installed = {name: path.read_bytes() for name, path in files.items()}
    for name, line in lines.items():
        assert line.encode() in installed[name]
        assert run_line(line, home) == ["prompt"]

    shutil.rmtree(tmp_path / "first")
    assert [run_line(line, home) for line in lines.values()] == [[], []]

    second = replace(install_with_uv_tool(wheel, tmp_path / "second"), env=build_env(home))
    call_another_version(second, "999.0.0")
    assert second.run("config", "list", cwd=home).returncode == 0  # any command: nobody has to install again
    for _ in range(2):
        # What a client trusts is a hash of these very bytes.
        assert {name: path.read_bytes() for name, path in files.items()} == installed
        assert [run_line(line, home) for line in lines.values()] == [["prompt"], ["prompt"]]
        assert second.run("install", "--yes", cwd=home).returncode == 0
    assert second.run("uninstall", "--yes", cwd=home).returncode == 0
    assert [path.read_text() for path in files.values()] == ['{"model": "opus"}\n'] * 2
