"""Loops in real clients: to the promise, to the limit, past the cap, held from outside, and never a stranger's."""

import html
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clients.heard import read_last
from tests.clients.ours import register_hooks
from tests.clients.terminal import Terminal
from tests.clients.world import Command, MakeWorld, World
from thruline.artifacts.loop import Loop
from thruline.layout import ProjectPaths, UserPaths, build_project_paths, find_root
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.store import read_loop
from thruline.operations.stamped import find_stamped_ids

pytestmark = pytest.mark.client

THRULINE = str(Path(sys.executable).parent / "thruline")
PROMPT = "Port the next module."
PROMISE = "All of it: <promise>ALL PORTED</promise>"
PATIENCE = 60.0
# A plain sleep is refused by one client.
WAIT = Command("timeout 60 tail -f README.md")
# What lets a client act headless, and Codex run hooks that nobody reviewed.
PASS = {"claude-code": "--dangerously-skip-permissions", "codex": "--dangerously-bypass-hook-trust"}


def start(*options: str) -> Command:
    """The turn in which the agent starts the loop, in the shell of its own tools."""
    return Command(f"{THRULINE} loop start '{PROMPT}' --promise 'ALL PORTED' {' '.join(options)}")


def find_paths(world: World) -> ProjectPaths:
    return build_project_paths(find_root(str(world.project)), str(world.state))


def read_only_loop(world: World) -> Loop:
    [loop_id] = find_stamped_ids(find_paths(world).loops)
    return read_loop(find_paths(world), loop_id)


def build_environment(world: World) -> dict[str, str]:
    """What a terminal beside the client has: the client by its name, and our state."""
    programs = world.root / "programs"
    programs.mkdir(exist_ok=True)
    name = {"claude-code": "claude", "codex": "codex"}[world.harness]
    if not (programs / name).exists():
        (programs / name).symlink_to(world.binary)
    environment = world.environment()
    return {**environment, "PATH": f"{programs}:{environment['PATH']}", "XDG_CONFIG_HOME": str(world.root / "xdg")}


def command(world: World, *words: str) -> subprocess.CompletedProcess[str]:
    """`thruline …` in a terminal of its own."""
    line = [THRULINE, "-C", str(world.project), *words]
    return subprocess.run(line, env=build_environment(world), capture_output=True, text=True, timeout=PATIENCE * 2)


