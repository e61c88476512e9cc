"""Git is asked while a session is read, and what goes wrong there is told where its answer is waited for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from thruline.layout import find_project
from thruline.operations.handoff import brief
from thruline.operations.handoff.brief import GitAside, make_brief
from thruline.operations.sessions.locate import locate

SESSION = "5e551012-0000-4000-8000-000000000001"


@pytest.mark.skipif(sys.platform == "win32", reason="the git that waits is a shell script")
def test_git_answers_while_the_session_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, begun = tmp_path / "shop", tmp_path / "begun"
    project.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(project)], check=True)
    talk = Transcript(tmp_path / "t" / f"{SESSION}.jsonl", SESSION)
    talk.user("Orders are written twice.", cwd=str(project))
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f'#!/bin/sh\nuntil [ -e "{begun}" ]; do sleep 0.02; done\nexec "{shutil.which("git")}" "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")

    located = locate(str(talk.path), folder=str(project))
    made = make_brief(located, find_project(str(project)), progress=lambda _: begun.touch())

    assert "`trunk`" in made.text


def test_a_first_prompt_longer_than_the_head_does_not_hide_the_folder_from_git(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(project)], check=True)
    talk = Transcript(tmp_path / "t" / f"{SESSION}.jsonl", SESSION)
    talk.user("Orders are written twice. " * 4000, cwd=str(project))

    located = locate(str(talk.path), folder=str(project))
    made = make_brief(located, find_project(str(project)))

    assert "On `trunk`" in made.text
    assert make_brief(located, find_project(str(project))).brief is None, "the cache does not know the folder"


def test_what_git_cannot_be_asked_for_is_raised_where_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(brief, "read_git", fail)
    asked = GitAside(str(tmp_path))
    with pytest.raises(LookupError):
        asked.wait()
