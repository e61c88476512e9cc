"""A project, and both kinds of journal."""

from pathlib import Path

import pytest

from tests.disk.projects import make_project
from thruline.layout import ProjectPaths


@pytest.fixture(params=["table", "sheet"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which journal; without it, the mount decides."""
    return str(request.param)


@pytest.fixture
def project(tmp_path: Path) -> ProjectPaths:
    """An empty project with a marker."""
    return make_project(str(tmp_path / "project"))
