"""A project, and both kinds of journal."""

from pathlib import Path

import pytest

from tests.disk.projects import make_project
from thruline.disk.transaction import boot
from thruline.layout import ProjectPaths


@pytest.fixture(params=["table", "sheet"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which journal; without it, the mount decides."""
    return str(request.param)


@pytest.fixture
def project(tmp_path: Path) -> ProjectPaths:
    """An empty project with a marker."""
    return make_project(str(tmp_path / "project"))


@pytest.fixture(params=["boot id", "no boot id"], autouse=True)
def boot_id(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the system tells one boot from the next; where it does not, no mark is believed, and all else holds."""
    if request.param == "no boot id":
        monkeypatch.setattr(boot, "find_boot", lambda: "")
    return bool(request.param == "boot id")
