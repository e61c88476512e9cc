"""Several files together. That a kill tears nothing is proved in test_crash; here is what a change promises."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.disk.projects import build_paths, list_files, make_project, write_plainly
from tests.tracer import trace
from thruline.disk.atomic import Lock
from thruline.disk.transaction import find_journals, read_together, recover, settle, transaction
from thruline.disk.transaction.entry import Entry, FileChange
from thruline.disk.transaction.mount import find_type, is_shared, is_shared_type
from thruline.disk.transaction.sheet import parse_sheet, render_sheet
from thruline.errors import Conflict, DiskError, JournalBroken, Refused, ThrulineError
from thruline.layout import ProjectPaths, find_project

KINDS = ("table", "sheet")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(tmp_path: Path) -> ProjectPaths:
    return make_project(str(tmp_path / "project"))


def break_off(project: ProjectPaths, kind: str) -> list[str]:
    """A change to two files, killed after its first rename; their paths."""
    twin = make_project(project.root + "-twin")
    for each in (project, twin):
        for path in build_paths(each)[:2]:
            write_plainly(path, b"old " + os.path.basename(path).encode())
    calls = trace(change_to_new, twin.root, kind, 2).changes(below=twin.root)
    files = build_paths(twin)[:2]
    at = next(number for number, call in enumerate(calls, 1) if call.name == "rename" and call.target == files[1])
    assert trace(change_to_new, project.root, kind, 2, at=at, below=project.root).exit == -9
    return build_paths(project)[:2]


def change_to_new(root: str, kind: str, files: int) -> None:
    project = find_project(root)
    with transaction(project, kind=kind) as change:
        for path in build_paths(project)[:files]:
            change.write(path, b"new " + os.path.basename(path).encode())


def pretend_reboot(project: ProjectPaths) -> None:
    """The mark is of another boot now: nothing it says may be believed."""
    state = Path(project.journal, "state")
    words = state.read_text().split()
    words[1] = "00000000-0000-0000-0000-000000000000"
    state.write_text(" ".join(words) + "\n")


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
    real = module.write_temps

    def edit_then_write(entry: Entry, paths: list[str]) -> None:
        write_plainly(first, b"edited by hand")
        real(entry, paths)

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


def test_the_journal_is_for_its_owner_alone(project: ProjectPaths, kind: str) -> None:
    with transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"secret", mode=0o600)
    assert stat.S_IMODE(os.stat(project.journal).st_mode) == 0o700
    for name in os.listdir(project.journal):
        assert stat.S_IMODE(os.stat(os.path.join(project.journal, name)).st_mode) == 0o600, name


def test_one_writer_at_a_time(project: ProjectPaths) -> None:
    from thruline.errors import LockTimeout

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


# --- after a kill ---


def test_the_next_change_finds_the_last_one_finished(project: ProjectPaths, kind: str) -> None:
    paths = break_off(project, kind)
    with transaction(project, kind=kind) as change:
        assert [(change.read(path) or b"")[:3] for path in paths] == [b"new", b"new"]
    assert {each.outcome for each in change.recovered} == {"in place", "replayed"}


def test_an_edit_made_after_the_kill_is_left_alone_and_our_version_kept(project: ProjectPaths, kind: str) -> None:
    renamed, waiting = break_off(project, kind)
    write_plainly(waiting, b"by hand")
    found = {each.path: each for each in recover(project, kind=kind)}
    assert Path(waiting).read_bytes() == b"by hand"
    assert found[waiting].outcome == "left alone"
    assert Path(found[waiting].kept).read_bytes() == b"new state.json"
    assert found[renamed].outcome == "in place"
    assert [each.kind for each in find_journals(project)] == ["kept"]
    assert recover(project, kind=kind) == []


def test_old_text_put_back_by_hand_stays(project: ProjectPaths, kind: str) -> None:
    renamed, waiting = break_off(project, kind)
    write_plainly(renamed, b"old " + os.path.basename(renamed).encode())
    found = {each.path: each.outcome for each in recover(project, kind=kind)}
    assert found == {renamed: "left alone", waiting: "replayed"}
    assert Path(renamed).read_bytes().startswith(b"old")


def test_after_a_clean_end_edits_are_nobodys_business(project: ProjectPaths, kind: str) -> None:
    first, *_ = build_paths(project)
    write_plainly(first, b"old")
    with transaction(project, kind=kind) as change:
        change.write(first, b"new")
    write_plainly(first, b"old")
    assert recover(project, kind=kind) == []
    assert Path(first).read_bytes() == b"old"
    assert find_journals(project) == []


def test_an_empty_file_is_an_edit_within_one_boot_and_a_lost_rename_after_it(project: ProjectPaths, kind: str) -> None:
    _, waiting = break_off(project, kind)
    write_plainly(waiting, b"")
    assert "left alone" in {each.outcome for each in recover(project, kind=kind)}
    assert Path(waiting).read_bytes() == b""
    for remains in (b"", b"new st", b"\0" * 9, b"new\0\0\0"):
        first, second, *_ = build_paths(project)
        write_plainly(first, b"old")
        write_plainly(second, b"old")
        with transaction(project, kind=kind) as change:
            change.write(first, b"new state")
            change.write(second, b"new state")
        write_plainly(second, remains)
        pretend_reboot(project)
        with transaction(project, kind=kind) as change:
            assert change.read(second) == b"new state", remains


def test_after_a_power_cut_several_waiting_changes_end_in_the_last(project: ProjectPaths, kind: str) -> None:
    first, second, third, _ = build_paths(project)
    write_plainly(third, b"old")
    for number in range(3):
        with transaction(project, kind=kind) as change:
            change.write(first, b"new %d" % number)
            if number == 1:
                change.delete(third)
            if number == 2:
                change.write(second, b"new 2")
    assert find_journals(project)[0].entries >= 1
    write_plainly(first, b"")
    os.unlink(second)
    pretend_reboot(project)
    assert list(read_together(project, [first, second, third], kind=kind).values()) == [b"new 2", b"new 2", None]
    assert find_journals(project) == []


# --- settling ---


def test_waiting_entries_are_cleared_every_few_changes(project: ProjectPaths, kind: str) -> None:
    seen = []
    for number in range(40):
        with transaction(project, kind=kind) as change:
            change.write(build_paths(project)[0], b"%d" % number)
        seen.append(sum(each.entries for each in find_journals(project)))
    assert max(seen) == 16
    assert seen[16] == 1
    settle(project, kind=kind)
    assert find_journals(project) == []
    assert "journal.db-wal" not in os.listdir(project.journal)


def test_a_row_goes_only_after_its_files_were_synced(project: ProjectPaths, kind: str) -> None:
    seen = trace(change_and_settle, project.root, kind).changes(below=project.root)
    file = build_paths(project)[0]
    synced = max(at for at, call in enumerate(seen) if call.name == "fsync" and call.path == file)
    folder = max(at for at, call in enumerate(seen) if call.name == "fsync" and call.path == os.path.dirname(file))
    wanted = ".journal" if kind == "sheet" else "journal.db-wal"
    gone = max(at for at, call in enumerate(seen) if call.path.endswith(wanted) and call.name in ("unlink", "pwrite64"))
    assert max(synced, folder) < gone


def change_and_settle(root: str, kind: str) -> None:
    project = find_project(root)
    with transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"new")
    settle(project, kind=kind)


def test_a_process_that_ends_leaves_no_entry(project: ProjectPaths, kind: str) -> None:
    code = (
        "import sys; from tests.disk.test_transaction import change_to_new; change_to_new(sys.argv[1], sys.argv[2], 2)"
    )
    subprocess.run([sys.executable, "-c", code, project.root, kind], check=True, cwd=Path(__file__).parents[2])
    assert Path(build_paths(project)[0]).read_bytes() == b"new TODO.md"
    assert find_journals(project) == []
    assert set(os.listdir(project.journal)) <= {"lock", "state", "journal.db"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_change_files_too(project: ProjectPaths, kind: str) -> None:
    code = (
        "import os, sys; from tests.disk.test_transaction import change_to_new as go\n"
        "root, kind = sys.argv[1:]; go(root, kind, 1); child = os.fork(); go(root, kind, 2 if child else 3)\n"
        "sys.exit(os.waitpid(child, 0)[1] if child else 0)"
    )
    subprocess.run([sys.executable, "-c", code, project.root, kind], check=True, cwd=Path(__file__).parents[2])
    assert [os.path.exists(path) for path in build_paths(project)] == [True, True, True, False]
    assert find_journals(project) == []


def test_looking_at_journals_writes_nothing(project: ProjectPaths, kind: str) -> None:
    break_off(project, kind)
    before = {name: Path(project.root, name).read_bytes() for name in list_files(project.root)}
    seen = trace(look_at_journals, project.root)
    assert seen.value == [kind, 1, True]
    assert seen.changes(below=project.root) == []
    assert {name: Path(project.root, name).read_bytes() for name in list_files(project.root)} == before


def look_at_journals(root: str) -> list[object]:
    (found,) = find_journals(find_project(root))
    return [found.kind, found.entries, found.broken_off]


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


def change_two(one: str, two: str, kind: str) -> None:
    projects = [find_project(one), find_project(two)]
    with transaction(*projects, kind=kind) as change:
        for project in projects:
            change.write(build_paths(project)[0], b"new")


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
    Path(project.journal, "pointer-1.json").write_text(json.dumps({"schema": 1, "root": str(tmp_path / "gone")}))
    with pytest.raises(JournalBroken) as caught, transaction(project):
        pass
    assert str(tmp_path / "gone") in caught.value.what
    assert caught.value.next


# --- journals that cannot be trusted ---


def damage_table(project: ProjectPaths) -> None:
    for end in ("-wal", "-shm"):
        Path(project.journal, "journal.db" + end).unlink(missing_ok=True)
    Path(project.journal, "journal.db").write_bytes(b"not a database at all, " * 100)


def damage_sheet(project: ProjectPaths) -> None:
    (sheet,) = Path(project.journal).glob("entry-*.journal")
    sheet.write_bytes(sheet.read_bytes()[:-1] + b"!")


def make_newer(project: ProjectPaths) -> None:
    (sheet,) = Path(project.journal).glob("entry-*.journal")
    sheet.write_bytes(sheet.read_bytes().replace(b"thruline-journal 1", b"thruline-journal 2"))


def make_newer_table(project: ProjectPaths) -> None:
    connection = sqlite3.connect(os.path.join(project.journal, "journal.db"))
    connection.execute("PRAGMA user_version = 2")
    connection.close()


@pytest.mark.parametrize(
    ("kind", "damage"),
    [("table", damage_table), ("table", make_newer_table), ("sheet", damage_sheet), ("sheet", make_newer)],
)
def test_a_damaged_journal_is_told_and_the_files_stay(
    project: ProjectPaths, kind: str, damage: Callable[[ProjectPaths], None]
) -> None:
    paths = break_off(project, kind)
    damage(project)
    before = [Path(path).read_bytes() for path in paths]
    for attempt in (lambda: recover(project, kind=kind), lambda: read_together(project, paths, kind=kind)):
        with pytest.raises(JournalBroken) as caught:
            attempt()
        assert caught.value.where.startswith(project.journal)
        assert "move" in caught.value.next
    with pytest.raises(JournalBroken), transaction(project, kind=kind):
        pass
    assert [Path(path).read_bytes() for path in paths] == before
    if damage is not make_newer_table:
        assert [each.problem != "" for each in find_journals(project)] == [True]


@pytest.mark.parametrize("path", ["../../outside", ".git/hooks/pre-commit", "link/outside"])
def test_a_journal_that_came_with_a_clone_reaches_nothing_outside(
    project: ProjectPaths, tmp_path: Path, path: str
) -> None:
    os.mkdir(os.path.join(project.root, ".git"))
    os.symlink(tmp_path, os.path.join(project.root, "link"))
    file = FileChange(0, "root", path, "", "", b"evil", 0o755, "../../../x.tmp")
    Path(project.journal).mkdir(parents=True)
    Path(project.journal, "entry-00000000000000000001.journal").write_bytes(render_sheet(Entry(1, ("/",), (file,))))
    before = list_files(str(tmp_path))
    with pytest.raises(ThrulineError):
        recover(project)
    assert [name for name in list_files(str(tmp_path)) if name not in before] == [
        "project/.agent/context/cache/journal/lock"
    ]


def test_a_sheet_survives_parse_and_render() -> None:
    files = (
        FileChange(0, "root", "a/ü\udcff", "", "", b"data\n\0", 0o600, "t1"),
        FileChange(1, "base", "b", "ab", "1:2:3", None, None, "t2"),
    )
    entry = Entry(7, ("/one", "/two"), files)
    assert parse_sheet(render_sheet(entry), "x") == entry


def test_the_example_of_the_format_page_is_a_sheet() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "formats", "journal.md").read_bytes()
    example = page.split(b"```\n")[1]
    entry = parse_sheet(example, "journal.md")
    assert render_sheet(entry) == example
    assert entry.files[0].data == b"new\n"


# --- which journal ---

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:30 / /mnt/team\\040files rw - nfs4 server:/x rw
31 22 0:31 / /mnt/team rw - cifs //server/x rw
32 22 0:32 / /home/me/sshfs rw - fuse.sshfs me@there: rw
33 22 0:33 / /share rw - 9p share rw
34 22 0:34 / /share rw - ext4 /dev/sdb1 rw
"""


