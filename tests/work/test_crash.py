"""Killed, or failed by the system, at every call that changes a file: nothing torn, nothing twice, nothing lost."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracer import Crash, crash_points, find_obstacle
from tests.work.crashing import enter, leave_events, leave_late, leave_second_half, leave_told, work_all
from tests.work.shop import CORRECTION, FIRST, HARNESS, OTHER, SECOND, THIRD, Shop
from thruline.artifacts.handoff import parse_handoff


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder in memory where there is one: a kill does not care what lies below, and syncs are free there."""
    find_obstacle()  # before PATH is gone: it looks by starting a program
    for name in ("HOME", "THRULINE_HOME", "PATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))  # what `enter` sets is undone
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    yield folder
    shutil.rmtree(folder)


def check_whole(shop: Shop, crash: Crash) -> None:
    """Nothing half-done lies around."""
    assert os.listdir(shop.hooks.spool) == [], str(crash)
    assert sorted(os.listdir(shop.hooks.work)) == ["lock", "sessions", "state.json"], str(crash)
    assert shop.state.parked == [], str(crash)
    left = [path for path in Path(shop.root).parent.rglob("*") if path.name.endswith((".tmp", ".worker"))]
    assert left == [], str(crash)


def check_told_once(shop: Shop, crash: Crash) -> None:
    """The notes are ready for whoever starts next, and after they were told for nobody."""
    envelope = shop.resume()
    assert envelope is not None, str(crash)
    assert CORRECTION in envelope["text"], str(crash)
    (name,) = shop.handoffs()
    head = parse_handoff(Path(shop.project.handoffs, name).read_bytes(), name)
    assert head is not None, str(crash)
    assert head.session == FIRST, str(crash)
    told = shop.tell(shop.hooks.build_resume(HARNESS), THIRD)
    shop.spool("session_start", THIRD, source="startup", told=[told])
    shop.work()
    assert shop.resume(HARNESS) is shop.resume(OTHER) is shop.late(THIRD) is None, str(crash)
    assert shop.handoffs("seen") == [name], str(crash)


def test_a_kill_anywhere_takes_every_event_in_once(memory: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        shop = enter(folder)
        shop.work()
        check_whole(shop, crash)
        started = [(row["event"], row["session_id"]) for row in shop.rows("sessions.jsonl")]
        assert started == [("started", FIRST), ("ended", FIRST), ("started", SECOND)], str(crash)
        assert [row["file_path"] for row in shop.rows("relevant-files.jsonl")] == ["a.py", "b.py"], str(crash)
        check_told_once(shop, crash)

    assert len(crash_points(work_all, setup=leave_events, check=check, folder=memory)) > 50


def test_a_kill_while_notes_are_renewed_loses_none_and_leaves_none_twice(memory: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        shop = enter(folder)
        before = shop.resume()
        if before is not None:  # a start in this moment hears whole notes, or none yet
            assert CORRECTION in before["text"], str(crash)
        shop.work()
        check_whole(shop, crash)
        check_told_once(shop, crash)

    crash_points(work_all, setup=leave_second_half, check=check, folder=memory)


def test_a_kill_after_something_was_told_never_makes_it_ready_again(memory: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        shop = enter(folder)
        shop.work()
        check_whole(shop, crash)
        assert shop.resume(HARNESS) is shop.resume(OTHER) is shop.late(SECOND) is None, str(crash)
        assert len(shop.handoffs("seen")) == 1, str(crash)
        assert shop.handoffs() == [], str(crash)

    crash_points(work_all, setup=leave_told, check=check, folder=memory)


def test_a_kill_while_notes_are_handed_to_one_session_leaves_them_for_that_one_alone(memory: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        shop = enter(folder)
        shop.work()
        check_whole(shop, crash)
        late = shop.late(SECOND)
        assert late is not None, str(crash)
        assert CORRECTION in late["text"], str(crash)
        assert shop.resume(HARNESS) is shop.resume(OTHER) is None, str(crash)
        told = shop.tell(shop.hooks.build_late(HARNESS, SECOND), SECOND, "prompt")
        shop.spool("prompt", SECOND, told=[told])
        shop.work()
        assert shop.resume(HARNESS) is shop.late(SECOND) is None, str(crash)
        assert len(shop.handoffs("seen")) == 1, str(crash)

    crash_points(work_all, setup=leave_late, check=check, folder=memory)


def test_a_full_disk_anywhere_loses_no_event_and_what_was_given_up_is_told(memory: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        shop = enter(folder)
        shop.work()
        assert os.listdir(shop.hooks.spool) == [], str(crash)
        assert shop.state.find(HARNESS, FIRST).ended, str(crash)
        gone = {each.job for each in shop.state.parked}
        assert gone <= {"rows"}, str(crash)  # every job had a second try
        events = [row["event"] for row in shop.rows("sessions.jsonl")]
        if not gone:
            assert events == ["started", "ended", "started"], str(crash)
        assert len(shop.handoffs()) == 1, str(crash)
        assert shop.resume() is not None, str(crash)

    crash_points(work_all, setup=leave_events, check=check, folder=memory, fault=errno.ENOSPC)
