"""A project, with and without a repository."""

import subprocess
from pathlib import Path

import pytest

from thruline.layout import UserPaths, find_user_paths


@pytest.fixture
def user(home: Path) -> UserPaths:
    return find_user_paths()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(project: Path) -> Path:
    subprocess.run(["git", "init", "-q", project], check=True)
    return project
