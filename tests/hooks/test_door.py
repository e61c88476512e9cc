"""Whatever a client sends, the door answers or stays silent; where it is switched off it leaves no byte."""

import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.hooks.conftest import HARNESS, SESSION, WIRED, Hook
from tests.hooks.doors import EVENTS, READY, silent
from thruline.hooks.door import answer
from thruline.hooks.handlers import HANDLERS
from thruline.layout import UserPaths

# --- what it answers


def test_the_table_holds_our_ten_events():
    assert list(HANDLERS) == EVENTS


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_with_nothing_ready_is_spooled_and_answered_with_silence(hook: Hook, harness: str, event: str):
    done = hook.run(harness, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a.py"}))
    assert silent(done)
    assert hook.read_troubles() == []
    if "tool" not in event:
        [line] = hook.read_spool()
        assert (line["event"], line["harness"], line["session"]) == (event, harness, SESSION)


def test_it_answers_while_the_client_keeps_the_pipe_open(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), READY)
    with subprocess.Popen(
        [*hook.command, HARNESS, "session_start"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(hook.build())
        process.stdin.flush()
        assert process.wait(4) == 0  # before its patience ends
        assert process.stdout is not None
        assert READY in process.stdout.read().decode()


def test_a_client_that_never_sends_is_left_after_a_while(hook: Hook):
    stub = Path(hook.paths.hook_entry)
    stub.write_text(stub.read_text().replace("    main(", "    main.__globals__['PATIENCE'] = 0.3\n    main("))
    reader, writer = os.pipe()
    try:
        done = hook.run(HARNESS, "prompt", stdin=reader)
    finally:
        os.close(reader)
        os.close(writer)
    assert silent(done)
    assert "no end within 0.3 s" in hook.read_troubles()[0]


def test_a_hook_that_its_session_waits_for_is_noted_and_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, target = os.pipe(), os.pipe()
    os.write(source[1], json.dumps({"session_id": SESSION, "cwd": str(tmp_path), "source": "startup"}).encode())
    slow = iter([0.0, 1.26])
    monkeypatch.setattr("thruline.hooks.door.time", SimpleNamespace(monotonic=lambda: next(slow)))
    paths = UserPaths(str(tmp_path / "state"), "")
    answer(paths, [HARNESS, "session_start"], source[0], target[1])
    (line,) = Path(paths.slow_hooks).read_text().splitlines()
    row = json.loads(line)
    assert (row["harness"], row["event"], row["seconds"]) == (HARNESS, "session_start", 1.3)
    assert not os.path.exists(paths.hook_errors)


def test_megabytes_of_tool_output_are_no_trouble_and_stay_out_of_the_spool(hook: Hook):
    payload = hook.build(
        tool_name="Read", tool_input={"file_path": "/a"}, tool_response='a "{quoted}" \\ line\n' * 400_000
    )
    assert len(payload) > 8_000_000
    assert silent(hook.run(HARNESS, "tool_done", payload=payload))
    assert hook.read_troubles() == []
    assert len(json.dumps(hook.read_spool())) < 1000


# --- the switch, and no litter


@pytest.mark.parametrize(("value", "off"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_thruline_off_silences_it(hook: Hook, value: str, off: bool):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    done = hook.run(HARNESS, "session_start", payload=hook.build(), env={**os.environ, "THRULINE_OFF": value})
    assert (done.returncode, READY.encode() in done.stdout, bool(hook.read_spool())) == (0, not off, not off)


@pytest.mark.parametrize("event", EVENTS)
def test_both_switches_silence_every_event_to_the_last_byte(hook: Hook, event: str):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    for switch in (hook.paths.off, hook.here.off):
        Path(switch).touch()
        before = hook.find_files()
        assert silent(hook.run(HARNESS, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a"})))
        assert hook.find_files() == before
        Path(switch).unlink()
    assert hook.find_starts() == []


def test_a_project_that_is_off_leaves_its_neighbours_on(hook: Hook, tmp_path: Path):
    Path(hook.here.ready).mkdir(parents=True)
    Path(hook.here.off).touch()
    neighbour = Hook(hook.state, tmp_path / "neighbour")
    neighbour.project.mkdir()
    assert silent(neighbour.run(HARNESS, "prompt", payload=neighbour.build()))
    assert [event["event"] for event in neighbour.read_spool()] == ["prompt"]


def test_thruline_off_leaves_no_trace_of_trouble_either(hook: Hook):
    assert silent(hook.run(HARNESS, "nonsense", payload=b"{", env={**os.environ, "THRULINE_OFF": "1"}))
    assert hook.read_troubles() == []


@pytest.mark.parametrize("event", EVENTS)
def test_a_project_without_a_marker_gets_not_one_byte(hook: Hook, event: str):
    (hook.project / ".git").mkdir()
    (hook.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    hook.run(HARNESS, event, payload=hook.build(), cwd=hook.project)
    hook.run(HARNESS, event, payload=b"garbage", cwd=hook.project)
    assert sorted(path.name for path in hook.project.rglob("*")) == [".git", "HEAD"]


def test_a_ready_text_inside_a_repository_is_not_read(hook: Hook):
    inside = Hook(hook.project / ".agent" / "context", hook.project)
    for paths in (inside.here, Hook(hook.project, hook.project).here):
        for path in (paths.build_start(HARNESS), paths.build_resume(HARNESS)):
            inside.write_ready(path, READY)
    (hook.project / ".agent/context/root.json").write_text("{}")
    assert silent(hook.run(HARNESS, "session_start", payload=hook.build(), cwd=hook.project))


@pytest.mark.parametrize("absolute", [True, False])
def test_the_stubs_own_state_is_used_whatever_thruline_home_says(hook: Hook, tmp_path: Path, absolute: bool):
    other = Hook(tmp_path / "other", hook.project)
    other.write_ready(other.here.build_start(HARNESS), "From elsewhere.")
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    env = {**os.environ, "THRULINE_HOME": str(other.state) if absolute else "here"}
    done = hook.run(HARNESS, "session_start", payload=hook.build(), env=env, cwd=hook.project)
    assert READY.encode() in done.stdout
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage", env=env, cwd=hook.project))
    assert len(hook.read_troubles()) == 1
    assert other.read_troubles() == other.read_spool() == []
    assert os.listdir(hook.project) == []


def test_thirty_hooks_at_once_each_get_their_own_answer_and_lose_nothing(hook: Hook):
    sessions = [f"session-{n:04d}" for n in range(30)]
    running = []
    for session in sessions:
        hook.write_ready(hook.here.build_late(HARNESS, session), f"For {session}.", kind="late")
        process = subprocess.Popen(
            [*hook.command, HARNESS, "prompt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        running.append(process)
    answers = [
        process.communicate(hook.build(session), timeout=60) for session, process in zip(sessions, running, strict=True)
    ]
    for session, (said, error) in zip(sessions, answers, strict=True):
        assert json.loads(said)["hookSpecificOutput"]["additionalContext"] == f"For {session}."
        assert error == b""
    assert [process.returncode for process in running] == [0] * 30
    assert {event["session"] for event in hook.read_spool()} == set(sessions)
    assert {line["session"] for line in hook.read_told()} == set(sessions)  # thirty whole lines


def test_one_text_is_told_to_one_of_thirty_who_ask_at_once(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), READY)
    command = [*hook.command, HARNESS, "session_start"]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(30)]
    answers = [process.communicate(hook.build(f"session-{n:04d}"), timeout=60)[0] for n, process in enumerate(running)]
    assert len([said for said in answers if READY.encode() in said]) == 1
    assert len(hook.read_told()) == 1
    assert len(hook.read_spool()) == 30


def test_thirty_troubles_at_once_are_thirty_whole_lines(hook: Hook):
    running = [
        subprocess.Popen([*hook.command, f"client{n}", "prompt"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for n in range(30)
    ]
    assert [process.communicate(timeout=30)[1] for process in running] == [b""] * 30
    assert {json.loads(line)["harness"] for line in hook.read_troubles()} == {f"client{n}" for n in range(30)}
