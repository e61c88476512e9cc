"""Real clients run our hooks: silent where nothing was prepared, heard where something was, never in the way.

The worker is left out (its own tests run it in these worlds too): what it would have left is planted.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.clients.compacting import FULL, WINDOW
from tests.clients.door import PLANTED, build_hooks, open_door, plant, read_spool
from tests.clients.ours import assert_no_trouble, find_hooks
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld, World
from tests.tracer import Call, Trace
from thruline.layout import HookPaths, UserPaths, build_project_key

pytestmark = pytest.mark.client

TURNS = (Command("echo fine"), Command("ls no-such-file"), "Done.")


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


@pytest.mark.feature("F003-24", via="client")
@pytest.mark.usefixtures("tracing")
def test_every_event_opens_the_door_and_the_session_ends_well(client_world: MakeWorld) -> None:
    world = client_world(*TURNS)
    open_door(world)
    seen = world.trace(world.build_words("Do it."))
    assert seen.exit == 0, seen.output
    assert b"Done." in seen.output
    ours = find_our_calls(world, seen)
    expected = {"session_start", "prompt", "tool_done", "tool_failed", "turn_end", "session_end"}
    assert set(ours) == expected & set(world.events.values())
    for calls in ours.values():
        changed = [call for call in calls if call.changes and call.is_below(str(world.root))]
        assert [call for call in changed if not call.is_below(str(world.state))] == []
        assert not [call for call in calls if call.name in ("socket", "connect")]
    assert_no_trouble(world)
    # Every event names the client's own process, whatever shell it put between.
    client = next(call.pid for call in seen.named("execve") if call.path == str(world.binary) and call.result == 0)
    assert {event["pid"] for event in read_spool(world)} == {client}
    assert len({event["born"] for event in read_spool(world)}) == 1


@pytest.mark.feature("F003-23", via="client")
def test_silent_hooks_change_no_request_and_no_file_of_the_project(client_world: MakeWorld) -> None:
    plain, hooked = client_world(*TURNS), client_world(*TURNS)
    open_door(hooked)
    before = hooked.project_files()
    for world in (plain, hooked):
        run = world.ask("Do it.")
        assert run.code == 0, run.stderr
    assert len(plain.requests()) == 3
    assert hooked.comparable_requests() == plain.comparable_requests()
    assert hooked.project_files() == before
    assert_no_trouble(hooked)
    [transcript] = hooked.transcripts()
    events = read_spool(hooked)
    assert [event["event"] for event in events] == ["session_start", "prompt", "turn_end", "session_end"]
    assert {event["session"] for event in events} == {hooked.read_session_id(transcript)}
    assert {event["transcript"] for event in events} == {str(transcript)}
    assert {event["root"] for event in events} == {str(hooked.project)}
    assert (events[0]["source"], events[2]["said"], events[3]["reason"]) == ("startup", "Done.", "other")
    assert "fork_id" not in events[0]


def test_a_file_that_could_not_be_written_is_none(claude_world: MakeWorld, tmp_path: Path) -> None:
    made = str(tmp_path.resolve() / "world-0" / "project" / "made.md")
    # Seen: what the client refuses before it tries (words that are not in the file) is told to no hook; this fails.
    turns = [
        {"tools": [{"name": "Write", "input": {"file_path": path, "content": "x\n"}}]}
        for path in (made, "/proc/no-such-process/x.md")
    ]
    world = claude_world(*turns, "Done.")
    open_door(world)
    assert world.ask("Do it.").code == 0
    events = [event for event in read_spool(world) if event["event"].startswith("tool_")]
    assert [(event["event"], event["files"]) for event in events] == [("tool_done", [[made, "created"]])]


def test_what_another_session_left_reaches_the_next_one_once(client_world: MakeWorld) -> None:
    world = client_world("First.", "Second.", "Third.")
    open_door(world)
    here = find_hooks(world)
    plant(here.build_start(world.harness), "The line about the last one.", kind="start")
    plant(here.build_resume(world.harness), kind="resume")
    assert world.ask("First question.").code == 0
    assert world.ask("Another session.").code == 0
    first = next(path for path in world.transcripts() if "First question." in path.read_text(encoding="utf-8"))
    plant(here.build_resume(world.harness), kind="resume")
    assert world.ask("The first again.", resume=world.read_session_id(first)).code == 0
    fresh, another, resumed = (json.dumps(body) for body in world.requests())
    assert fresh.count(PLANTED) == fresh.count("The line about the last one.") == 1
    assert (another.count(PLANTED), another.count("The line about the last one.")) == (0, 1)
    assert resumed.count(PLANTED) == 1  # its own past, and not told again
    assert Path(here.build_resume(world.harness)).exists()
    told = [json.loads(line) for line in Path(here.injected).read_text(encoding="utf-8").splitlines()]
    assert [(line["kind"], line["text"]) for line in told][:2] == [
        ("start", "The line about the last one."),
        ("resume", PLANTED),
    ]


@pytest.mark.parametrize("event", ["prompt", "tool_done", "tool_failed"])
def test_late_text_reaches_the_model_while_the_session_runs(client_world: MakeWorld, event: str) -> None:
    command = Command("ls no-such-file") if event == "tool_failed" else Command("echo fine")
    world = client_world("First.", command, "Done.")
    if event not in world.events.values():
        pytest.skip("this client has no such event")
    open_door(world)
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    session = world.read_session_id(transcript)
    if event != "prompt":  # heard at this event and at no other
        world.settings(hooks={each: line for each, line in build_hooks(world).items() if world.events[each] == event})
    path = plant(find_hooks(world).build_late(world.harness, session))
    assert world.ask("Go on.", resume=session).code == 0
    assert not path.exists()
    first, second, third = (json.dumps(body) for body in world.requests())
    assert PLANTED not in first
    assert (PLANTED in second) == (event == "prompt")
    assert third.count(PLANTED) == 1
    assert_no_trouble(world)


def test_a_message_to_the_person_reaches_no_model_and_keeps_nothing_going(client_world: MakeWorld) -> None:
    world = client_world("First.", "Second.")
    open_door(world)
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    session = world.read_session_id(transcript)
    path = plant(find_hooks(world).build_late(world.harness, session), kind="user")
    assert world.ask("Go on.", resume=session).code == 0
    assert not path.exists()
    assert len(world.requests()) == 2
    assert PLANTED not in json.dumps(world.requests())


@pytest.mark.parametrize("trigger", ["auto", "manual"])
def test_what_must_be_kept_reaches_the_prompt_for_the_summary_alone_and_the_summary_reaches_us(
    claude_world: MakeWorld, trigger: str
) -> None:
    world = claude_world("First.", {"text": "Second.", "usage": {"input_tokens": FULL}}, "Third.", "Fourth.")
    open_door(world)
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    session = world.read_session_id(transcript)
    assert world.ask("Second question.", resume=session).code == 0
    plant(find_hooks(world).build_keep(world.harness, session), kind="keep")
    if trigger == "auto":
        variables = {**world.variables(), **WINDOW}
        world.variables = lambda: variables
    for words in (["/compact"] if trigger == "manual" else []) + ["Third question."]:
        run = world.ask(words, resume=session)
        assert run.code == 0, run.stderr
    asked = [json.dumps(each["body"]) for each in world.model.records() if each["lane"] == "compact"]
    told = trigger == "auto"  # else the client would leave it in the conversation, beside the summary
    assert [PLANTED in each for each in asked] == [told]
    assert PLANTED not in json.dumps(world.requests())
    events = {event["event"]: event for event in read_spool(world)}
    assert (events["before_compact"]["trigger"], events["before_compact"].get("told", [])) == (
        trigger,
        ["planted"] * told,
    )
    assert "<summary>" in events["after_compact"]["summary"]
    assert "subagent_end" not in events  # the client's own summariser
    assert_no_trouble(world)


def test_a_fork_that_starts_under_its_parents_id_says_which_it_may_be(claude_world: MakeWorld) -> None:
    world = claude_world("First.", "Second.")
    open_door(world)
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    parent = world.read_session_id(transcript)
    path = plant(find_hooks(world).build_late(world.harness, parent), **{"from": parent})
    run = world.run([*world.build_words("Fork it.", resume=parent), "--fork-session"])
    assert run.code == 0, run.stderr
    start, prompt, *_ = read_spool(world)[4:]
    assert start["event"] == "session_start"
    assert prompt["session"] != parent
    if start["session"] == parent:
        assert (start["source"], start["fork_id"]) == ("resume", prompt["session"])
    else:  # newer versions name the fork at once
        assert (start["source"], start["session"], start.get("fork_id")) == ("fork", prompt["session"], None)
    assert path.exists()  # the parent's, and the fork did not take it
    assert PLANTED not in json.dumps(world.requests())


def test_a_session_stays_with_its_project_wherever_it_goes(claude_world: MakeWorld) -> None:
    world = claude_world(Command("mkdir -p sub/.git && echo x > sub/.git/HEAD && cd sub"), Command("pwd"), "Done.")
    open_door(world)
    assert world.ask("Go there.").code == 0
    events = read_spool(world)
    assert events[-1]["cwd"] == str(world.project / "sub")
    assert {event["root"] for event in events} == {str(world.project)}


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_repository_cannot_send_a_session_to_another_project(claude_world: MakeWorld, name: str) -> None:
    world = claude_world(Command('echo "$SEEN" > seen'), "Done.")
    other = world.root / "other"
    other.mkdir()
    open_door(world)
    elsewhere = HookPaths(str(world.state), build_project_key("", str(other)))
    plant(elsewhere.build_resume(world.harness), kind="resume")
    settings = world.project / ".claude" / name
    settings.parent.mkdir()
    settings.write_text(json.dumps({"env": {"CLAUDE_PROJECT_DIR": str(other), "SEEN": "yes"}}), encoding="utf-8")
    assert world.ask("Where are we?").code == 0
    assert (world.project / "seen").read_text() == "yes\n"  # its variables count, and this one does not
    assert {event["root"] for event in read_spool(world)} == {str(world.project)}
    assert PLANTED not in json.dumps(world.requests())
    assert Path(elsewhere.build_resume(world.harness)).exists()


WORKER = """\
#!{python} -IS
import os, sys, time
time.sleep(1.5)  # longer than the client lives
with open({notes!r}, "a") as file:
    file.write(sys.argv[-1] + "\\n")
