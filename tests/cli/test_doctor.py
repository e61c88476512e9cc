"""`thruline doctor` from the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.cli.door import run
from thruline.layout import find_user_paths


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project as the working folder."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    assert run(["context", "init"]) == 0
    return root


def test_nothing_broken_is_exit_0_in_a_real_process():
    done = subprocess.run([sys.executable, "-m", "thruline.cli.entry", "doctor"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nNothing broken, " in done.stdout
    assert done.stdout.startswith("ok      python ")


@pytest.mark.feature("F002-45", via="cli")
def test_something_broken_is_exit_1_with_a_fix_in_both_forms(project, capsys):
    capsys.readouterr()
    (project / ".agent" / "context" / "config.toml").write_text("[nonsense]\nx = 1\n")
    assert run(["doctor"]) == 1
    text = capsys.readouterr().out
    assert "broken  config " in text
    assert run(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (config,) = [each for each in found["findings"] if each["name"] == "config"]
    assert set(config) == {"name", "state", "what", "fix", "automatic"}
    assert (config["state"], found["broken"]) == ("broken", 1)
    assert config["fix"] in text


def test_fix_tells_what_it_did(capsys):
    os.chmod(find_user_paths().state, 0o777)
    capsys.readouterr()
    assert run(["doctor"]) == 1
    assert "thruline doctor --fix does it" in capsys.readouterr().out
    assert run(["doctor", "--fix"]) == 0
    assert capsys.readouterr().out.startswith("fixed   state: ")
    assert run(["doctor"]) == 0


def test_runs_with_no_git_no_home_and_a_broken_config(project, home, tmp_path):
    (project / ".agent" / "context" / "config.toml").write_bytes(b"\xff\xfe[")
    env = {name: value for name, value in os.environ.items() if name not in ("HOME", "USERPROFILE", "PATH")}
    env["THRULINE_HOME"] = str(tmp_path / "state")
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", "doctor"], capture_output=True, text=True, env=env
    )
    assert done.returncode == 1
    assert "note    git " in done.stdout
    assert "broken  config " in done.stdout
    assert "Traceback" not in done.stderr
