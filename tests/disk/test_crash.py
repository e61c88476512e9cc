"""Killed, or failed by the system, at every call that changes a file: all old or all new, and nothing left over."""

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.disk.operations import (
    append_one,
    change_four,
    change_four_anywhere,
    change_two_roots,
    recover_one,
    recover_two,
    replace_one,
)
from tests.disk.projects import build_paths, in_memory, list_files, make_project, write_plainly
from tests.tracer import Crash, crash_points, trace
from thruline.disk.atomic import find_leftovers, remove_leftovers
from thruline.disk.transaction import find_journals, read_together, recover
from thruline.layout import find_project

KINDS = ("table", "sheet")
FAULTS = (errno.ENOSPC, errno.EACCES, errno.EIO)

OLD = [b"old first", b"old second", b"old third", None]
NEW = [b"new first", b"new second", None, b"new fourth"]
OLD_TWO = [b"old first", None]
NEW_TWO = [b"new first", b"new second"]
JOURNAL = {"lock", "state", "journal.db"}


@pytest.fixture
def work(tmp_path: Path) -> Iterator[str]:
    with in_memory(tmp_path) as folder:
        yield folder


def make_four(folder: str) -> None:
    project = make_project(folder)
    for path, data in zip(build_paths(project), OLD, strict=True):
        if data is not None:
            write_plainly(path, data)


def make_two(folder: str) -> None:
    for name in ("one", "two"):
        write_plainly(build_paths(make_project(os.path.join(folder, name)))[0], b"old first")


def read_state_of(folder: str, count: int) -> list[bytes | None]:
    project = find_project(folder)
    paths = build_paths(project)[:count]
    return list(read_together(project, paths).values())


def read_plainly(folder: str, count: int) -> list[bytes | None]:
    paths = build_paths(find_project(folder))[:count]
    return [Path(path).read_bytes() if os.path.exists(path) else None for path in paths]


def check_nothing_left(folder: str) -> None:
    """No row, sheet, pointer or temporary file; in the journal folder nothing but what every project has."""
    project = find_project(folder)
    assert find_journals(project) == []
    if os.path.isdir(project.journal):
        assert set(os.listdir(project.journal)) <= JOURNAL
    known = {"root.json", *(os.path.basename(path) for path in build_paths(project)), *JOURNAL}
    assert {os.path.basename(name) for name in list_files(folder)} <= known


# --- killed -------------------------------------------------------------------------------------------------------


@pytest.mark.feature("F004-08", via="unit")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", [change_four, change_four_anywhere])
def test_four_files_are_all_old_or_all_new_after_a_kill_anywhere(
    work: str, operation: Callable[..., None], kind: str
) -> None:
    seen = Counter[str]()

    def check(folder: str, crash: Crash) -> None:
        recover(find_project(folder), kind=kind)
        state = read_state_of(folder, 4)
        assert state in (OLD, NEW), f"{crash}: {state}"
        seen["new" if state == NEW else "old"] += 1
        check_nothing_left(folder)

    points = crash_points(operation, kind, setup=make_four, check=check, folder=work)
    assert seen["old"] >= 5, seen
    assert seen["new"] >= 10, seen
    names = Counter(point.call.name for point in points)
    assert names["rename"] >= 3
    if kind == "table":
        assert any("journal.db-wal" in point.call.path for point in points), "SQLite's own writes must count"


@pytest.mark.parametrize(("kind", "opener"), [("table", "two"), ("sheet", "two"), ("sheet", "one")])
def test_two_roots_are_all_old_or_all_new_whichever_is_opened_first(work: str, kind: str, opener: str) -> None:
    seen = Counter[str]()

    def check(folder: str, crash: Crash) -> None:
        recover(find_project(os.path.join(folder, opener)), kind=kind)
        # Read past thruline: opening one must have finished the other.
        states = [read_plainly(os.path.join(folder, name), 2) for name in ("one", "two")]
        assert states in ([OLD_TWO, OLD_TWO], [NEW_TWO, NEW_TWO]), f"{crash}: {states}"
        seen["new" if states[0] == NEW_TWO else "old"] += 1
        for name in ("one", "two"):
            recover(find_project(os.path.join(folder, name)), kind=kind)
            check_nothing_left(os.path.join(folder, name))

    crash_points(change_two_roots, kind, setup=make_two, check=check, folder=work)
    assert seen["old"] >= 5, seen
    assert seen["new"] >= 10, seen


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("operation", "repair"), [(change_four, recover_one), (change_two_roots, recover_two)])
def test_recovery_killed_anywhere_can_be_repeated(
    work: str, operation: Callable[..., None], repair: Callable[..., None], kind: str
) -> None:
    make, roots, wanted = (
        (make_two, ("one", "two"), NEW_TWO) if operation is change_two_roots else (make_four, (".",), NEW)
    )
    # The worst place to start from: one file is renamed, the others are not.
    trial = os.path.join(work, "trial")
    os.mkdir(trial)
    make(trial)
    calls = trace(operation, trial, kind).changes(below=trial)
    renames = [at for at, call in enumerate(calls, 1) if call.name == "rename" and "/cache/journal/" not in call.target]

    def setup(folder: str) -> None:
        make(folder)
        assert trace(operation, folder, kind, at=renames[1], below=folder).exit == -9

    def check(folder: str, crash: Crash) -> None:
        for name in roots:
            here = os.path.normpath(os.path.join(folder, name))
            recover(find_project(here), kind=kind)
            assert read_state_of(here, len(wanted)) == wanted, str(crash)
            check_nothing_left(here)

    assert len(crash_points(repair, kind, setup=setup, check=check, folder=work)) >= 8


