"""Where a project keeps its files."""

import os
from pathlib import Path

import pytest

from tests.layout.projects import make_marker, make_repository
from thruline import layout


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
