"""The loop engine at the door: only the session whose user started a loop goes on, and only while it is active."""

import json
import os
import shlex
from pathlib import Path

import pytest

import thruline
from tests.hooks.conftest import HARNESS, OTHER, SESSION, WIRED, Hook
from tests.hooks.imports import find_added
from tests.hooks.looping import PROMPT, SPOILED, find_paths, plant, read, read_pointer, spoil, stop
from tests.tracer import find_obstacle, trace
from thruline.disk.atomic import Lock
from thruline.hooks.event import find_wire
from thruline.operations.loops.run_note import LOCK


@pytest.mark.feature("F003-17", via="unit")
@pytest.mark.parametrize("harness", WIRED)
def test_a_session_goes_on_with_the_same_prompt_until_its_promise(hook: Hook, harness: str) -> None:
    loop_id = plant(hook, promises=("ALL GREEN",))
    for iteration in (1, 2, 3):
        prompt = stop(hook, "I fixed one.\nTwo are left.", harness=harness)
        assert prompt.startswith(f"<!-- thruline: loop {loop_id}, iteration {iteration} -->\n{PROMPT}\n")
        assert "<promise>ALL GREEN</promise>" in prompt
        loop = read(hook, loop_id)
        assert (loop.iteration, loop.status, loop.last_line) == (iteration, "active", "Two are left.")
    assert stop(hook, "<promise>ALL  GREEN</promise> <promise>all green</promise> ALL GREEN", harness=harness)
    assert stop(hook, "It is so: <promise> ALL GREEN </promise>", harness=harness) == ""
    loop = read(hook, loop_id)
    assert (loop.iteration, loop.status, loop.prompt) == (4, "done", PROMPT)
    assert (read_pointer(hook).last, read_pointer(hook).sessions) == ("", {})
    assert stop(hook, harness=harness) == ""
    assert hook.read_troubles() == []