def test_a_replaced_file_is_old_or_new_and_what_is_left_is_known_as_ours(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        assert Path(folder, "file").read_bytes() in (b"old", b"new" * 1000), str(crash)
        made = Path(folder, "a", "b", "made")
        assert not made.exists() or made.read_bytes() == b"new" * 1000, str(crash)
        remove_leftovers(folder)
        assert set(list_files(folder)) <= {"file", "a/b/made"}, str(crash)

    def setup(folder: str) -> None:
        write_plainly(os.path.join(folder, "file"), b"old")

    assert len(crash_points(replace_one, setup=setup, check=check, folder=work)) >= 14


def test_an_appended_line_is_whole_or_not_there(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        assert Path(folder, "log").read_bytes() in (b"first\n", b"first\nsecond\n"), str(crash)
        made = Path(folder, "logs", "log")
        assert not made.exists() or made.read_bytes() in (b"", b"second\n"), str(crash)
        assert set(list_files(folder)) <= {"log", "logs/log"}

    def setup(folder: str) -> None:
        write_plainly(os.path.join(folder, "log"), b"first\n")

    assert len(crash_points(append_one, setup=setup, check=check, folder=work)) >= 5


# --- failed by the system -----------------------------------------------------------------------------------------


def check_told(crash: Crash) -> str:
    """The operation raised one of ours, in three parts; what it said."""
    error = crash.seen.error
    assert error is not None, f"{crash}: the fault was swallowed"
    assert "ThrulineError" in error["kinds"], f"{crash}: {error}"
    assert error["what"], f"{crash}: {error}"
    assert error["where"], f"{crash}: {error}"
    assert error["next"], f"{crash}: {error}"
    return str(error["what"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_anywhere_is_told_and_what_is_told_is_true(work: str, kind: str, fault: int) -> None:
    def check(folder: str, crash: Crash) -> None:
        error = crash.seen.error
        before = read_plainly(folder, 4)
        waiting = find_journals(find_project(folder))
        recover(find_project(folder), kind=kind)
        after = read_state_of(folder, 4)
        assert after in (OLD, NEW), f"{crash}: {after}"
        check_nothing_left(folder)
        if error is None:
            # Some calls may fail without harm (a note for others, a sync that is repeated): then the change was made.
            assert after == NEW, str(crash)
            return
        told = check_told(crash)
        if "Nothing was changed" in told:
            assert before == after == OLD, f"{crash}: {told}"
            assert waiting == [], f"{crash}: what was taken back would come again after a reboot"
        if "is recorded" in told:
            assert after == NEW, f"{crash}: {told}"
        if before == OLD and "recorded" not in told:
            assert after == OLD, f"{crash}: {told}"

    crash_points(change_four, kind, setup=make_four, check=check, folder=work, fault=fault)


@pytest.mark.parametrize(("kind", "fault"), [("table", errno.ENOSPC), ("sheet", errno.EIO), ("sheet", errno.EACCES)])
def test_a_fault_anywhere_in_two_roots_leaves_them_together(work: str, kind: str, fault: int) -> None:
    def check(folder: str, crash: Crash) -> None:
        if crash.seen.error is not None:
            check_told(crash)
        states = []
        for name in ("two", "one"):
            recover(find_project(os.path.join(folder, name)), kind=kind)
            states.append(read_state_of(os.path.join(folder, name), 2))
        for name in ("one", "two"):
            check_nothing_left(os.path.join(folder, name))
        assert states in ([OLD_TWO, OLD_TWO], [NEW_TWO, NEW_TWO]), f"{crash}: {states}"
        if crash.seen.error is None:
            assert states[0] == NEW_TWO, str(crash)

    crash_points(change_two_roots, kind, setup=make_two, check=check, folder=work, fault=fault)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_replacing_or_appending_is_told_and_leaves_no_litter(work: str, fault: int) -> None:
    def check_replace(folder: str, crash: Crash) -> None:
        told = check_told(crash)
        now = Path(folder, "file").read_bytes()
        assert now == b"old" or "in place" in told or crash.call.path.startswith(os.path.join(folder, "a")), told
        assert now in (b"old", b"new" * 1000)
        assert find_leftovers(folder) == []
        assert set(list_files(folder)) <= {"file", "a/b/made"}, str(crash)

    def check_append(folder: str, crash: Crash) -> None:
        check_told(crash)
        assert Path(folder, "log").read_bytes() in (b"first\n", b"first\nsecond\n")

    def setup(folder: str) -> None:
        write_plainly(os.path.join(folder, "file"), b"old")
        write_plainly(os.path.join(folder, "log"), b"first\n")

    crash_points(
        replace_one,
        setup=lambda folder: write_plainly(os.path.join(folder, "file"), b"old"),
        check=check_replace,
        folder=work,
        fault=fault,
    )
    crash_points(append_one, setup=setup, check=check_append, folder=work, fault=fault)
