"""`thruline off` and `on`: the files that every hook looks for, and nothing else."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.kept import ask
from thruline.layout import HookPaths, build_project_key, find_user_paths


def test_off_everywhere_and_on_again(capsys: pytest.CaptureFixture[str]) -> None:
    user = find_user_paths()
    assert "off everywhere." in ask(capsys, "off")
    assert os.path.isfile(user.off)
    assert "off everywhere already." in ask(capsys, "off")
    assert "on everywhere." in ask(capsys, "on")
    assert not os.path.exists(user.off)
    assert json.loads(ask(capsys, "on", "--json")) == {"on": True, "root": "", "changed": False, "also": ""}


def test_off_here_counts_for_the_whole_project_and_for_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "deep").mkdir()
    user = find_user_paths()
    ask(capsys, "off", "--here", "-C", str(tmp_path / "deep"))
    path = HookPaths(user.state, build_project_key("", str(tmp_path.resolve()))).off
    assert os.path.isfile(path)
    assert not os.path.exists(user.off)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".git", "deep"]
    ask(capsys, "on", "--here", "-C", str(tmp_path))
    assert not os.path.exists(path)


def test_on_says_what_still_keeps_them_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "off")
    assert "off everywhere; thruline on" in ask(capsys, "on", "--here", "-C", str(tmp_path))
    monkeypatch.setenv("THRULINE_OFF", "1")
    assert "THRULINE_OFF is set" in ask(capsys, "on")


def test_they_work_with_broken_settings(capsys: pytest.CaptureFixture[str]) -> None:
    user = find_user_paths()
    os.makedirs(user.config)
    Path(user.config_file).write_text("[")
    ask(capsys, "off")
    assert os.path.isfile(user.off)
