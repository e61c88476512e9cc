"""What lies below a project only by name."""

import os
from pathlib import Path

import pytest

from thruline.disk.inside import check_inside
from thruline.errors import Refused


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return folder


@pytest.mark.parametrize("target", ["../outside", "../outside/none", "/", "..", ".git", ".git/hooks", "../project-2"])
def test_a_link_out_or_into_git_is_refused_by_name(root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    for path in (root / "link", root / "link" / "deep" / "file"):
        with pytest.raises(Refused) as caught:
            check_inside(str(root), str(path))
        assert caught.value.what.startswith("link is a link")
        assert caught.value.next == "remove the link"


def test_what_is_inside_is_not(root: Path) -> None:
    (root / "link").symlink_to("docs")
    (root / "absolute").symlink_to(root / "docs" / "none.md")
    for name in ("docs/a.md", "link/a.md", "absolute", "none/deep/a.md"):
        check_inside(str(root), str(root / name))


def test_a_project_that_is_itself_behind_a_link_is_whole(root: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root)
    check_inside(str(tmp_path / "way"), str(tmp_path / "way" / "docs" / "a.md"))
    check_inside(str(tmp_path / "way"), os.path.join(root, "docs", "a.md"))
