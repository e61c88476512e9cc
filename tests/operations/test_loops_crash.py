"""Killed at every call that changes a file: a loop is as before or as after, and nobody is held by half of one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.disk.projects import in_memory
from tests.operations.traced_loops import cancel, end, find_paths, go_on, look, set_up, start, stop
from tests.tracer import Crash, crash_points
from thruline.disk.transaction import recover, seal
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.verbs import stop_loops

FIRST_ACTIVE = ("active", 0, True)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with in_memory(tmp_path) as folder:
        monkeypatch.setenv("THRULINE_HOME", os.path.join(folder, "work", "state"))
        yield folder


def settle(folder: str) -> dict[str, tuple[str, int, bool]]:
    """The loops, once what was broken off is completed."""
    seal._known.clear()
    recover(find_paths(folder))
    return look(folder)


def check_held(folder: str, crash: Crash) -> None:
    """The hook agrees with the files as they lie, and afterwards everything can still be stopped."""
    before = look(folder)
    in_front = [name for name, (_, _, front) in before.items() if front]
    prompt = stop(folder, "Not yet.")
    assert bool(prompt) == bool(in_front), crash
    assert not prompt or f"-->\n{in_front[0]}" in prompt, crash
    assert stop_loops(find_paths(folder))[1] == [], crash
    assert read_pointer(find_paths(folder)).sessions == {}, crash
    assert stop(folder, "Not yet.") == "", crash
    recover(find_paths(folder))  # lets go of the journal, whose folder is another's the next time


def test_a_start_that_is_killed_started_or_did_not(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        old = {"first": FIRST_ACTIVE}
        new = {"first": ("active", 0, False), "second": ("active", 0, True)}
        assert settle(folder) in (old, new), crash
        check_held(folder, crash)

    assert len(crash_points(start, setup=set_up, check=check, folder=work)) > 5


def test_a_hook_between_the_kill_and_the_recovery_holds_nobody_by_half_a_start(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        seal._known.clear()
        check_held(folder, crash)

    assert len(crash_points(start, setup=set_up, check=check, folder=work)) > 5


def test_a_cancel_that_is_killed_ended_the_loop_or_did_not(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        assert settle(folder) in ({"first": FIRST_ACTIVE}, {"first": ("cancelled", 0, False)}), crash
        check_held(folder, crash)

    assert len(crash_points(cancel, setup=set_up, check=check, folder=work)) > 5


def test_the_end_of_a_turn_that_is_killed_counted_or_did_not(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        assert settle(folder) in ({"first": FIRST_ACTIVE}, {"first": ("active", 1, True)}), crash
        check_held(folder, crash)

    assert len(crash_points(go_on, setup=set_up, check=check, folder=work)) > 3


def test_a_kept_promise_that_is_killed_ended_the_loop_or_did_not(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        assert settle(folder) in ({"first": FIRST_ACTIVE}, {"first": ("done", 0, False)}), crash
        check_held(folder, crash)

    assert len(crash_points(end, setup=set_up, check=check, folder=work)) > 3
