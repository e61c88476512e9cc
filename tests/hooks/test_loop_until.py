"""The command that decides a promise: when it runs, how long, what goes back, and that nothing of it is left."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, SESSION, WIRED, Hook
from tests.hooks.looping import PROMPT, find_paths, plant, read, spoil, stop
from thruline.artifacts.loop_command import COMMAND
from thruline.artifacts.loop_step import ROOM
from thruline.hooks.event import find_wire
from thruline.operations.loops.verbs import cancel_loop, pause_loop, stop_loops
from thruline.process import read_process


def test_a_promise_is_believed_when_the_command_passes_and_its_failure_goes_back_fenced(hook: Hook) -> None:
    line = "echo tried >> count; echo '``` out'; test $(wc -l < count) -gt 2"
    loop_id = plant(hook, promises=("DONE",), until=line)
    assert "not believed" not in stop(hook)  # no promise, no command
    assert not (hook.project / "count").exists()
    for iteration in (2, 3):
        prompt = stop(hook, "<promise>DONE</promise>")
        assert prompt.startswith(f"<!-- thruline: loop {loop_id}, iteration {iteration} -->\n{PROMPT}")
        assert "The promise was not believed: the command that decides it ended with status 1." in prompt
        assert prompt.endswith(f"````\n$ {line}\n``` out\n````")
    assert stop(hook, "<promise>DONE</promise>") == ""
    assert read(hook, loop_id).status == "done"
    assert stop(hook, "<promise>BLOCKED</promise>") == ""


def test_who_says_blocked_is_believed_without_the_command(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",), until="touch ran; exit 1")
    assert stop(hook, "<promise>BLOCKED</promise>") == ""
    assert (read(hook, loop_id).status, read(hook, loop_id).paused_by) == ("paused", "promise: BLOCKED")
    assert not (hook.project / "ran").exists()


def test_the_command_may_take_longer_than_our_patience_and_not_longer_than_its_own(hook: Hook) -> None:
    plant(hook, prompt="slow", promises=("DONE",), until="sleep 7; exit 3")
    assert "ended with status 3" in stop(hook, "<promise>DONE</promise>")
    left = hook.project / "pid"
    plant(hook, prompt="hangs", promises=("DONE",), until="sleep 60 & echo $! > pid; wait", until_seconds=1)
    assert "the command that decides it did not end within 1 s." in stop(hook, "<promise>DONE</promise>")
    patience = time.monotonic() + 20
    while read_process(int(left.read_text()))[0]:  # what was killed may take a moment to die
        assert time.monotonic() < patience
        time.sleep(0.01)
    assert hook.read_troubles() == []


@pytest.mark.parametrize("how", ["cancelled", "paused", "gone", "binary", "no session"])
def test_a_loop_that_is_held_or_gone_while_its_command_runs_ends_it_at_once(hook: Hook, how: str) -> None:
    loop_id = plant(hook, promises=("DONE",), until="sleep 300 & echo $! > begun.new; mv begun.new begun; wait")
    payload = hook.build(last_assistant_message="<promise>DONE</promise>")
    given = hook.project / "payload"
    given.write_bytes(payload)
    with given.open("rb") as source:
        running = subprocess.Popen([*hook.command, HARNESS, "turn_end"], stdin=source, stdout=subprocess.PIPE)
    wait_until((hook.project / "begun").exists)
    before = read(hook, loop_id)
    spoil(hook, loop_id, how)
    assert running.communicate(timeout=60) == (b"", None)  # of 120 that it might take, and 300 that it would
    assert running.returncode == 0
    child = int((hook.project / "begun").read_text())
    wait_until(lambda: read_process(child) == ("", 0, 0))
    assert before.iteration == 0
    if how in ("cancelled", "paused"):
        assert (read(hook, loop_id).status, read(hook, loop_id).iteration) == (how, 0)


def wait_until(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_a_command_other_than_the_one_that_was_shown_is_not_run(hook: Hook, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    loop_id = plant(hook, promises=("DONE",), until="true")
    path = Path(find_paths(hook).build_loop(loop_id))
    path.write_bytes(read(hook, loop_id).document.set("until", f"touch {ran}").render())
    assert stop(hook, "<promise>DONE</promise>") == ""
    assert not ran.exists()


def test_a_hook_that_is_asked_to_end_takes_its_command_with_it(hook: Hook, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    plant(hook, promises=("DONE",), until=f"echo $$ > {note}; sleep 300; true")
    process = subprocess.Popen(
        [*hook.command, HARNESS, "turn_end"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.write(hook.build(SESSION, last_assistant_message="<promise>DONE</promise>", hook_event_name="Stop"))
    process.stdin.close()
    ends = time.monotonic() + 20
    while not (note.exists() and note.read_text().strip()) and time.monotonic() < ends:
        time.sleep(0.05)
    child = int(note.read_text())
    process.terminate()
    assert process.wait(20) == 0
    assert read_process(child) == ("", 0, 0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="elsewhere nobody knows whose number it is by now")
@pytest.mark.parametrize("how", ["cancel", "pause", "stop", "the next turn"])
def test_the_command_of_a_killed_hook_is_ended_by_whoever_comes_next(
    hook: Hook, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    line = "test -e begun && exit 5; sleep 300 & echo $$ > begun.new; mv begun.new begun; wait"
    loop_id = plant(hook, promises=("DONE",), until=line)
    given = hook.project / "payload"
    given.write_bytes(hook.build(last_assistant_message="<promise>DONE</promise>"))
    with given.open("rb") as source:
        running = subprocess.Popen([*hook.command, HARNESS, "turn_end"], stdin=source, stdout=subprocess.DEVNULL)
    wait_until((hook.project / "begun").exists)
    note = Path(hook.here.build_loop_leave(loop_id) + COMMAND)
    wait_until(note.exists)
    running.kill()
    running.wait()
    child = int((hook.project / "begun").read_text())
    assert read_process(child)[2], "nobody ended it with its hook"
    monkeypatch.setenv("THRULINE_HOME", str(hook.state))
    paths = find_paths(hook)
    if how == "the next turn":
        assert "ended with status 5" in stop(hook, "<promise>DONE</promise>")
    elif how == "stop":
        stop_loops(paths)
    else:
        (cancel_loop if how == "cancel" else pause_loop)(paths, loop_id)
    wait_until(lambda: read_process(child) == ("", 0, 0))
    assert not note.exists()


def test_what_a_failed_command_said_is_cut_to_what_the_client_takes_whole(hook: Hook) -> None:
    harness = next(name for name in WIRED if find_wire(name).BLOCK_LIMIT)
    wire = find_wire(harness)
    tight = wire.BLOCK_LIMIT - ROOM - 300  # with what is said around it
    for size in (wire.BLOCK_LIMIT - 1_500, tight):
        loop_id = plant(hook, prompt="x" * size, promises=("DONE",), until="seq 1 9999; exit 3")
        said = stop(hook, "<promise>DONE</promise>", harness=harness)
        assert "The promise was not believed" in said
        assert wire.measure_text(said) <= wire.BLOCK_LIMIT
        assert "9999" in said
        assert "\n1\n" not in said
        assert (read(hook, loop_id).status, read(hook, loop_id).iteration) == ("active", 1)


def test_a_prompt_that_the_client_would_cut_is_not_given(hook: Hook) -> None:
    harness = next(name for name in WIRED if find_wire(name).BLOCK_LIMIT)
    loop_id = plant(hook, prompt="x" * find_wire(harness).BLOCK_LIMIT)
    assert stop(hook, harness=harness) == ""
    assert read(hook, loop_id).iteration == 0
    assert any("over the client's limit" in str(each) for each in hook.read_troubles())
