"""Real clients run our hooks: silent where nothing was prepared, heard where something was, never in the way."""

import json
import os
import shlex
import uuid
from pathlib import Path

import pytest

from tests.clients.world import Command, MakeWorld, World
from tests.tracer import Call, Trace
from thruline.layout import UserPaths
from thruline.operations.hook_entry import write_entry

pytestmark = pytest.mark.client

TURNS = (Command("echo fine"), Command("ls no-such-file"), "Done.")
PLANTED = "The planted ready text: we chose tabs, and the user said no to spaces."


def register_hooks(world: World) -> None:
    """Our door, for every event of the client that we answer."""
    entry = write_entry(str(world.state))
    world.settings(
        hooks={
            theirs: shlex.join([entry.python, "-I", "-S", entry.script, world.harness, ours])
            for theirs, ours in world.events.items()
        }
    )


def prepare_ready_text(world: World, session: str) -> None:
    """What the worker will leave for the session's start, in the client's own JSON."""
    answer = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": PLANTED}}
    path = Path(UserPaths(str(world.state), "").ready) / world.harness / f"{session}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(answer), encoding="utf-8")


def find_our_calls(world: World, seen: Trace) -> dict[str, list[Call]]:
    """What our door did for each event it was opened for."""
    started = f" -I -S {UserPaths(str(world.state), '').hook_entry} {world.harness} "
    events: dict[int, str] = {}
    ours: dict[str, list[Call]] = {}
    for call in seen:
        if call.pid in events:
            ours[events[call.pid]].append(call)
        elif call.name == "execve" and call.result == 0 and os.path.basename(call.path) == "python":
            # The shell that a client puts before it is another program, which then becomes ours.
            events[call.pid] = call.text.partition(started)[2]
            ours.setdefault(events[call.pid], [])
    return ours


def state_files(world: World) -> set[str]:
    """What lies in the user's state."""
    return {str(path.relative_to(world.state)) for path in world.state.rglob("*") if not path.is_dir()}


@pytest.mark.feature("F003-24", via="client")
@pytest.mark.usefixtures("tracing")
def test_every_event_opens_the_door_and_the_session_ends_well(client_world: MakeWorld) -> None:
    world = client_world(*TURNS)
    register_hooks(world)
    seen = world.trace(world.build_words("Do it."))
    assert seen.exit == 0, seen.output
    assert b"Done." in seen.output
    ours = find_our_calls(world, seen)
    expected = {"session_start", "prompt", "tool_done", "tool_failed", "turn_end", "session_end"}
    assert set(ours) == expected & set(world.events.values())
    for calls in ours.values():
        assert not [call for call in calls if call.changes and call.is_below(str(world.root))]
        assert not [call for call in calls if call.name in ("socket", "connect")]


def test_silent_hooks_change_no_request_and_no_file(client_world: MakeWorld) -> None:
    plain, hooked = client_world(*TURNS), client_world(*TURNS)
    register_hooks(hooked)
    before, installed = hooked.project_files(), state_files(hooked)
    for world in (plain, hooked):
        run = world.ask("Do it.")
        assert run.code == 0, run.stderr
    assert len(plain.requests()) == 3
    assert hooked.comparable_requests() == plain.comparable_requests()
    assert hooked.project_files() == before
    assert state_files(hooked) == installed  # no trouble was logged either


def test_ready_text_reaches_the_model_of_its_own_session_only(client_world: MakeWorld) -> None:
    world = client_world("First.", "Second.", "Third.")
    register_hooks(world)
    assert world.ask("First question.").code == 0
    [first] = world.transcripts()
    prepare_ready_text(world, world.read_session_id(first))
    assert world.ask("Another session.").code == 0
    assert world.ask("The first again.", resume=world.read_session_id(first)).code == 0
    alone, another, resumed = (json.dumps(body) for body in world.requests())
    assert PLANTED not in alone
    assert PLANTED not in another
    assert PLANTED in resumed


def test_ready_text_is_there_at_the_first_request_of_a_new_session(claude_world: MakeWorld) -> None:
    world = claude_world("Hello.")
    register_hooks(world)
    session = str(uuid.uuid4())
    prepare_ready_text(world, session)
    assert world.ask("Hello?", session=session).code == 0
    [request] = world.requests()
    assert json.dumps(request).count(PLANTED) == 1


def test_broken_ready_text_is_not_shown_to_the_model(claude_world: MakeWorld) -> None:
    world = claude_world("Hello.")
    register_hooks(world)
    session = str(uuid.uuid4())
    prepare_ready_text(world, session)
    [path] = Path(UserPaths(str(world.state), "").ready).rglob("*.json")
    path.write_text(PLANTED, encoding="utf-8")
    run = world.ask("Hello?", session=session)
    assert run.code == 0
    assert PLANTED not in json.dumps(world.requests()) + run.stdout + run.stderr
    assert Path(UserPaths(str(world.state), "").hook_errors).exists()


@pytest.mark.parametrize("trouble", ["package gone", "interpreter gone"])
def test_session_survives_a_door_that_is_broken(client_world: MakeWorld, trouble: str) -> None:
    world = client_world(*TURNS)
    register_hooks(world)
    paths = UserPaths(str(world.state), "")
    if trouble == "package gone":
        stub = Path(paths.hook_entry)
        stub.write_text(stub.read_text(encoding="utf-8").replace("sys.path.append(", "len("), encoding="utf-8")
    else:
        Path(paths.hook_python).unlink()
    run = world.ask("Do it.")
    assert run.code == 0, run.stderr
    assert "Done." in run.stdout
