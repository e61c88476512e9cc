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


@pytest.mark.parametrize("folder", [".agent/context", ".forge"])
@pytest.mark.parametrize("link", ["", "logs", "logs/last-session.json"])
@pytest.mark.parametrize("target", ["docs", "docs/none", "notes.md"])
def test_in_our_own_folders_no_link_is_followed_wherever_it_leads(
    root: Path, folder: str, link: str, target: str
) -> None:
    (root / "notes.md").write_text("mine")
    place = root / folder / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(root / target)
    for path in (root / folder / "logs" / "last-session.json", place):
        with pytest.raises(Refused) as caught:
            check_inside(str(root), str(path))
        assert str(place.relative_to(root)) in caught.value.what


def test_the_folder_above_ours_may_be_behind_a_link(root: Path, tmp_path: Path) -> None:
    (root / "docs" / "context").mkdir()
    (root / ".agent").symlink_to("docs")
    (tmp_path / "way").symlink_to(root)
    for top in (root, tmp_path / "way"):
        check_inside(str(top), str(top / ".agent" / "context" / "logs" / "last-session.json"))
        check_inside(str(top), str(root / ".agent" / "context" / "logs" / "last-session.json"))


def test_a_link_of_ours_is_found_under_both_names_of_a_project(root: Path, tmp_path: Path) -> None:
    (root / ".agent" / "context").mkdir(parents=True)
    (root / ".agent" / "context" / "logs").symlink_to("../../docs")
    (tmp_path / "way").symlink_to(root)
    for top in (root, tmp_path / "way"):
        with pytest.raises(Refused):
            check_inside(str(tmp_path / "way"), str(top / ".agent" / "context" / "logs" / "a.json"))
