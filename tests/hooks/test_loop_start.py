"""What the start of another session says of a loop whose session is over, and what it never says."""

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, SESSION, WIRED, Hook
from tests.hooks.looping import SPOILED, find_paths, plant, read, read_pointer, spoil, stop
from thruline.artifacts.loop_leave import CLIENT
from thruline.disk.atomic import Lock
from thruline.hooks.event import find_wire
from thruline.operations.loops.run_note import LOCK
from thruline.process import read_process

NEW = "11111111-1111-2222-3333-444455556666"


@pytest.fixture
def over() -> int:
    """A process that is over."""
    return int(subprocess.run(["sh", "-c", "echo $$"], capture_output=True, check=True).stdout)


def leave_client(hook: Hook, loop_id: str, pid: int, born: int = 0) -> None:
    """As if the loop had last been at work in another client."""
    path = Path(hook.here.build_loop_leave(loop_id) + CLIENT)
    assert path.read_text().split()[0] == str(os.getpid())
    path.write_text(f"{pid} {born}")


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("source", ["startup", "clear"])
def test_a_new_session_hears_of_a_loop_whose_session_is_over_and_is_not_held(
    hook: Hook, harness: str, source: str, over: int
) -> None:
    loop_id = plant(hook, promises=("DONE",), max_iterations=20)
    for _ in range(8):
        stop(hook, harness=harness)
    leave_client(hook, loop_id, over)
    hook.write_ready(hook.here.build_start(harness), "The last session ended.")
    before = read_pointer(hook).sessions, read(hook, loop_id).document.render()
    text = hook.ask("session_start", NEW, harness=harness, source=source)
    assert text.startswith("The last session ended.\n\nthruline, for information: ")
    assert f"`{loop_id}` stands at iteration 8 of 20, and its session ({HARNESS}:{SESSION}) is over." in text
    assert f"`thruline loop run {loop_id}`" in text
    assert f"`thruline loop activate {loop_id} --session {NEW}` here" in text
    assert len(text) < 700
    assert [(line["kind"], line["from"]) for line in hook.read_told()][-1] == ("loop", SESSION)
    assert stop(hook, session=NEW, harness=harness) == ""
    assert (read_pointer(hook).sessions, read(hook, loop_id).document.render()) == before
    for other in ("resume", "compact"):
        assert loop_id not in hook.ask("session_start", NEW, harness=harness, source=other)
    assert hook.read_troubles() == []


def test_a_client_that_cleared_its_session_hears_of_the_loop_that_it_left(hook: Hook) -> None:
    loop_id = plant(hook)
    stop(hook)
    assert f"`{loop_id}` stands at iteration 1, " in hook.ask("session_start", NEW, source="clear")


@pytest.mark.parametrize("why", ["runs", "no turn", "driven", "no leave", *SPOILED, "agent", "another machine's note"])
def test_nothing_is_said_of_a_loop_that_is_at_work_or_over_or_in_doubt(hook: Hook, why: str, over: int) -> None:
    loop_id = plant(hook)
    stop(hook)
    leave_client(hook, loop_id, over)
    note = Path(hook.here.build_loop_leave(loop_id) + CLIENT)
    with subprocess.Popen(["sleep", "60"]) as other, ExitStack() as stack:
        stack.callback(other.kill)
        if why == "runs":
            note.write_text(f"{other.pid} {read_process(other.pid)[2]}")
        elif why == "no turn":
            note.unlink()
        elif why == "another machine's note":
            note.write_text("gibberish \0")
        elif why == "driven":
            stack.enter_context(Lock(find_paths(hook).build_loop(loop_id, LOCK)))
        elif why == "no leave":
            os.remove(hook.here.build_loop_leave(loop_id))
        elif why == "agent":
            stack.enter_context(pytest.MonkeyPatch.context()).setenv("THRULINE_LOOP", loop_id)
        else:
            spoil(hook, loop_id, why)
        hook.write_ready(hook.here.build_start(HARNESS), "The last session ended.")
        assert hook.ask("session_start", NEW) == "The last session ended."
    assert hook.read_troubles() == []


def test_a_process_that_took_the_number_of_the_client_is_not_the_client(hook: Hook) -> None:
    loop_id = plant(hook)
    stop(hook)
    leave_client(hook, loop_id, os.getppid(), 1)
    assert loop_id in hook.ask("session_start", NEW)


def test_of_many_loops_that_were_left_three_are_told_and_none_where_there_is_no_room(hook: Hook, over: int) -> None:
    ids = [plant(hook, session=f"session-{number:06d}", prompt=f"work {number}") for number in range(5)]
    for number, loop_id in enumerate(ids):
        stop(hook, session=f"session-{number:06d}")
        leave_client(hook, loop_id, over)
    assert hook.ask("session_start", NEW).count("stands at iteration 1") == 3
    long = "x" * (find_wire(HARNESS).LIMIT - 100)
    hook.write_ready(hook.here.build_start(HARNESS), long)
    assert hook.ask("session_start", NEW) == long
