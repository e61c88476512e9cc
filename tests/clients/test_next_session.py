"""Real clients from one session to the next: what a person said is in the next session's request, as a record."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.clients.correcting import CORRECTION, FRAME, TURNS, correct
from tests.clients.heard import read_last
from tests.clients.ours import register_hooks
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld
from tests.work.shop import wait_for_worker
from thruline.layout import build_project_paths, find_root

pytestmark = pytest.mark.client


@pytest.mark.feature("F002-01", via="client")
@pytest.mark.feature("F002-05", via="client")
@pytest.mark.feature("F002-36", via="client")
@pytest.mark.feature("F003-19", via="client")
@pytest.mark.feature("F003-21", via="client")
def test_the_next_session_is_told_what_the_person_said_word_for_word_and_as_a_record(client_world: MakeWorld) -> None:
    world = client_world(*TURNS, "Hello.", "Hello again.")
    hooks = register_hooks(world)
    before = world.project_files()
    session = correct(world)
    wait_for_worker(hooks)
    assert world.ask("What is next?").code == 0
    sent = read_last(world)
    assert CORRECTION in sent
    assert FRAME in sent
    assert sent.index(FRAME) < sent.index(CORRECTION)
    assert f"`{session}`" in sent
    assert "the last session in this project ended" in sent
    assert "on branch `main`, 0 uncommitted changes" in sent
    wait_for_worker(hooks)
    project = build_project_paths(find_root(str(world.project)), str(world.state))
    last = json.loads(Path(project.logs, "last-session.json").read_text())
    assert {"ended_at", "branch", "uncommitted_changes", "forge_phase", "forge_task"} <= set(last)
    noted = [json.loads(line) for line in Path(project.indexes, "sessions.jsonl").read_text().splitlines()]
    assert noted[0]["event"] == "started"
    assert (noted[0]["session_id"], noted[-1]["event"]) == (session, "ended")
    # Told once, to nobody else, and remembered.
    assert world.ask("And now?").code == 0
    assert CORRECTION not in read_last(world)
    told = [json.loads(line) for line in Path(hooks.injected).read_text().splitlines()]
    assert [row["from"] for row in told if row["kind"] == "resume"] == [session]
    assert world.project_files() == before  # no marker, no byte


def test_a_client_killed_in_the_middle_of_a_turn_has_left_its_notes(client_world: MakeWorld) -> None:
    world = client_world(*TURNS, Command("sleep 60"), "Hello.")
    hooks = register_hooks(world)
    session = correct(world)
    wait_for_worker(hooks)
    client = world.start(world.build_words("Now wait.", resume=session))
    try:
        # By then its start took back what lay ready about it, and the worker has left that anew with the client in it.
        ready = Path(hooks.build_resume(world.harness))
        wait_until(lambda: len(world.requests()) >= 4 and ready.exists())
        time.sleep(0.5)
    finally:
        os.killpg(client.pid, signal.SIGKILL)
        client.wait()
    assert world.ask("What is next?").code == 0
    assert CORRECTION in read_last(world)


def test_two_projects_at_once_do_not_mix(client_world: MakeWorld) -> None:
    one, two = client_world(*TURNS), client_world("Hello.")
    hooks = register_hooks(one)
    two.state = one.state
    register_hooks(two)
    correct(one)
    wait_for_worker(hooks)
    assert two.ask("What is next?").code == 0
    assert CORRECTION not in read_last(two)
