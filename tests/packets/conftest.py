"""A project with a context folder and a repository, and a packet made from the sample session in it."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.packets.projects import Project, make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The sample's files in a repository with a marker; the working folder."""
    made = make_project(tmp_path / "orders")
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def repository(project: Project) -> Project:
    """The same, committed."""
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin."]):
        commit(project, *arguments)
    return project


def commit(project: Project, *arguments: str) -> None:
    """Runs git in the project."""
    names = {f"GIT_{who}_{what}": "dev" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *arguments], cwd=project.root, env={**os.environ, **names}, check=True)