"""


def test_the_worker_outlives_the_client_that_it_was_started_in(client_world: MakeWorld) -> None:
    world = client_world("Done.")
    notes, worker = world.root / "notes", world.root / "worker"
    worker.write_text(WORKER.format(python=os.path.realpath(sys.executable), notes=str(notes)), encoding="utf-8")
    worker.chmod(0o700)
    open_door(world, str(worker))
    run = world.ask("Do it.")  # its whole process group is killed at the end
    assert run.code == 0, run.stderr
    wait_until(lambda: notes.exists() and len(notes.read_text().splitlines()) == 2)
    assert notes.read_text(encoding="utf-8").splitlines() == [str(world.project)] * 2  # turn_end and session_end


def test_broken_ready_text_is_not_shown_to_the_model(client_world: MakeWorld) -> None:
    world = client_world("Hello.")
    open_door(world)
    plant(find_hooks(world).build_start(world.harness)).write_text(PLANTED, encoding="utf-8")
    run = world.ask("Hello?")
    assert run.code == 0
    assert PLANTED not in json.dumps(world.requests()) + run.stdout + run.stderr
    assert Path(UserPaths(str(world.state), "").hook_errors).exists()


@pytest.mark.parametrize("trouble", ["package gone", "interpreter gone"])
def test_session_survives_a_door_that_is_broken(client_world: MakeWorld, trouble: str) -> None:
    world = client_world(*TURNS)
    open_door(world)
    paths = UserPaths(str(world.state), "")
    if trouble == "package gone":
        stub = Path(paths.hook_entry)
        stub.write_text(stub.read_text(encoding="utf-8").replace("sys.path.append(", "len("), encoding="utf-8")
    else:
        Path(paths.hook_python).unlink()
    run = world.ask("Do it.")
    assert run.code == 0, run.stderr
    assert "Done." in run.stdout
