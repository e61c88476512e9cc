"""Real clients that fill up: the line on a real screen, the handoff it starts, and a client without such a line."""

import json
import subprocess
import uuid
from pathlib import Path

import pytest

from tests.clients.heard import read_last
from tests.clients.ours import assert_no_trouble, find_hooks, register_hooks, run_thruline
from tests.clients.terminal import ENTER, Terminal
from tests.clients.waiting import wait_until
from tests.clients.world import Command, MakeWorld, World
from tests.work.shop import wait_for_worker
from thruline.layout import build_project_paths, find_root
from thruline.operations.hook_entry import write_entry

pytestmark = pytest.mark.client

CORRECTION = "No, don't add a pause between the batches."
COMMAND = "git --version"


def find_handoffs(world: World) -> list[Path]:
    project = build_project_paths(find_root(str(world.project)), str(world.state))
    return sorted(Path(project.handoffs).glob("handoff-*.md"))


@pytest.mark.feature("F002-27", via="client")
@pytest.mark.feature("F002-28", via="client")
@pytest.mark.feature("F002-29", via="client")
@pytest.mark.feature("F002-30", via="client")
@pytest.mark.feature("F002-31", via="client")
@pytest.mark.feature("F002-32", via="client")
def test_a_window_that_fills_is_seen_on_the_screen_and_leaves_a_handoff(claude_world: MakeWorld) -> None:
    full = {"text": "I added a pause.", "usage": {"input_tokens": 900_000}}
    world = claude_world(full, full, full, full)
    settings = world.config / "settings.json"
    settings.write_text('{"statusLine": {"type": "command", "command": "echo the-line-of-before"}}')
    run_thruline(world, "install", "--harness", world.harness, "--yes")
    world.let_in()
    with Terminal(world.binary, cwd=world.project, env=world.environment()) as screen:
        screen.wait_for("the-line-of-before", 60)
        screen.press(CORRECTION.encode(), "between the batches")
        screen.press(ENTER, "between the batches")  # said now, and no longer only typed
        screen.wait_for("⚠ CTX", 60)
        wait_until(lambda: len(find_handoffs(world)) == 1)
        wait_for_worker(find_hooks(world))
        made = find_handoffs(world)
        screen.press(b"Thank you.", "Thank you.")
        screen.press(ENTER, "Thank you.")  # the window is as full as before: nothing starts again
        wait_until(lambda: len(world.requests()) >= 2)
        screen.wait_for("I added a pause", 60)
        wait_for_worker(find_hooks(world))
        assert find_handoffs(world) == made
    assert_no_trouble(world)
    (handoff,) = find_handoffs(world)
    text = handoff.read_text()
    assert text.count("\n## ") >= 5
    assert CORRECTION in text
    flags = [path for path in Path(find_hooks(world).ready, "threshold").rglob("*") if path.is_file()]
    assert [path.read_text().split()[0] for path in flags] == ["fired"]


@pytest.mark.feature("F002-35", via="client")
def test_at_70_percent_a_handoff_is_made_and_at_85_the_compaction_finds_its_net(claude_world: MakeWorld) -> None:
    turns = [{"text": "I added a pause.", "usage": {"input_tokens": tokens}} for tokens in (100_000, 720_000, 870_000)]
    world = claude_world(*turns, "On it.", "Still on it.")
    variables = {
        **world.variables(),
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "1000000",
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "85",
        "CLAUDE_CODE_DISABLE_TERMINAL_TITLE": "1",  # else a request for a title takes one of the model's turns
    }
    world.variables = lambda: variables
    hooks = register_hooks(world)
    run_thruline(world, "context", "init")
    world.let_in()
    project = build_project_paths(find_root(str(world.project)), str(world.state))
    state = Path(project.logs, "pre-compact-state.json")
    with Terminal(world.binary, cwd=world.project, env=world.environment()) as screen:

        def say(words: str) -> None:
            screen.press(words.encode(), words)
            screen.send_when_quiet(ENTER)
            wait_until(lambda: screen.look() or any(words in json.dumps(each) for each in world.requests()))
            wait_for_worker(hooks)

        screen.wait_for("❯", 60)
        say("Look at the export.")
        say(CORRECTION)
        screen.wait_for("⚠ CTX 72%", 60)
        wait_until(lambda: len(find_handoffs(world)) == 1)
        assert not state.exists()  # 72 % of the window: the first layer, while the session still knows everything
        say("Look at the tests.")
        wait_for_worker(hooks)
        assert not state.exists()
        say("Go on with it.")  # 87 % before this: the client compacts first
        wait_until(lambda: screen.look() or state.exists())
        wait_for_worker(hooks)
    events = [row for row in world.model.records() if row["lane"] == "compact"]
    assert len(events) == 1
    assert CORRECTION in json.dumps(events[0]["body"], ensure_ascii=False)
    kept = json.loads(state.read_text())
    assert {"captured_at", "branch", "uncommitted_changes", "recent_files"} <= set(kept)
    assert len(find_handoffs(world)) == 1


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


@pytest.mark.feature("F002-03", via="client")
@pytest.mark.feature("F002-35", via="client")
@pytest.mark.feature("F002-40", via="client")
def test_a_compaction_leaves_the_state_of_the_project_and_notes_for_the_next_session(client_world: MakeWorld) -> None:
    full = {"text": "I added a pause.", "usage": {"input": 90_000}}
    world = client_world(Command("git --version"), full, "SUMMARY: the export was looked at.", "Understood.", "Yes.")
    (world.project / ".forge").mkdir()
    (world.project / "secret.txt").write_text("what is in a file stays there")
    run_thruline(world, "context", "init")
    hooks = register_hooks(world)
    config = world.config / "config.toml"
    if config.exists():  # this one compacts by itself, the other when it is told to
        config.write_text("model_auto_compact_token_limit = 20000\n" + config.read_text())
    assert world.ask(CORRECTION).code == 0
    session = world.read_session_id(world.transcripts()[-1])
    assert world.ask("Go on." if config.exists() else "/compact", resume=session).code == 0
    wait_for_worker(hooks)
    path = world.project / ".forge" / "logs" / "pre-compact-state.json"
    state = json.loads(path.read_text())
    assert {"captured_at", "branch", "uncommitted_changes", "recent_files"} <= set(state)
    assert state["session_id"] == session
    assert state["uncommitted_changes"] >= 1
    assert "what is in a file" not in path.read_text()
    resume = json.loads(Path(hooks.build_resume(world.harness)).read_text())
    assert CORRECTION in resume["text"]


@pytest.mark.feature("F002-33", via="client")
def test_a_session_that_starts_has_no_flag_of_an_earlier_one(claude_world: MakeWorld) -> None:
    world = claude_world("Hello.", "Again.")
    hooks = register_hooks(world)
    session = str(uuid.uuid4())
    flag = Path(hooks.build_flag(world.harness, session))
    flag.parent.mkdir(parents=True)
    flag.write_text("fired 80\n")
    assert world.ask("Hello.", session=session).code == 0
    assert not flag.exists()
    flag.write_text("fired 80\n")
    assert world.ask("Again.", resume=session).code == 0
    assert flag.exists()  # the same session, and it fired already
