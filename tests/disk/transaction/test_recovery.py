"""What an opener finds after a crash, and when entries go."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.disk.broken_off import break_off, pretend_reboot
from tests.disk.operations import change_and_settle, look_at_journals
from tests.disk.projects import build_paths, list_files, write_plainly
from tests.tracer import trace
from thruline.disk.temps import build_temp_name
from thruline.disk.transaction import find_journals, read_together, recover, settle, transaction
from thruline.layout import ProjectPaths, find_user_paths

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


def test_an_empty_file_is_an_edit_within_one_boot_and_a_lost_rename_after_it(
    project: ProjectPaths, kind: str, boot_id: bool
) -> None:
    if not boot_id:
        pytest.skip("then nobody can tell, and nothing waits for a power cut")
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


def test_after_a_power_cut_several_waiting_changes_end_in_the_last(
    project: ProjectPaths, kind: str, boot_id: bool
) -> None:
    if not boot_id:
        pytest.skip("then nothing waits")
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


def test_waiting_entries_are_cleared_every_few_changes(project: ProjectPaths, kind: str, boot_id: bool) -> None:
    seen = []
    for number in range(40):
        with transaction(project, kind=kind) as change:
            change.write(build_paths(project)[0], b"%d" % number)
        seen.append(sum(each.entries for each in find_journals(project)))
    # Where no mark is believed nothing waits: the next opener would take each for a change that was broken off.
    assert max(seen) == (16 if boot_id else 0)
    assert seen[16] == (1 if boot_id else 0)
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


def test_a_process_that_ends_leaves_no_entry(project: ProjectPaths, kind: str) -> None:
    code = "import sys; from tests.disk.operations import change_to_new; change_to_new(sys.argv[1], sys.argv[2], 2)"
    subprocess.run([sys.executable, "-c", code, project.root, kind], check=True, cwd=Path(__file__).parents[3])
    assert Path(build_paths(project)[0]).read_bytes() == b"new TODO.md"
    assert find_journals(project) == []
    assert set(os.listdir(project.journal)) <= {"lock", "state", "journal.db"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_change_files_too(project: ProjectPaths, kind: str) -> None:
    code = (
        "import os, sys; from tests.disk.operations import change_to_new as go\n"
        "root, kind = sys.argv[1:]; go(root, kind, 1); child = os.fork(); go(root, kind, 2 if child else 3)\n"
        "sys.exit(os.waitpid(child, 0)[1] if child else 0)"
    )
    subprocess.run([sys.executable, "-c", code, project.root, kind], check=True, cwd=Path(__file__).parents[3])
    assert [os.path.exists(path) for path in build_paths(project)] == [True, True, True, False]
    assert find_journals(project) == []


def test_looking_at_journals_writes_nothing(project: ProjectPaths, kind: str) -> None:
    break_off(project, kind)
    before = {name: Path(project.root, name).read_bytes() for name in list_files(project.root)}
    seen = trace(look_at_journals, project.root)
    assert seen.value == [kind, 1, True]
    assert seen.changes(below=project.root) == []
    assert {name: Path(project.root, name).read_bytes() for name in list_files(project.root)} == before


def test_a_copy_that_a_killed_doctor_left_goes_with_the_next_look(project: ProjectPaths) -> None:
    break_off(project, "table")
    with subprocess.Popen(["true"]) as dead:
        pass
    copies = Path(find_user_paths().copies)
    left = copies / build_temp_name().replace(str(os.getpid()), str(dead.pid), 1)
    left.mkdir(parents=True)
    (left / "journal.db").write_bytes(b"someone's words")
    assert [each.entries for each in find_journals(project)] == [1]
    assert os.listdir(copies) == []