@pytest.mark.parametrize(
    ("folder", "kind", "shared"),
    [
        ("/home/me", "ext4", False),
        ("/mnt/team files/project", "nfs4", True),
        ("/mnt/team", "cifs", True),
        ("/mnt/teamwork", "ext4", False),
        ("/home/me/sshfs/a/b", "fuse.sshfs", True),
        ("/share/hidden-by-a-later-mount", "ext4", False),
    ],
)
def test_the_mount_decides_which_journal_is_used(folder: str, kind: str, shared: bool) -> None:
    assert find_type(MOUNTS, folder) == kind
    assert is_shared_type(kind) == shared


def test_shared_types_and_unknown_ones_get_no_sqlite() -> None:
    assert all(map(is_shared_type, ("nfs", "smb3", "virtiofs", "9p", "fuse.anything", "")))
    assert not any(map(is_shared_type, ("ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "fuseblk", "apfs")))
    assert is_shared("/no/such/folder")


def test_on_a_local_disk_the_journal_is_a_database_and_on_a_shared_one_a_sheet(
    project: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thruline.disk.transaction import recovery as module

    for shared, kind in ((False, "table"), (True, "sheet")):
        monkeypatch.setattr(module, "is_shared", lambda _, shared=shared: shared)
        with transaction(project) as change:
            change.write(build_paths(project)[0], kind.encode())
        assert [each.kind for each in find_journals(project)] == [kind]
        settle(project, kind="table")


def test_a_lock_is_held_while_the_block_runs(project: ProjectPaths) -> None:
    with transaction(project), pytest.raises(DiskError), Lock(os.path.join(project.journal, "lock"), 0.0):
        pass
