"""How long an operation waits is what the settings say, wherever it waits."""

import os
from pathlib import Path

import pytest

from thruline.ark.store import Ark
from thruline.cli.door import run
from thruline.disk.lock import Lock
from thruline.layout import find_user_paths

pytestmark = pytest.mark.timeout(30)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and settings that give up soon; what ignores them waits longer than a test may."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("THRULINE_GIT_TIMEOUT_SECONDS", "0.25")
    monkeypatch.setenv("THRULINE_DISK_LOCK_SECONDS", "0.25")
    return root


@pytest.fixture
def slow_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that never answers, first in PATH."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("slow_git")
@pytest.mark.parametrize("words", [["doctor"], ["context", "show"], ["context", "init", "."]])
def test_git_is_given_up_after_the_seconds_of_the_setting(
    words: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    run(words)
    assert "git took longer than 0.25 s" in capsys.readouterr().out


@pytest.mark.timeout(9)  # less than the default of the setting
def test_init_waits_for_its_lock_as_long_as_the_setting_says(capsys: pytest.CaptureFixture[str]) -> None:
    path = find_user_paths().init_lock
    os.makedirs(os.path.dirname(path), 0o700)
    with Lock(path):
        assert run(["context", "init", "."]) == 1
    assert path in capsys.readouterr().err


def test_the_ark_waits_for_its_lock_as_long_as_the_setting_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THRULINE_ARK_ENABLED", "true")
    seen: list[float] = []
    made = Ark.__init__

    def watch(self: Ark, folder: str, lock_seconds: float = 99.0) -> None:
        seen.append(lock_seconds)
        made(self, folder, lock_seconds)

    monkeypatch.setattr(Ark, "__init__", watch)
    assert run(["archive", "--all"]) == 0
    assert set(seen) == {0.25}
