"""An upgrade is not felt: what clients call stays the same, and answers from whatever environment is there."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from thruline.harnesses.telling import find_tellable
from thruline.layout import HookPaths, UserPaths, build_project_key

HARNESS = find_tellable()[0].name
SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
WRITE = "import sys; from thruline.operations.hook_entry import write_entry; write_entry(sys.argv[1])"


def make_environment(folder: Path, wheel: Path, version: str) -> Path:
    """An environment with our wheel, said to be `version`, and this one's dependencies; returns its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    [site] = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    init = site / "thruline" / "__init__.py"
    init.write_text(init.read_text().replace('__version__ = "', f'__version__ = "{version}" or "'))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin" / "python"


@pytest.mark.skipif(os.name == "nt", reason="environments lie elsewhere there")
def test_the_same_command_answers_before_and_after_and_is_silent_between(wheel: Path, tmp_path: Path, home: Path):
    state, project = tmp_path / "state", tmp_path / "project"
    project.mkdir()
    env = {**os.environ, "THRULINE_HOME": str(state)}
    paths = UserPaths(str(state), "")
    here = HookPaths(str(state), build_project_key("", os.path.realpath(project)))
    command = [paths.hook_python, "-I", "-S", paths.hook_entry, HARNESS, "session_start"]

    def call() -> str:
        payload = json.dumps({"session_id": SESSION, "cwd": str(project), "source": "startup"}).encode()
        done = subprocess.run(command, input=payload, capture_output=True, env={})
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    old = make_environment(tmp_path / "old", wheel, "0.0.1")
    subprocess.run([old, "-I", "-c", WRITE, state], check=True, env=env, cwd=tmp_path)
    ready = Path(here.build_start(HARNESS))
    ready.parent.mkdir(parents=True)
    envelope = {"schema": 1, "id": "1", "kind": "start", "from": "other", "pid": 0, "text": "Told."}
    ready.write_text(json.dumps(envelope))
    assert "Told." in call()
    stub = Path(paths.hook_entry).read_text()
    assert "thruline 0.0.1" in stub
    assert str(tmp_path / "old") in stub

    shutil.rmtree(tmp_path / "old")
    assert call() == ""

    new = make_environment(tmp_path / "new", wheel, "9.9.9")
    assert call() == ""  # nobody has run it yet
    done = subprocess.run(
        [new, "-I", "-m", "thruline.cli.entry", "sessions", "list"],
        env=env,
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Told." in call()
    stub = Path(paths.hook_entry).read_text()
    assert "thruline 9.9.9" in stub
    assert str(tmp_path / "old") not in stub
    assert repr(str(new)) in stub  # the worker runs where the package is
    assert list(home.rglob("settings*")) == []
