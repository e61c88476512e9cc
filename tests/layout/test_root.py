"""Which project a folder belongs to."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.layout.projects import git, make_marker, make_repository
from tests.someone_else import as_someone_else
from thruline import layout
from thruline.errors import NotFound


def found(start: Path) -> tuple[str, str]:
    root = layout.find_root(str(start))
    return root.path, root.kind


@pytest.mark.feature("F003-02", via="unit")
def test_every_folder_below_a_marker_has_the_same_root(tmp_path: Path) -> None:
    make_marker(tmp_path)
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    folders = [tmp_path, tmp_path / "a", tmp_path / "a" / "b", deep, tmp_path / ".agent", tmp_path / ".agent/context"]
    assert {found(folder) for folder in folders} == {(str(tmp_path), "marker")}


@pytest.mark.feature("F003-02", via="unit")
def test_a_marker_above_wins_over_a_nearer_repository(tmp_path: Path) -> None:
    make_marker(tmp_path)
    repository = make_repository(tmp_path / "vendor" / "lib")
    assert found(repository) == (str(tmp_path), "marker")


@pytest.mark.feature("F003-02", via="unit")
def test_without_a_marker_the_git_root_is_the_root(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "project")
    (repository / "src" / "deep").mkdir(parents=True)
    assert found(repository / "src" / "deep") == (str(repository), "git")


@pytest.mark.feature("F003-02", via="unit")
def test_without_a_marker_and_git_the_folder_is_its_own_root(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert found(tmp_path / "a") == (str(tmp_path / "a"), "folder")


def test_a_nearer_marker_in_a_monorepo_wins_over_the_outer_one(tmp_path: Path) -> None:
    make_marker(tmp_path)
    make_marker(tmp_path / "packages" / "one")
    (tmp_path / "packages" / "one" / "src").mkdir()
    (tmp_path / "packages" / "two").mkdir()
    assert found(tmp_path / "packages" / "one" / "src") == (str(tmp_path / "packages" / "one"), "marker")
    assert found(tmp_path / "packages" / "two") == (str(tmp_path), "marker")


def test_a_linked_worktree_is_a_root_of_its_own(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "main")
    git(repository, "worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "side" / "src").mkdir()
    assert found(tmp_path / "side" / "src") == (str(tmp_path / "side"), "git")
    assert found(repository) == (str(repository), "git")


def test_a_submodule_is_a_root_of_its_own_unless_a_marker_is_above(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "library")
    outer = make_repository(tmp_path / "outer")
    git(outer, "submodule", "--quiet", "add", str(library), "lib")
    assert (outer / "lib" / ".git").is_file()
    assert found(outer / "lib") == (str(outer / "lib"), "git")
    make_marker(outer)
    assert found(outer / "lib") == (str(outer), "marker")


def test_a_symlink_leads_to_the_project_it_points_into(tmp_path: Path) -> None:
    project = make_marker(tmp_path / "real")
    (project / "src").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to(project / "src")
    assert found(tmp_path / "elsewhere" / "link") == (str(project), "marker")


def test_a_symlinked_project_is_one_project_under_both_names(tmp_path: Path) -> None:
    project = make_marker(tmp_path / "real")
    (tmp_path / "alias").symlink_to(project)
    assert found(tmp_path / "alias") == found(project)


def test_links_that_point_at_each_other_end_the_search_in_a_root(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    make_marker(tmp_path)
    assert found(tmp_path / "a") == (str(tmp_path), "marker")


def test_a_file_belongs_to_the_project_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("x")
    assert found(tmp_path / "a" / "notes.txt") == (str(tmp_path / "a"), "folder")
    make_marker(tmp_path)
    assert found(tmp_path / "a" / "notes.txt") == (str(tmp_path), "marker")


def test_a_pipe_belongs_to_the_project_of_its_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert found(tmp_path / "pipe") == (str(tmp_path), "folder")


def test_a_folder_named_as_the_marker_marks_nothing(tmp_path: Path) -> None:
    (tmp_path / ".agent" / "context" / "root.json").mkdir(parents=True)
    assert found(tmp_path) == (str(tmp_path), "folder")


def test_an_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "outer")
    (repository / "inner" / ".git").mkdir(parents=True)
    assert found(repository / "inner") == (str(repository), "git")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter; pytest closes its own to them."""
    folder = Path(tempfile.mkdtemp()).resolve()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_an_ancestor_that_may_not_be_looked_into_hides_only_its_own_marker(open_folder: Path) -> None:
    make_marker(open_folder)
    closed = make_marker(open_folder / "closed")
    (closed / "a").mkdir()
    for shut in (closed / ".agent", closed):
        shut.chmod(0)
        try:
            with as_someone_else():
                assert found(closed / "a") == (str(open_folder), "marker")
        finally:
            shut.chmod(0o755)
    assert found(closed / "a") == (str(closed), "marker")