def test_every_turn_is_left_for_the_worker_and_what_was_said_is_remembered(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",))
    prompt = stop(hook)
    assert [event["event"] for event in hook.read_spool()] == ["turn_end"]
    assert not {"marked", "prompt"} & set(hook.read_spool()[0])
    assert len(hook.find_starts(1)) == 1
    [told] = hook.read_told()
    assert (told["kind"], told["id"], told["text"], told["session"]) == ("loop", f"loop {loop_id}", prompt, SESSION)
    assert (told["event"], told["characters"]) == ("turn_end", len(prompt))


@pytest.mark.feature("F003-27", via="unit")
def test_a_blocked_promise_pauses_and_any_of_several_ends(hook: Hook) -> None:
    first = plant(hook, prompt="first", promises=("DONE", "NOTHING TO DO", "BLOCKED"))
    assert stop(hook, "<promise>DONE</promise>? No: <promise>BLOCKED</promise>") == ""
    assert (read(hook, first).status, read(hook, first).paused_by) == ("paused", "promise: BLOCKED")
    assert read_pointer(hook).sessions == {}
    second = plant(hook, prompt="second", promises=("DONE", "NOTHING TO DO"))
    assert stop(hook, "<promise>NOTHING TO DO</promise>") == ""
    assert read(hook, second).status == "done"
    third = plant(hook, prompt="third")
    assert stop(hook, "<promise>DONE</promise>")
    assert stop(hook, "<promise>BLOCKED</promise>") == ""
    assert read(hook, third).status == "paused"


def test_at_its_limit_a_loop_is_paused_and_not_done(hook: Hook) -> None:
    loop_id = plant(hook, max_iterations=2, promises=("DONE",))
    assert "iteration 1 of 2" in stop(hook)
    assert "iteration 2 of 2" in stop(hook)
    assert stop(hook) == ""
    loop = read(hook, loop_id)
    assert (loop.iteration, loop.status, loop.paused_by) == (2, "paused", "max_iterations")


@pytest.mark.feature("F003-23", via="unit")
def test_nobody_but_the_session_of_an_active_loop_is_held(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(hook, prompt="mine")
    behind = plant(hook, prompt="in nobody's foreground", front=False)
    assert stop(hook, session=OTHER) == ""
    assert stop(hook, fields={"agent_id": "a1"}) == ""
    for event in ("subagent_end", "before_compact", "after_compact", "session_end", "prompt"):
        assert b"decision" not in hook.run(HARNESS, event, payload=hook.build()).stdout
    for name, value in (("THRULINE_LOOP", "x"), ("THRULINE_OFF", "1")):
        monkeypatch.setenv(name, value)
        assert stop(hook) == ""
        monkeypatch.delenv(name)
    assert read(hook, behind).iteration == 0
    assert stop(hook)


@pytest.mark.parametrize("how", SPOILED)
def test_whatever_is_wrong_with_a_loop_its_session_may_stop(hook: Hook, how: str) -> None:
    loop_id = plant(hook)
    spoil(hook, loop_id, how)
    assert stop(hook) == ""
    assert [event["event"] for event in hook.read_spool()] == ["turn_end"]


def test_a_loop_in_a_marked_project_lies_in_its_folder_and_leads_nowhere_else(hook: Hook, tmp_path: Path) -> None:
    context = hook.project / ".agent" / "context"
    context.mkdir(parents=True)
    (context / "root.json").write_text("{}")
    loop_id = plant(hook)
    assert (context / "loops" / f"{loop_id}.md").exists()
    assert stop(hook)
    (context / "loops").rename(tmp_path / "out")
    (context / "loops").symlink_to(tmp_path / "out")
    before = (tmp_path / "out" / f"{loop_id}.md").read_bytes()
    assert stop(hook) == ""
    assert (tmp_path / "out" / f"{loop_id}.md").read_bytes() == before


def test_a_lock_that_somebody_sits_on_holds_nobody(hook: Hook) -> None:
    from thruline.disk.atomic import Lock

    loop_id = plant(hook)
    with Lock(find_paths(hook).active_loop + ".lock"):
        assert stop(hook) == ""
    assert len(hook.read_troubles()) == 1
    assert stop(hook)
    assert read(hook, loop_id).iteration == 1


@pytest.mark.parametrize("harness", WIRED)
def test_a_resumed_session_hears_how_far_its_loop_came(hook: Hook, harness: str) -> None:
    loop_id = plant(hook, promises=("DONE",), max_iterations=20)
    for _ in range(8):
        stop(hook, harness=harness)
    text = hook.ask("session_start", harness=harness, source="resume")
    assert f"`{loop_id}` is active in this session, at iteration 8 of 20; it ends with <promise>DONE</promise>" in text
    assert f"thruline loop run {loop_id}" in text
    assert ("after 8 prompts" in text) == (harness == WIRED[0])
    assert [line["kind"] for line in hook.read_told()][-1] == "loop"
    for source in ("startup", "clear", "compact"):
        assert loop_id not in hook.ask("session_start", harness=harness, source=source)
    assert loop_id not in hook.ask("session_start", OTHER, harness=harness, source="resume")
    stop(hook, "<promise>DONE</promise>", harness=harness)
    assert hook.ask("session_start", harness=harness, source="resume") == ""


def test_a_fork_that_begins_under_its_parents_id_hears_nothing(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(hook)
    monkeypatch.setenv("CLAUDE_ENV_FILE", f"/x/session-env/{OTHER}/1.sh")
    assert hook.ask("session_start", harness=WIRED[0], source="resume") == ""


def test_only_a_session_with_a_loop_pays_for_it(hook: Hook) -> None:
    payload = hook.build(last_assistant_message="<promise>DONE</promise>")
    added, _, _ = find_added(hook, HARNESS, "turn_end", payload)
    assert not [name for name in added if name.startswith(("thruline.artifacts", "thruline.disk"))]
    plant(hook, session=OTHER)
    added, _, _ = find_added(hook, HARNESS, "turn_end", payload)
    assert not [name for name in added if name.startswith(("thruline.artifacts", "thruline.disk"))]
    plant(hook, promises=("DONE",))
    added, _, answer = find_added(hook, HARNESS, "turn_end", hook.build(last_assistant_message="No."))
    assert b"block" in answer
    assert not {"subprocess", "tempfile", "signal", "thruline.child", "re", "json"} & set(added)
    assert not {"thruline.artifacts.frontmatter", "thruline.errors", "thruline.disk.atomic"} & set(added)


def test_a_loop_that_a_person_changed_goes_on_by_the_scanner_and_keeps_what_they_wrote(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",))
    path = Path(find_paths(hook).build_loop(loop_id))
    text = path.read_text().replace("status: active", "status: 'active'  # mine")
    path.write_text(text.replace("completion_promise: DONE", "completion_promise:\n  - DONE\n  - GIVEN UP"))
    assert "<promise>DONE</promise> or <promise>GIVEN UP</promise>" in stop(hook)
    assert "status: 'active'  # mine\niteration: 1\n" in path.read_text()
    assert stop(hook, "<promise>GIVEN UP</promise>") == ""
    assert "status: 'done'  # mine\n" in path.read_text()
    assert hook.read_troubles() == []


@pytest.mark.skipif(bool(find_obstacle()), reason="system calls cannot be traced here")
def test_a_turn_in_a_loop_opens_no_file_of_the_package(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",))
    payload = hook.project / "payload"
    payload.write_bytes(hook.build(last_assistant_message="No."))
    command = shlex.join([*hook.command, HARNESS, "turn_end"])
    seen = trace(["sh", "-c", f"{command} < {shlex.quote(str(payload))}"])
    opened = [call.path for call in seen if call.name.startswith("open") and call.result >= 0]
    assert read(hook, loop_id).iteration == 1
    assert [path for path in opened if path.startswith(os.path.dirname(thruline.__file__))] == []


def test_a_loop_that_a_repository_brought_holds_nobody_and_runs_nothing(hook: Hook, tmp_path: Path) -> None:
    # Packets are in git and name sessions: whoever reads one knows the id that a pointer would need.
    ran = tmp_path / "ran"
    loop_id = plant(hook, promises=("DONE",), until=f"touch {ran}")
    os.remove(hook.here.build_loop_leave(loop_id))
    assert stop(hook, "Not yet.") == ""
    assert stop(hook, "<promise>DONE</promise>") == ""
    assert not ran.exists()
    assert read(hook, loop_id).status == "active", "not even its file is touched"


@pytest.mark.parametrize("broken", ["no prompt", "quoted limit", "odd limit"])
def test_a_broken_file_lets_the_session_stop_and_a_quoted_limit_counts(hook: Hook, broken: str) -> None:
    loop_id = plant(hook, max_iterations=2)
    path = Path(find_paths(hook).build_loop(loop_id))
    text = path.read_text()
    changes = {
        "no prompt": ("## Loop Prompt\n", ""),
        "quoted limit": ("max_iterations: 2", 'max_iterations: "2"'),
        "odd limit": ("max_iterations: 2", "max_iterations: some"),
    }
    path.write_text(text.replace(*changes[broken]))
    blocks = [bool(stop(hook)) for _ in range(4)]
    assert blocks == ([True, True, False, False] if broken == "quoted limit" else [False] * 4)


def test_at_the_clients_cap_the_session_may_stop_and_no_prompt_is_counted(hook: Hook) -> None:
    loop_id = plant(hook, max_iterations=20)
    harness, cap = next((name, find_wire(name).BLOCK_CAP) for name in WIRED if find_wire(name).BLOCK_CAP)
    again = {"harness": harness, "fields": {"stop_hook_active": True}}
    assert stop(hook, harness=harness)
    assert all(stop(hook, **again) for _ in range(cap - 1))
    done = hook.run(harness, "turn_end", payload=hook.build(SESSION, hook_event_name="Stop", stop_hook_active=True))
    assert (
        f"`{loop_id}` is active in this session, at iteration {cap} of 20" in json.loads(done.stdout)["systemMessage"]
    )
    assert read(hook, loop_id).iteration == cap
    assert read_pointer(hook).sessions == {SESSION: loop_id}
    # A promise is still believed there; and after a message of the user, or a tool, the client counts anew.
    assert stop(hook, harness=harness)
    assert all(stop(hook, **again) for _ in range(cap - 1))
    hook.run(harness, "tool_done", payload=hook.build(SESSION, tool_name="Bash"))
    assert all(stop(hook, **again) for _ in range(20 - 2 * cap))
    assert read(hook, loop_id).iteration == 20


def test_a_promise_made_at_the_cap_ends_the_loop(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",))
    harness, cap = next((name, find_wire(name).BLOCK_CAP) for name in WIRED if find_wire(name).BLOCK_CAP)
    for at in range(cap):
        assert stop(hook, harness=harness, fields={"stop_hook_active": at > 0})
    assert stop(hook, "<promise>DONE</promise>", harness=harness, fields={"stop_hook_active": True}) == ""
    assert (read(hook, loop_id).status, read(hook, loop_id).iteration) == ("done", cap)
    assert read_pointer(hook).sessions == {}


def test_a_promise_at_the_cap_that_is_not_kept_is_told_to_the_person(hook: Hook) -> None:
    loop_id = plant(hook, promises=("DONE",), until="echo 3 tests failed; exit 4")
    harness, cap = next((name, find_wire(name).BLOCK_CAP) for name in WIRED if find_wire(name).BLOCK_CAP)
    for at in range(cap):
        assert stop(hook, harness=harness, fields={"stop_hook_active": at > 0})

    def tell(said: str) -> str:
        fields = {"hook_event_name": "Stop", "stop_hook_active": True, "last_assistant_message": said}
        done = hook.run(harness, "turn_end", payload=hook.build(SESSION, **fields))
        return str(json.loads(done.stdout)["systemMessage"])

    told = tell("<promise>DONE</promise>")
    assert f"`{loop_id}` is active in this session, at iteration {cap}" in told
    assert "The promise was not believed: the command that decides it ended with status 4." in told
    assert told.endswith("\n$ echo 3 tests failed; exit 4\n3 tests failed\n```")
    assert "in code marks it is a quotation" in tell("`<promise>DONE</promise>`")
    assert "not believed" not in tell("Not yet.")
    assert (read(hook, loop_id).status, read(hook, loop_id).iteration) == ("active", cap)


def test_a_cap_that_the_user_set_is_the_cap(hook: Hook) -> None:
    plant(hook)
    harness = next(name for name in WIRED if find_wire(name).BLOCK_CAP)
    wire = find_wire(harness)
    assert wire.read_cap({}) == wire.BLOCK_CAP
    told = {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "30"}
    assert (wire.read_cap(told), wire.read_cap({**told, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"})) == (30, 0)
    for at in range(wire.BLOCK_CAP + 3):
        assert stop(hook, harness=harness, fields={"stop_hook_active": at > 0}, env={**os.environ, **told})


def test_a_loop_that_a_driver_has_in_hand_does_not_hold_the_sessions_own_window(hook: Hook) -> None:
    loop_id = plant(hook)
    assert stop(hook)
    with Lock(find_paths(hook).build_loop(loop_id, LOCK)):
        assert stop(hook) == ""
        assert read(hook, loop_id).iteration == 1
    assert "iteration 2" in stop(hook)
    assert hook.read_troubles() == []
