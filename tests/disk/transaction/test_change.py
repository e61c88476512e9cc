"""What the `with` block promises. That a kill tears nothing is proved in tests/disk/test_crash.py."""

import os
import shutil
import stat
import threading
from pathlib import Path

import pytest

from tests.disk.broken_off import break_off
from tests.disk.operations import change_deep, change_two
from tests.disk.projects import build_paths, list_files, make_project, write_plainly
from tests.tracer import trace
from thruline.disk.transaction import find_journals, read_together, recover, transaction
from thruline.disk.transaction.entry import Entry
from thruline.disk.transaction.place import write_temps
from thruline.disk.transaction.roots import write_pointer
from thruline.errors import Conflict, DiskError, JournalBroken, LockTimeout, Refused
from thruline.layout import ProjectPaths, find_project

# --- the block ---


@pytest.mark.feature("F004-08", via="unit")
def test_nothing_happens_before_the_end_and_all_of_it_then(project: ProjectPaths, kind: str) -> None:
    first, second, third, fourth = build_paths(project)
    write_plainly(first, b"old")
    write_plainly(third, b"old")
    os.chmod(first, 0o640)
    with transaction(project, kind=kind) as change:
        assert change.read(first) == b"old"
        assert change.read(second) is None
        change.write(first, b"new")
        change.write(second, b"made", mode=0o600)
        change.delete(third)
        change.delete(fourth)
        assert change.read(first) == b"new"
        assert change.read(third) is None
        assert Path(first).read_bytes() == b"old"
        assert not os.path.exists(second)
    assert Path(first).read_bytes() == b"new"
    assert [stat.S_IMODE(os.stat(path).st_mode) for path in (first, second)] == [0o640, 0o600]
    assert not os.path.exists(third)
    assert read_together(project, [first, third]) == {first: b"new", third: None}


def test_an_exception_in_the_block_changes_nothing(project: ProjectPaths, kind: str) -> None:
    first, second, *_ = build_paths(project)
    write_plainly(first, b"old")
    with pytest.raises(ZeroDivisionError), transaction(project, kind=kind) as change:  # noqa: PT012
        change.write(first, b"new")
        change.write(second, b"new")
        raise ZeroDivisionError
    assert Path(first).read_bytes() == b"old"
    assert not os.path.exists(second)
    assert find_journals(project) == []


def test_a_file_edited_since_it_was_read_is_a_conflict(project: ProjectPaths, kind: str) -> None:
    first, second, third, _ = build_paths(project)
    for path in (first, second, third):
        write_plainly(path, b"old")
    for edited in (first, third):
        with pytest.raises(Conflict) as caught, transaction(project, kind=kind) as change:  # noqa: PT012
            change.read(edited)
            change.write(first, b"new")
            change.write(second, b"new")
            write_plainly(edited, b"bye")
        assert caught.value.where == edited
        assert caught.value.next
        assert Path(edited).read_bytes() == b"bye"
        assert Path(second).read_bytes() == b"old"
        write_plainly(edited, b"old")
    with pytest.raises(Conflict), transaction(project, kind=kind) as change:  # noqa: PT012
        change.read(first)
        change.write(first, b"new")
        os.unlink(first)
    assert find_journals(project) == []