def test_a_deleted_working_folder_is_told_and_not_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        with pytest.raises(NotFound, match="no longer exists"):
            layout.find_root(".")
    finally:
        os.chdir(tmp_path)


def test_a_path_that_does_not_exist_yet_belongs_to_the_project_around_it(tmp_path: Path) -> None:
    make_marker(tmp_path)
    assert found(tmp_path / "new" / "deep") == (str(tmp_path), "marker")


NAMES = st.sampled_from(["a", "b", "ö", "with space"])
FOLDERS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: os.path.join(*names))


@settings(max_examples=60, deadline=None)
@given(folders=st.lists(FOLDERS, min_size=1, max_size=8), marked=st.sets(FOLDERS, max_size=3), gits=st.sets(FOLDERS))
@pytest.mark.feature("F003-02", via="unit")
def test_in_any_tree_the_root_is_the_nearest_marker_else_the_nearest_repository_else_the_folder(
    folders: list[str], marked: set[str], gits: set[str]
) -> None:
    base = Path(tempfile.mkdtemp()).resolve()
    try:
        for folder in (*folders, *marked, *gits):
            (base / folder).mkdir(parents=True, exist_ok=True)
        for folder in marked:
            make_marker(base / folder)
        for folder in gits:
            (base / folder / ".git").mkdir()
            (base / folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        for start in [base, *(base / folder for folder in folders)]:
            path, kind = found(start)
            inside = [start, *start.parents]
            markers = [p for p in inside if p.is_relative_to(base) and str(p.relative_to(base)) in marked]
            repositories = [p for p in inside if p.is_relative_to(base) and str(p.relative_to(base)) in gits]
            expected = (
                (markers[0], "marker") if markers else (repositories[0], "git") if repositories else (start, "folder")
            )
            assert (Path(path), kind) == expected
            assert Path(path) in inside
            assert found(Path(path))[0] == path
    finally:
        shutil.rmtree(base)


# --- whose marker -------------------------------------------------------------------------------------------------

needs_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a file away")
STRANGER = 54321


@needs_root
@pytest.mark.parametrize("given", [".agent", ".agent/context", ".agent/context/root.json"])
def test_a_marker_that_another_user_put_above_us_is_no_root(tmp_path: Path, given: str) -> None:
    make_marker(tmp_path)
    mine = tmp_path / "mine"
    mine.mkdir()
    assert found(mine) == (str(tmp_path), "marker")
    os.chown(tmp_path / given, STRANGER, -1)
    assert found(mine) == (str(mine), "folder")


@needs_root
def test_another_users_link_to_our_marker_is_no_root(tmp_path: Path) -> None:
    own, shared = make_marker(tmp_path / "own"), tmp_path / "shared"
    shared.mkdir()
    os.symlink(own / ".agent", shared / ".agent")
    assert found(shared) == (str(shared), "marker")
    os.chown(shared / ".agent", STRANGER, -1, follow_symlinks=False)
    assert found(shared) == (str(shared), "folder")


@needs_root
def test_roots_own_marker_and_that_of_the_user_behind_sudo_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_marker(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: STRANGER)
    assert found(tmp_path) == (str(tmp_path), "marker")
    monkeypatch.undo()
    for path in (tmp_path / ".agent", tmp_path / ".agent/context", tmp_path / ".agent/context/root.json"):
        os.chown(path, STRANGER, -1)
    monkeypatch.setenv("SUDO_UID", str(STRANGER))
    assert found(tmp_path) == (str(tmp_path), "marker")
    monkeypatch.setenv("SUDO_UID", "77")
    assert found(tmp_path)[1] != "marker"
