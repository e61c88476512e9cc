"""Real clients that fill up: the line on a real screen, the handoff it starts, and a client without such a line."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.clients.claude_code import KEY
from tests.clients.terminal import ENTER, Terminal
from tests.clients.test_install import run_thruline, wait_until
from tests.clients.test_next_session import read_last, register_hooks
from tests.clients.world import Command, MakeWorld, World
from tests.work.shop import wait_for_worker
from thruline.layout import HookPaths, build_project_key, build_project_paths, find_root
from thruline.operations.hook_entry import write_entry

pytestmark = pytest.mark.client

CORRECTION = "No, don't add a pause between the batches."
COMMAND = "git --version"


def find_handoffs(world: World) -> list[Path]:
    project = build_project_paths(find_root(str(world.project)), str(world.state))
    return sorted(Path(project.handoffs).glob("handoff-*.md"))


def find_hooks(world: World) -> HookPaths:
    return HookPaths(str(world.state), build_project_key("", os.path.realpath(world.project)))


def open_doors(world: World) -> None:
    """What a person answered once: the first questions of the interactive client."""
    path = world.config / ".claude.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known |= {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []}}
    known["projects"] = {str(world.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}
    path.write_text(json.dumps(known))


@pytest.mark.feature("F002-27", via="client")
@pytest.mark.feature("F002-28", via="client")
@pytest.mark.feature("F002-30", via="client")
@pytest.mark.feature("F002-31", via="client")
def test_a_window_that_fills_is_seen_on_the_screen_and_leaves_a_handoff(claude_world: MakeWorld) -> None:
    full = {"text": "I added a pause.", "usage": {"input_tokens": 900_000}}
    world = claude_world(full, full, full, full)
    settings = world.config / "settings.json"
    settings.write_text('{"statusLine": {"type": "command", "command": "echo the-line-of-before"}}')
    run_thruline(world, "install", "--harness", world.harness, "--yes")
    open_doors(world)
    with Terminal(world.binary, cwd=world.project, env=world.environment()) as screen:
        screen.wait_for("the-line-of-before", 60)
        screen.press(CORRECTION.encode(), "between the batches")
        screen.press(ENTER, "between the batches")  # said now, and no longer only typed
        screen.wait_for("⚠ CTX", 60)
        wait_until(lambda: len(find_handoffs(world)) == 1, 60)
        wait_for_worker(find_hooks(world))
    (handoff,) = find_handoffs(world)
    text = handoff.read_text()
    assert text.count("\n## ") >= 5
    assert CORRECTION in text
    flags = [path for path in Path(find_hooks(world).ready, "threshold").rglob("*") if path.is_file()]
    assert [path.read_text().split()[0] for path in flags] == ["fired"]


def test_a_client_without_a_status_line_is_handed_off_by_its_own_count_of_tokens(codex_world: MakeWorld) -> None:
    world = codex_world("I added a pause.", {"text": "Understood.", "usage": {"input": 250_000}}, "Still here.")
    hooks = find_hooks(world)
    entry = write_entry(str(world.state))

    def end_turn(session: str) -> None:
        """What the client's hook says at the end of a turn, from a client that goes on: this very process."""
        payload = {"session_id": session, "transcript_path": str(world.transcripts()[-1]), "cwd": str(world.project)}
        command = [entry.python, "-I", "-S", entry.script, world.harness, "turn_end"]
        subprocess.run(command, input=json.dumps(payload).encode(), check=True, env=world.environment())
        wait_for_worker(hooks)

    assert world.ask("Make the export faster.").code == 0
    session = world.read_session_id(world.transcripts()[-1])
    flag = Path(hooks.build_flag(world.harness, session))
    end_turn(session)
    assert not flag.exists()
    assert world.ask(CORRECTION, resume=session).code == 0
    end_turn(session)
    assert flag.read_text() == "fired 96\n"
    (handoff,) = find_handoffs(world)
    assert CORRECTION in handoff.read_text()


def test_what_codex_drops_is_heard_again_and_what_it_carries_over_is_not(codex_world: MakeWorld) -> None:
    world = codex_world(
        Command(COMMAND),
        Command(COMMAND),
        {"text": "I added a pause.", "usage": {"input": 90_000}},
        "SUMMARY: the export was looked at.",
        "Understood.",
        "On it.",
    )
    hooks = register_hooks(world)
    config = world.config / "config.toml"
    config.write_text("model_auto_compact_token_limit = 20000\n" + config.read_text())
    assert world.ask("Check the orders twice, please.").code == 0
    wait_for_worker(hooks)
    session = world.read_session_id(world.transcripts()[-1])
    assert world.ask(CORRECTION, resume=session).code == 0
    wait_for_worker(hooks)
    assert world.ask("Go on with it.", resume=session).code == 0
    heard = read_last(world)
    told = [json.loads(line) for line in Path(hooks.injected).read_text().splitlines()]
    lost = [row["text"] for row in told if row["id"].startswith("lost ")]
    assert len(lost) == 1, told
    assert COMMAND in lost[0]
    assert lost[0] in heard
    assert "Check the orders twice" not in lost[0]  # the client carries what people said over by itself