def test_an_edit_during_the_commit_itself_is_still_a_conflict(
    project: ProjectPaths, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thruline.disk.transaction import change as module

    first, second, *_ = build_paths(project)
    write_plainly(first, b"old")

    def edit_then_write(entry: Entry, paths: list[str]) -> None:
        write_plainly(first, b"edited by hand")
        write_temps(entry, paths)

    monkeypatch.setattr(module, "write_temps", edit_then_write)
    with pytest.raises(Conflict), transaction(project, kind=kind) as change:  # noqa: PT012
        change.write(first, b"new")
        change.write(second, b"new")
    assert Path(first).read_bytes() == b"edited by hand"
    assert not os.path.exists(second)
    assert find_journals(project) == []
    assert not [name for name in list_files(project.root) if name.endswith(".tmp")]


def test_paths_outside_the_projects_are_refused(project: ProjectPaths, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", os.path.join(project.root, "link"))
    os.mkdir(os.path.join(project.root, ".git"))
    paths = [
        str(tmp_path / "outside" / "file"),
        os.path.join(project.root, "..", "file"),
        os.path.join(project.root, "link", "file"),
        os.path.join(project.root, ".git", "hooks", "pre-commit"),
        os.path.join(project.journal, "journal.db"),
        project.root + "-other/file",
    ]
    for path in paths:
        with pytest.raises(Refused) as caught, transaction(project) as change:
            change.write(path, b"data")
        assert caught.value.where == path
        assert caught.value.next
        with pytest.raises(Refused):
            read_together(project, [path])
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_link_inside_is_written_through(project: ProjectPaths, kind: str) -> None:
    target, link = os.path.join(project.root, "target"), os.path.join(project.root, "link")
    write_plainly(target, b"old")
    os.symlink("target", link)
    with transaction(project, kind=kind) as change:
        change.write(link, b"new")
    assert os.path.islink(link)
    assert Path(target).read_bytes() == b"new"


def test_a_folder_in_the_way_is_told_and_nothing_changes(project: ProjectPaths, kind: str) -> None:
    first, second, *_ = build_paths(project)
    os.makedirs(second)
    with pytest.raises(DiskError) as caught, transaction(project, kind=kind) as change:  # noqa: PT012
        change.write(first, b"new")
        change.write(second, b"new")
    assert caught.value.where == second
    assert not os.path.exists(first)


def test_what_is_already_so_is_not_written(project: ProjectPaths, kind: str) -> None:
    first, *_ = build_paths(project)
    write_plainly(first, b"same")
    before = os.stat(first)
    with transaction(project, kind=kind) as change:
        change.write(first, b"same")
    assert os.stat(first) == before
    assert find_journals(project) == []


def test_a_project_without_a_marker_gets_no_byte_of_ours(tmp_path: Path, home: Path, kind: str) -> None:
    (tmp_path / "plain").mkdir()
    project = find_project(str(tmp_path / "plain"))
    with transaction(project, kind=kind) as change:
        change.write(os.path.join(project.base, "logs", "log"), b"in the user's state")
    assert list_files(project.root) == []
    assert Path(project.base, "logs", "log").read_bytes() == b"in the user's state"


def test_everything_of_a_project_without_a_marker_is_for_its_user_alone(tmp_path: Path, home: Path, kind: str) -> None:
    (tmp_path / "plain").mkdir()
    project = find_project(str(tmp_path / "plain"))
    before = os.umask(0o022)
    try:
        with transaction(project, kind=kind) as change:
            change.write(os.path.join(project.base, "logs", "deep", "log"), b"words")
    finally:
        os.umask(before)
    for here, folders, names in os.walk(home):
        for name in folders:
            assert stat.S_IMODE(os.stat(os.path.join(here, name)).st_mode) == 0o700, name
        for name in names:
            assert stat.S_IMODE(os.stat(os.path.join(here, name)).st_mode) == 0o600, name


def test_folders_that_a_change_made_are_durable_before_its_entry_goes(project: ProjectPaths, kind: str) -> None:
    calls = trace(change_deep, project.root, kind).changes(below=project.root)
    made = [call.path for call in calls if call.name == "mkdir"]
    assert os.path.join(project.root, "a", "b", "c") in made
    assert project.journal in made
    for folder in made:
        at = next(at for at, call in enumerate(calls) if call.name == "mkdir" and call.path == folder)
        after = [call.path for call in calls[at:] if call.name == "fsync"]
        assert os.path.dirname(folder) in after, folder
    # Before the first file moves: from then on only the journal could make them anew, and it is cleared some time.
    moved = next(
        at for at, call in enumerate(calls) if call.target == os.path.join(project.root, "a", "b", "c", "file")
    )
    assert os.path.join(project.root, "a") in [call.path for call in calls[:moved] if call.name == "fsync"]


def test_the_journal_is_for_its_owner_alone(project: ProjectPaths, kind: str) -> None:
    with transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"secret", mode=0o600)
    assert stat.S_IMODE(os.stat(project.journal).st_mode) == 0o700
    for name in os.listdir(project.journal):
        assert stat.S_IMODE(os.stat(os.path.join(project.journal, name)).st_mode) == 0o600, name


def test_one_writer_at_a_time(project: ProjectPaths) -> None:
    with transaction(project), pytest.raises(LockTimeout), transaction(project, timeout=0.01):
        pass


def test_two_threads_lose_nothing(project: ProjectPaths, kind: str) -> None:
    paths = build_paths(project)[:2]

    def count() -> None:
        for _ in range(10):
            with transaction(project, kind=kind) as change:
                for path in paths:
                    change.write(path, str(int(change.read(path) or b"0") + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(read_together(project, paths).values()) == {b"20"}


# --- reading ---


def test_readers_wait_for_a_writer(project: ProjectPaths) -> None:
    paths = build_paths(project)[:2]
    seen: list[dict[str, bytes | None]] = []
    with transaction(project) as change:
        for path in paths:
            change.write(path, b"new")
        reader = threading.Thread(target=lambda: seen.append(read_together(project, paths)))
        reader.start()
        assert not seen
    reader.join()
    assert set(seen[0].values()) == {b"new"}


def test_reading_makes_nothing(project: ProjectPaths) -> None:
    before = list_files(project.root)
    assert read_together(project, build_paths(project)) == dict.fromkeys(build_paths(project))
    assert recover(project) == []
    assert list_files(project.root) == before


def test_a_reader_after_a_kill_sees_all_of_the_change(project: ProjectPaths, kind: str) -> None:
    paths = break_off(project, kind)
    assert [Path(path).read_bytes()[:3] for path in paths] == [b"new", b"old"]
    assert [(data or b"")[:3] for data in read_together(project, paths, kind=kind).values()] == [b"new", b"new"]


# --- two projects ---


def test_a_change_to_two_projects_leaves_no_pointer(project: ProjectPaths, tmp_path: Path, kind: str) -> None:
    other = make_project(str(tmp_path / "other"))
    with transaction(project, other, kind=kind) as change:
        change.write(build_paths(project)[0], b"new")
        change.write(build_paths(other)[0], b"new")
    assert find_journals(project) == find_journals(other) == []
    both = [build_paths(project)[0], build_paths(other)[0]]
    assert set(read_together(project, both, other).values()) == {b"new"}


def test_a_pointer_is_durable_before_the_journal_and_the_journal_before_the_first_rename(
    project: ProjectPaths, tmp_path: Path, kind: str
) -> None:
    other = make_project(str(tmp_path / "other"))
    calls = trace(change_two, project.root, other.root, kind).changes(below=str(tmp_path))
    pointed = next(at for at, call in enumerate(calls) if call.name == "fsync" and call.path == other.journal)
    renames = [at for at, call in enumerate(calls) if call.name == "rename" and "/cache/journal/" not in call.target]
    # The journal itself: SQLite's log, or the folder that the sheet was renamed into.
    place = os.path.join(project.journal, "journal.db-wal") if kind == "table" else project.journal
    synced = [at for at, call in enumerate(calls) if call.name in ("fsync", "fdatasync") and call.path == place]
    assert pointed < max((at for at in synced if at < renames[0]), default=-1)


def test_locks_are_taken_in_one_order_whoever_is_named_first(project: ProjectPaths, tmp_path: Path) -> None:
    other = make_project(str(tmp_path / "other"))
    orders = []
    for one, two in ((project, other), (other, project)):
        calls = trace(change_two, one.root, two.root, "sheet").named("flock")
        orders.append([call.path for call in calls][:2])
    assert orders[0] == orders[1]
    assert len(set(orders[0])) == 2


def test_a_lost_partner_is_a_broken_journal(project: ProjectPaths, tmp_path: Path) -> None:
    Path(project.journal).mkdir(parents=True)
    gone = make_project(str(tmp_path / "gone"))
    write_pointer(project, 1, gone)
    shutil.rmtree(gone.root)
    with pytest.raises(JournalBroken) as caught, transaction(project):
        pass
    assert str(tmp_path / "gone") in caught.value.what
    assert caught.value.next
    # It may be a disk that is not mounted: nothing to be moved aside unasked.
    assert [each.foreign for each in find_journals(project)] == [False]
