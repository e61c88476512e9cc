"""`loop run` with real clients: to the promise, past the cap, killed, and ended from outside."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.clients.looping import (
    PASS,
    PATIENCE,
    PROMISE,
    PROMPT,
    THRULINE,
    WAIT,
    build_environment,
    command,
    count_prompts,
    find_paths,
    read_human,
    read_only_loop,
    run_well,
    wait_for_requests,
)
from tests.clients.ours import assert_no_trouble, register_hooks
from tests.clients.terminal import Terminal
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld
from thruline.layout import UserPaths

pytestmark = pytest.mark.client


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
        done = command(world, "loop", "run", "--new-session")
        assert done.returncode == 1
        assert "Models are switched off." in done.stderr
        assert world.requests() == []
        assert read_only_loop(world).iteration == 0
        return
    slow = ["--timeout", "6"] if how == "too slow" else []
    driver = subprocess.Popen(
        [*words, "run", "--new-session", *slow, "--pass", PASS[world.harness]],
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
    if how == "too slow":  # bound to the session that was begun, if that came to be one in time
        assert (after.session != f"{world.harness}:0a1b2c3d-1111-2222-3333-444455556666") == bool(world.transcripts())
    assert loop_id in said
    assert not (loop / f"{loop_id}.stop").exists()
    assert not (loop / f"{loop_id}.run.json").exists()


def test_a_run_that_is_cancelled_while_its_command_runs_ends_at_once(client_world: MakeWorld) -> None:
    world = client_world("Hello.", PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    session = world.read_session_id(world.transcripts()[0])
    until = "echo $$ > checking.new; mv checking.new checking; sleep 110; true"
    run_well(world, "loop", "start", PROMPT, "--promise", "ALL PORTED", "--until", until, "--session", session)
    words = [THRULINE, "-C", str(world.project), "loop", "run", "--pass", PASS[world.harness]]
    driver = subprocess.Popen(words, env=build_environment(world), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: (world.project / "checking").exists(), PATIENCE)
        run_well(world, "loop", "cancel", read_only_loop(world).id)
        assert driver.wait(PATIENCE) == 0
    finally:
        driver.kill()
        driver.wait()
    assert not Path(f"/proc/{(world.project / 'checking').read_text().strip()}/exe").exists()
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("cancelled", 1)


def test_a_run_whose_session_is_gone_says_so_and_goes_on_in_a_new_one_when_told(client_world: MakeWorld) -> None:
    world = client_world("Hello.", PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    [transcript] = world.transcripts()
    session = world.read_session_id(transcript)
    run_well(world, "loop", "start", PROMPT, "--promise", "ALL PORTED", "--session", session)
    transcript.unlink()
    done = command(world, "loop", "run", "--pass", PASS[world.harness])
    assert done.returncode == 1
    assert "The session of this loop is gone" in done.stderr
    assert f"{world.harness}:{session}" in done.stderr
    assert (len(world.requests()), read_only_loop(world).iteration) == (1, 0)
    done = command(world, "loop", "run", "--new-session", "--pass", PASS[world.harness])
    assert done.returncode == 0, done.stderr
    assert f"a new session of {world.harness} begins" in done.stderr
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("done", 1)
    assert loop.session == f"{world.harness}:{world.read_session_id(world.transcripts()[0])}"
    assert loop.session != f"{world.harness}:{session}"


def test_an_agent_that_changes_the_command_which_decides_is_not_driven_on(client_world: MakeWorld) -> None:
    show = f'{THRULINE} loop show port-the-next --json | grep -o \'"path": "[^"]*\' | cut -d\'"\' -f4'
    cheat = Command(f"sed -i 's/^until: .*/until: touch cheated/' \"$({show})\"")
    world = client_world("Hello.", cheat, "Working.", PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Hello?").code == 0
    session = world.read_session_id(world.transcripts()[0])
    begin = ["--promise", "ALL PORTED", "--until", "false", "--session", session]
    run_well(world, "loop", "start", PROMPT, *begin)
    done = command(world, "loop", "run", "--pass", PASS[world.harness])
    assert done.returncode == 1
    assert "its command changed. It would run: touch cheated" in done.stderr
    assert not (world.project / "cheated").exists()
    assert (read_only_loop(world).status, len(world.requests())) == ("active", 3)
