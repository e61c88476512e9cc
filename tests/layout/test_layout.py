"""Every path, and which project a folder belongs to."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thruline import layout
from thruline.errors import NotFound, UsageError

NOBODY = 65534


def make_marker(folder: Path) -> Path:
    marker = folder / ".agent" / "context" / "root.json"
    marker.parent.mkdir(parents=True)
    marker.write_text("{}")
    return folder


def make_repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("a")
    git(folder, "add", "a.txt")
    git(folder, "commit", "-qm", "a")
    return folder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def found(start: Path) -> tuple[str, str]:
    root = layout.find_root(str(start))
    return root.path, root.kind


@contextmanager
def as_someone_else() -> Iterator[None]:
    """Root may look into everything: take another user's rights where this process is root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


# --- which root ---------------------------------------------------------------------------------------------------


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


# --- the user's folders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {}, "/h/.local/state/thruline"),
        ("linux", {"XDG_STATE_HOME": "/x/"}, "/x/thruline"),
        ("linux", {"XDG_STATE_HOME": "relative"}, "/h/.local/state/thruline"),
        ("linux", {"XDG_STATE_HOME": ""}, "/h/.local/state/thruline"),
        ("linux", {"THRULINE_HOME": "/t", "XDG_STATE_HOME": "/x"}, "/t"),
        ("freebsd14", {}, "/h/.local/state/thruline"),
        ("darwin", {}, "/h/Library/Application Support/thruline"),
        ("darwin", {"XDG_STATE_HOME": "/x"}, "/x/thruline"),
        ("darwin", {"XDG_STATE_HOME": "relative"}, "/h/Library/Application Support/thruline"),
        ("darwin", {"THRULINE_HOME": "/t"}, "/t"),
        ("win32", {"LOCALAPPDATA": "C:\\U\\AppData\\Local"}, "C:\\U\\AppData\\Local\\thruline"),
        ("win32", {}, "/h\\AppData\\Local\\thruline"),
        ("win32", {"XDG_STATE_HOME": "/x"}, "/h\\AppData\\Local\\thruline"),
        ("win32", {"THRULINE_HOME": "D:\\t"}, "D:\\t"),
    ],
)
def test_the_state_folder_follows_the_customs_of_each_platform(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert layout.build_state_dir(platform, env, "/h") == expected


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {}, "/h/.config/thruline"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/thruline"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, "/h/.config/thruline"),
        ("linux", {"THRULINE_HOME": "/t"}, "/h/.config/thruline"),
        ("darwin", {}, "/h/.config/thruline"),
        ("win32", {"APPDATA": "C:\\R"}, "C:\\R\\thruline"),
        ("win32", {}, "/h\\AppData\\Roaming\\thruline"),
    ],
)
def test_the_config_folder_follows_the_customs_of_each_platform(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert layout.build_config_dir(platform, env, "/h") == expected


def test_this_users_folders_come_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    paths = layout.find_user_paths()
    assert paths.state == str(home / ".local/state/thruline")
    assert paths.config_file == str(home / ".config/thruline/config.toml")
    monkeypatch.setenv("THRULINE_HOME", str(home / "t"))
    assert layout.find_user_paths().ark == str(home / "t" / "ark")


def test_a_relative_thruline_home_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRULINE_HOME", "here")
    with pytest.raises(UsageError, match="THRULINE_HOME"):
        layout.find_state_dir()


def test_an_unknown_home_is_told_instead_of_making_a_folder_named_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for find in (layout.find_state_dir, layout.find_config_dir):
        with pytest.raises(NotFound, match="home"):
            find()


# --- a project's files --------------------------------------------------------------------------------------------


def every_path(paths: object) -> dict[str, str]:
    names = [name for name in dir(type(paths)) if isinstance(getattr(type(paths), name), property)]
    return {name: getattr(paths, name) for name in names}


def test_a_marked_project_keeps_its_files_in_its_own_tree(tmp_path: Path) -> None:
    paths = layout.find_project(str(make_marker(tmp_path)))
    assert paths.marked
    assert all(path.startswith(str(tmp_path) + os.sep) for path in every_path(paths).values())


@pytest.mark.feature("F003-01", via="unit")
def test_the_context_folder_has_the_five_agreed_places(tmp_path: Path) -> None:
    paths = layout.find_project(str(make_marker(tmp_path)))
    context = tmp_path / ".agent" / "context"
    named = [paths.marker, paths.packets, paths.loops, paths.indexes, paths.scratch]
    assert named == [str(context / name) for name in ("root.json", "packets", "loops", "indexes", "scratch")]


def test_a_project_without_a_marker_keeps_what_hooks_write_out_of_its_tree(tmp_path: Path, home: Path) -> None:
    project = make_repository(tmp_path / "p")
    (project / ".forge").mkdir()
    paths = layout.find_project(str(project))
    assert not paths.marked
    for name in (*layout.IGNORED_DIRS, "packets", "journal"):
        assert getattr(paths, name).startswith(layout.find_user_paths().projects + os.sep), name


def test_every_ignored_folder_is_a_path_of_the_project(tmp_path: Path) -> None:
    paths = layout.find_project(str(make_marker(tmp_path)))
    for name in layout.IGNORED_DIRS:
        assert getattr(paths, name) == os.path.join(paths.base, name)


def test_a_forge_project_keeps_its_logs_and_handoffs_where_they_were(tmp_path: Path) -> None:
    make_marker(tmp_path)
    (tmp_path / ".forge").mkdir()
    paths = layout.find_project(str(tmp_path))
    assert paths.logs == str(tmp_path / ".forge" / "logs")
    assert paths.handoffs == str(tmp_path / ".forge" / "handoffs")
    assert paths.cache == str(tmp_path / ".agent" / "context" / "cache")


def test_no_two_paths_of_a_project_are_the_same(tmp_path: Path) -> None:
    marked = every_path(layout.find_project(str(make_marker(tmp_path))))
    assert len(set(marked.values())) == len(marked)
    user = every_path(layout.find_user_paths())
    assert len(set(user.values())) == len(user)


@pytest.mark.feature("F000-37", via="unit")
def test_transcripts_events_and_canonical_state_lie_in_three_folders_none_within_another(tmp_path: Path) -> None:
    make_marker(tmp_path)
    paths = layout.find_project(str(tmp_path))
    layers = [layout.find_user_paths().ark, paths.refocus, paths.canonical]
    for one in layers:
        for other in layers:
            assert one == other or os.path.commonpath([one, other]) not in (one, other)
    elsewhere = {name: path for name, path in every_path(paths).items() if name not in ("refocus", "canonical")}
    for name, path in elsewhere.items():
        assert all(os.path.commonpath([path, layer]) not in (path, layer) for layer in layers), name


@pytest.mark.feature("F004-32", via="unit")
def test_asking_for_paths_makes_no_folder(tmp_path: Path, home: Path) -> None:
    project = make_marker(tmp_path / "p")
    (tmp_path / "bare").mkdir()
    before = sorted(tmp_path.rglob("*")) + sorted(home.rglob("*"))
    for folder in (project, tmp_path / "bare"):
        every_path(layout.find_project(str(folder)))
    every_path(layout.find_user_paths())
    assert sorted(tmp_path.rglob("*")) + sorted(home.rglob("*")) == before


# --- keys ---------------------------------------------------------------------------------------------------------

PATHS = st.text(min_size=1).map(lambda text: "/" + text.replace("\0", ""))


@given(st.lists(st.tuples(st.uuids().map(str) | st.just(""), PATHS), unique=True, min_size=2, max_size=20))
def test_different_projects_never_share_a_key(projects: list[tuple[str, str]]) -> None:
    keys = {layout.build_project_key(*project).casefold() for project in projects}
    assert len(keys) == len(projects)


@given(st.text(), st.text(st.characters(exclude_categories=()), min_size=1) | st.binary(min_size=1).map(os.fsdecode))
def test_a_key_is_a_safe_short_file_name_for_any_path(project_id: str, root: str) -> None:
    key = layout.build_project_key(project_id, root)
    assert key.isascii()
    assert len(key) <= 57
    assert all(c.isalnum() or c in "-_" for c in key)
    assert not key.startswith("-")


def test_paths_that_differ_only_in_what_is_replaced_have_different_keys() -> None:
    roots = ["/p/a_b", "/p/a-b", "/p/a.b", "/p/a b", "/p/ab", "/q/a_b", "/p/A_b", "/p/a_b/"]
    assert len({layout.build_project_key("", root) for root in roots}) == len(roots)


def test_a_long_folder_name_is_cut_in_its_key() -> None:
    assert layout.build_project_key("", "/p/" + "n" * 250).startswith("n" * 40 + "-")


def test_a_clone_with_the_same_project_id_has_another_key() -> None:
    assert layout.build_project_key("x", "/p/one") != layout.build_project_key("x", "/p/two")


def test_the_same_project_has_the_same_key_in_every_process() -> None:
    # Literals: the name of a folder on disk must outlive this process and this version.
    assert layout.build_project_key("", "/home/a/project") == "project-c54c6d94398b7f91"
    assert layout.build_project_key("8e3f7c52", "/home/me/my project") == "my-project-9c7122f4e9494d6b"


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


def test_an_empty_home_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")
    for find in (layout.find_state_dir, layout.find_config_dir):
        with pytest.raises(NotFound, match="no home folder"):
            find()
