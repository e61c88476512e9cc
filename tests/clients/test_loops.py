"""Loops in real clients: to the promise, to the limit, to the cap, held from outside, and never a stranger's."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.clients.heard import read_last
from tests.clients.looping import (
    PASS,
    PATIENCE,
    PROMISE,
    PROMPT,
    WAIT,
    begin,
    count_prompts,
    find_paths,
    read_human,
    read_only_loop,
    run_well,
    start,
    wait_for_requests,
)
from tests.clients.ours import assert_no_trouble, register_hooks
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld, World
from thruline.operations.loops.listing import read_pointer

pytestmark = pytest.mark.client


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


def test_a_new_session_hears_of_a_loop_whose_session_was_killed_and_is_free(client_world: MakeWorld) -> None:
    world = client_world(start(), "Started.", WAIT, "I am free.", "Never asked for.")
    register_hooks(world)
    client = begin(world, "Start the loop.")
    try:
        wait_for_requests(world, 3)
        time.sleep(0.5)
    finally:
        os.killpg(client.pid, signal.SIGKILL)
        client.wait()
    check_next_is_told_and_free(world, 1)


def test_a_new_session_hears_of_a_loop_that_came_to_the_clients_cap_and_is_free(claude_world: MakeWorld) -> None:
    world = claude_world(start("--max-iterations 20"), "Started.", *["Working."] * 8, "I am free.", "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    check_next_is_told_and_free(world, 8)


def check_next_is_told_and_free(world: World, iteration: int) -> None:
    before, asked = read_only_loop(world), len(world.requests())
    assert (before.status, before.iteration) == ("active", iteration)
    assert world.ask("And you?").code == 0
    sent = read_last(world)
    assert f"`{before.id}` stands at iteration {iteration}" in sent
    assert f"and its session ({before.session}) is over. It does not hold this one." in sent
    assert f"thruline loop run {before.id}" in sent
    assert len(world.requests()) == asked + 1
    assert read_only_loop(world).document.render() == before.document.render()
    assert read_pointer(find_paths(world)).sessions == {before.session.partition(":")[2]: before.id}
    assert_no_trouble(world)


@pytest.mark.feature("F003-16", via="client")
def test_a_loop_that_is_cancelled_while_its_command_runs_lets_its_session_stop_at_once(client_world: MakeWorld) -> None:
    until = "--until 'echo $$ > checking.new; mv checking.new checking; sleep 110; true'"
    world = client_world(start(until), "Started.", PROMISE, "Never asked for.")
    register_hooks(world)
    client = begin(world, "Start the loop.")
    try:
        wait_until(lambda: (world.project / "checking").exists(), PATIENCE)
        run_well(world, "loop", "cancel", read_only_loop(world).id)
        assert client.wait(PATIENCE) == 0
    finally:
        client.kill()
        client.wait()
    assert not Path(f"/proc/{(world.project / 'checking').read_text().strip()}/exe").exists()
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration, len(world.requests())) == ("cancelled", 1, 3)


def test_with_a_tool_in_between_no_cap_ends_a_loop(client_world: MakeWorld) -> None:
    worked = [each for _ in range(5) for each in (Command("true"), "Working.", "Thinking.")]
    world = client_world(start(), "Started.", *worked, PROMISE, "Never asked for.")
    register_hooks(world)
    assert world.ask("Start the loop.").code == 0
    loop = read_only_loop(world)
    assert (loop.status, loop.iteration) == ("done", 11)
