"""Killed, or failed by the system, at every call that changes a file: what was kept comes back, nothing stays half."""

import errno
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ark.operations import (
    FORK,
    NEXT,
    archive_and_tidy,
    archive_first,
    archive_grown,
    archive_new,
    collect_all,
    forget_fork,
    open_ark,
)
from tests.ark.sessions import PARENT, build_lines, find_stored, find_used, fork, keep, list_litter, read_back
from tests.tracer import Crash, crash_points
from thruline.ark.store import Ark

OLD = b"".join(build_lines(500))
NEW = b"".join(build_lines(20, NEXT, seed=5))
OWN = b"".join(build_lines(30, FORK, seed=6))


@pytest.fixture
def work() -> Iterator[str]:
    """A folder in memory where there is one: a kill does not care what lies below, and syncs are free there."""
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    yield folder
    shutil.rmtree(folder)


def make_two(folder: str) -> None:
    """A session and a fork of it that went on, both archived; and the file of a third."""
    ark = open_ark(folder)
    for name, data in ((PARENT, OLD), (FORK, fork(OLD, FORK) + OWN)):
        path = Path(folder, f"{name}.jsonl")
        path.write_bytes(data)
        keep(ark, path, name)
    Path(folder, "new.jsonl").write_bytes(NEW)


def make_two_with_unused(folder: str) -> None:
    """The same, where the fork was replaced: blocks of its first version lie there unused."""
    make_two(folder)
    path = Path(folder, f"{FORK}.jsonl")
    path.write_bytes(path.read_bytes() + OWN)
    keep(open_ark(folder), path, FORK)
    ark = open_ark(folder)
    assert set(find_stored(ark)) > find_used(ark)


def read_all(ark: Ark) -> dict[str, bytes]:
    """Every session, read back and checked."""
    return {name: read_back(ark, name)[0] for _, name in ark.entries.find_names()}


def write_next(folder: str) -> Ark:
    """Whoever comes next archives a session of their own."""
    ark = open_ark(folder)
    path = Path(folder, "next.jsonl")
    path.write_bytes(b"next\n")
    keep(ark, path, "next")
    return ark


CASES: list[tuple[Callable[[str], None], Callable[[str], None], set[str]]] = [
    (archive_new, make_two, {"old", "new"}),
    (archive_grown, make_two, {"old", "grown"}),
    (archive_and_tidy, make_two, {"old", "grown"}),
    (forget_fork, make_two, {"old", "forgotten"}),
    (collect_all, make_two_with_unused, {"old"}),
]


def tell(ark: Ark, kept_fork: bytes) -> str:
    """In which of the allowed states the ark is."""
    old = {PARENT: OLD, FORK: kept_fork}
    states = {
        "old": old,
        "new": old | {NEXT: NEW},
        "grown": old | {PARENT: OLD + NEW},
        "forgotten": {PARENT: OLD},
    }
    found = read_all(ark)
    return next((name for name, state in states.items() if state == found), f"none: {sorted(found)}")


@pytest.mark.parametrize(("operation", "setup", "allowed"), CASES, ids=[case[0].__name__ for case in CASES])
def test_a_kill_anywhere_leaves_the_old_state_or_the_new_and_the_next_writer_clears_up(
    work: str, operation: Callable[[str], None], setup: Callable[[str], None], allowed: set[str]
) -> None:
    seen = Counter[str]()
    kept_fork = fork(OLD, FORK) + (OWN * 2 if setup is make_two_with_unused else OWN)

    def check(folder: str, crash: Crash) -> None:
        state = tell(open_ark(folder), kept_fork)
        assert state in allowed, f"{crash}: {state}"
        seen[state] += 1
        ark = write_next(folder)
        assert list_litter(ark) == [], str(crash)
        if operation in (archive_new, forget_fork):
            # Nothing of a session that is not there, and nothing twice: found without being asked to look.
            assert sorted(find_stored(ark)) == sorted(find_used(ark)), str(crash)
        ark.collect()
        assert sorted(find_stored(ark)) == sorted(find_used(ark)), str(crash)
        ark.forget([(shelf, name) for shelf, name in ark.entries.find_names() if name == "next"])
        assert tell(ark, kept_fork) == state, str(crash)

    points = crash_points(operation, setup=setup, check=check, folder=work)
    assert set(seen) == allowed
    assert len(points) >= 8


def test_a_kill_in_the_first_archiving_of_all_leaves_the_session_or_nothing(work: str) -> None:
    seen = Counter[int]()

    def check(folder: str, crash: Crash) -> None:
        ark = Ark(os.path.join(folder, "other"))
        found = read_all(ark)
        assert found in ({}, {NEXT: NEW}), str(crash)
        seen[len(found)] += 1
        archive_first(folder)
        assert read_all(ark) == {NEXT: NEW}, str(crash)
        ark.collect()
        assert list_litter(ark) == [], str(crash)
        assert sorted(find_stored(ark)) == sorted(find_used(ark)), str(crash)

    crash_points(
        archive_first, setup=lambda folder: Path(folder, "new.jsonl").write_bytes(NEW), check=check, folder=work
    )
    assert set(seen) == {0, 1}


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize(("operation", "setup", "allowed"), CASES, ids=[case[0].__name__ for case in CASES])
def test_a_fault_anywhere_is_told_and_loses_nothing(
    work: str, operation: Callable[[str], None], setup: Callable[[str], None], allowed: set[str], fault: int
) -> None:
    kept_fork = fork(OLD, FORK) + (OWN * 2 if setup is make_two_with_unused else OWN)

    def check(folder: str, crash: Crash) -> None:
        error = crash.seen.error
        state = tell(open_ark(folder), kept_fork)
        assert state in allowed, f"{crash}: {state}"
        if error is None:
            assert state != "old" or operation is collect_all, str(crash)
        elif not crash.call.path.endswith("jsonl"):
            assert "ThrulineError" in error["kinds"], f"{crash}: {error}"
            assert error["what"], str(crash)
            assert error["where"], str(crash)
            assert error["next"], str(crash)
        ark = write_next(folder)
        if operation in (archive_new, forget_fork):
            assert sorted(find_stored(ark)) == sorted(find_used(ark)), str(crash)
        ark.collect()
        assert sorted(find_stored(ark)) == sorted(find_used(ark)), str(crash)
        assert list_litter(ark) == [], str(crash)

    crash_points(operation, setup=setup, check=check, folder=work, fault=fault)