def run_well(world: World, *words: str) -> str:
    done = command(world, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def count_prompts(world: World) -> int:
    """How often the model was given the loop's prompt, by the last request; a client may repeat each one."""
    sent = html.unescape(read_last(world))  # one client puts it into a tag of its own
    return len(set(re.findall(r"thruline: loop \S+, iteration (\d+)[^>]*-->\n" + PROMPT, sent)))


def wait_for_requests(world: World, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(world.requests()) < number:
        assert time.monotonic() < deadline, f"{len(world.requests())} requests instead of {number}"
        time.sleep(0.05)


def begin(world: World, prompt: str, resume: str = "") -> "subprocess.Popen[bytes]":
    """A client at work."""
    return world.start(world.build_words(prompt, resume=resume))


def assert_no_trouble(world: World) -> None:
    log = Path(UserPaths(str(world.state), "").hook_errors)
    assert not log.exists(), log.read_text(encoding="utf-8")


def read_human(world: World, transcript: Path) -> str:
    """The words that our reader takes for a person's."""
    rows: Any = json.loads(run_well(world, "sessions", "messages", str(transcript), "--by", "human", "--json"))
    return json.dumps(rows)


@pytest.mark.feature("F003-15", via="client")
@pytest.mark.feature("F003-17", via="client")
@pytest.mark.feature("F003-22", via="client")
def test_a_loop_runs_to_its_promise_and_its_prompts_are_not_the_persons_words(client_world: MakeWorld) -> None:
    world = client_world(start(), "Started.", "One module.", "Two modules.", PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration, loop.prompt) == ("done", 3, PROMPT)
    assert loop.last_line == PROMISE
    assert read_pointer(find_paths(world)).sessions == {}
    assert len(world.requests()) == 5
    assert count_prompts(world) == 3
    [transcript] = world.transcripts()
    assert loop.session == f"{world.harness}:{world.read_session_id(transcript)}"
    human = read_human(world, transcript)
    assert "Start the loop." in human
    assert PROMPT not in human
    told = run_well(world, "injected", world.read_session_id(transcript))
    assert told.count(PROMPT) == 3
    assert "the prompt of a loop that its user started" in told
    assert_no_trouble(world)


def test_a_loop_ends_at_its_limit_paused(client_world: MakeWorld) -> None:
    world = client_world(start("--max-iterations 2"), "Started.", "One.", "Two.", "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration, loop.paused_by) == ("paused", 2, "max_iterations")
    assert len(world.requests()) == 4


def test_a_promise_is_believed_when_the_command_passes_the_third_time(client_world: MakeWorld) -> None:
    until = "--until 'echo tried >> tries; echo no luck; test $(wc -l < tries) -ge 3'"
    world = client_world(start(until), "Started.", PROMISE, PROMISE, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("done", 3)
    assert (world.project / "tries").read_text() == "tried\n" * 3
    told = run_well(world, "injected", loop.session.partition(":")[2])
    assert told.count("The promise was not believed") == 2
    assert "The promise was not believed" in read_last(world)
    assert "no luck" in read_last(world)


@pytest.mark.feature("F003-16", via="client")
def test_a_loop_is_cancelled_from_another_terminal_in_the_middle_of_a_turn(client_world: MakeWorld) -> None:
    world = client_world(
        start(), "Started.", Command("timeout 4 tail -f README.md; true"), "Slept.", "Never asked for."
    )
    register_hooks(world)
    client = begin(world, "Start the loop.")
    try:
        wait_for_requests(world, 3)
        run_well(world, "loop", "cancel", read_only_loop(world).id)
        assert client.wait(PATIENCE) == 0
    finally:
        client.kill()
        client.wait()
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("cancelled", 1)
    assert len(world.requests()) == 4


@pytest.mark.feature("F003-12", via="client")
@pytest.mark.feature("F003-23", via="client")
def test_of_two_sessions_of_a_project_only_the_one_with_the_loop_goes_on(client_world: MakeWorld) -> None:
    world = client_world("Hello.", "I am free.", "Working.", PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    [first] = world.transcripts()
    session = world.read_session_id(first)
    shown = run_well(world, "loop", "start", PROMPT, "--promise", "ALL PORTED", "--session", session)
    assert f"{world.harness}:{session}" in shown
    assert world.ask("And you?").code == 0
    assert (read_only_loop(world).iteration, len(world.requests())) == (0, 2)
    assert world.ask("Go.", resume=session).code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration, len(world.requests())) == ("done", 1, 4)


def test_a_session_that_was_killed_goes_on_when_it_is_resumed(client_world: MakeWorld) -> None:
    world = client_world(start(), "Started.", WAIT, "Where were we? Working.", PROMISE)
    register_hooks(world)
    client = begin(world, "Start the loop.")
    try:
        wait_for_requests(world, 3)
        time.sleep(0.5)
    finally:
        os.killpg(client.pid, signal.SIGKILL)
        client.wait()
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("active", 1)
    session = loop.session.partition(":")[2]
    assert world.ask("Go on.", resume=session).code == 0
    assert f"`{loop.id}` is active in this session, at iteration 1" in read_last(world)
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("done", 2)


def test_past_the_clients_cap_a_start_tells_and_a_run_goes_on(client_world: MakeWorld) -> None:
    world = client_world(start(), "Started.", *["Working."] * 10, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    cap = {"claude-code": 8, "codex": 0}[world.harness]
    if cap:  # the client would have ended the turn, whatever we said
        assert loop.status == "active"
        assert (loop.iteration, count_prompts(world)) == (cap, cap)
        assert read_pointer(find_paths(world)).sessions == {loop.session.partition(":")[2]: loop.id}
        said = run_well(world, "loop", "run", "--pass", PASS[world.harness])
        assert "done at iteration" in said
    loop = read_only_loop(world)
    assert loop.status == "done"
    assert loop.iteration == 11
    assert read_pointer(find_paths(world)).sessions == {}


def test_with_a_tool_in_between_no_cap_ends_a_loop(client_world: MakeWorld) -> None:
    worked = [each for _ in range(5) for each in (Command("true"), "Working.", "Thinking.")]
    world = client_world(start(), "Started.", *worked, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("done", 11)


def test_a_run_drives_a_loop_to_its_promise_and_every_turn_has_a_receipt(client_world: MakeWorld) -> None:
    world = client_world("Hello.", *["Working."] * 9, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    [transcript] = world.transcripts()
    session = world.read_session_id(transcript)
    run_well(world, "loop", "start", PROMPT, "--promise", "ALL PORTED", "--session", session)
    ran = json.loads(run_well(world, "loop", "run", "--json", "--pass", PASS[world.harness]))
    assert (ran["status"], ran["iteration"], ran["iterations"]) == ("done", 10, 10)
    assert world.transcripts() == [transcript]
    assert count_prompts(world) == 10
    human = read_human(world, transcript)
    assert "Hello?" in human
    assert PROMPT not in human
    receipts = [json.loads(line) for line in Path(UserPaths(str(world.state), "").receipts).read_text().splitlines()]
    answered = [row for row in receipts if row["state"] == "answered"]
    assert len(answered) == 10
    assert {(row["feature"], row["session"], row["outcome"]) for row in answered} == {("loop", session, "ok")}
    assert sum(row["read"] for row in answered) > 0
    assert_no_trouble(world)


def test_a_run_on_a_terminal_shows_iteration_time_and_last_line(client_world: MakeWorld) -> None:
    slow = Command("timeout 4 tail -f README.md; true")
    world = client_world("Hello.", "Two modules are left.", slow, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    session = world.read_session_id(world.transcripts()[0])
    limits = ["--promise", "ALL PORTED", "--max-iterations", "9", "--session", session]
    run_well(world, "loop", "start", PROMPT, *limits)
    program = world.root / "drive"
    words = [THRULINE, "-C", str(world.project), "loop", "run", "--pass", PASS[world.harness]]
    program.write_text(f"#!/bin/sh\n{shlex.join(words)}\nsleep 60\n")
    program.chmod(0o755)
    with Terminal(program, cwd=world.project, env=build_environment(world)) as screen:
        shown = screen.wait_for("done at iteration 2", PATIENCE * 2)
    assert re.search(r"iteration 1/9, \d+ s(, [\d,]+ tokens)?: Two modules are left\.", shown)
    # While the second is at work, what the first one said.
    assert re.search(r"iteration 2/9, [1-9] s(, [\d,]+ tokens)?: Two modules are left\.", shown)
    assert re.search(r"iteration 2/9, \d+ s(, [\d,]+ tokens)?: All of it", shown)


def test_a_driver_that_is_killed_goes_on_at_the_same_iteration_and_leaves_nobody_behind(
    client_world: MakeWorld,
) -> None:
    world = client_world("Hello.", "Working.", WAIT, "Again.", PROMISE)
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    session = world.read_session_id(world.transcripts()[0])
    run_well(world, "loop", "start", PROMPT, "--promise", "ALL PORTED", "--session", session)
    words = [THRULINE, "-C", str(world.project), "loop", "run", "--pass", PASS[world.harness]]
    driver = subprocess.Popen(words, env=build_environment(world), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_requests(world, 3)
    finally:
        driver.kill()
        driver.wait()
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("active", 2)
    note = json.loads(Path(find_paths(world).build_loop(loop.id, ".run.json")).read_text())
    assert note["iteration"] == 2
    os.kill(note["pid"], 0)  # the client is an orphan now
    ran = json.loads(run_well(world, "loop", "run", "--json", "--pass", PASS[world.harness]))
    assert (ran["status"], ran["iteration"], ran["iterations"]) == ("done", 3, 2)
    assert not Path(f"/proc/{note['pid']}/exe").exists()
    assert not Path(find_paths(world).build_loop(loop.id, ".run.json")).exists()


@pytest.mark.parametrize("how", ["cancel", "stop file", "switched off", "too slow"])
def test_a_run_can_be_ended_from_outside(client_world: MakeWorld, how: str) -> None:
    # More waits than iterations: a client whose command is ended before it is may ask once more on its way out.
    world = client_world(*[WAIT] * 6)
    register_hooks(world)
    environment = build_environment(world)
    loop = Path(find_paths(world).loops)
    run_well(world, "config", "set", "models.daily_dollars", "9")
    words = [THRULINE, "-C", str(world.project), "loop"]
    variable = {"claude-code": "CLAUDE_CODE_SESSION_ID", "codex": "CODEX_SESSION_ID"}[world.harness]
    fresh = {**environment, variable: "0a1b2c3d-1111-2222-3333-444455556666"}
    subprocess.run([*words, "start", PROMPT, "--promise", "ALL PORTED"], env=fresh, check=True, capture_output=True)
    loop_id = read_only_loop(world).id
    if how == "switched off":
        run_well(world, "config", "set", "models.enabled", "false")
        done = command(world, "loop", "run")
        assert done.returncode == 1
        assert "Models are switched off." in done.stderr
        assert world.requests() == []
        assert read_only_loop(world).iteration == 0
        return
    slow = ["--timeout", "6"] if how == "too slow" else []
    driver = subprocess.Popen(
        [*words, "run", *slow, "--pass", PASS[world.harness]],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if how != "too slow":  # a busy machine may be too slow for its first question too
        wait_for_requests(world, 1)
    if how == "cancel":
        run_well(world, "loop", "cancel", loop_id)
    elif how == "stop file":
        (loop / f"{loop_id}.stop").touch()
    said, complained = driver.communicate(timeout=PATIENCE)
    after = read_only_loop(world)
    expected = {"cancel": ("cancelled", ""), "stop file": ("paused", "stop file")}
    if how == "too slow":
        assert driver.returncode == 1
        assert (after.status, after.iteration) == ("paused", 2)
        assert after.paused_by.startswith("client: timeout")
    else:
        assert driver.returncode == 0, complained
        assert (after.status, after.paused_by) == expected[how]
        assert after.iteration == 1
    assert after.session != f"{world.harness}:0a1b2c3d-1111-2222-3333-444455556666" or how != "too slow"
    assert loop_id in said
    assert not (loop / f"{loop_id}.stop").exists()
    assert not (loop / f"{loop_id}.run.json").exists()
