"""A session of one real client continued in another: the correction reaches the model word for word, as a record."""

import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import thruline
from tests.clients.claude_code import ClaudeWorld
from tests.clients.codex import CodexWorld
from tests.clients.correcting import CORRECTION, TURNS, correct
from tests.clients.heard import read_last, read_strings
from tests.clients.ours import run_thruline
from tests.clients.terminal import DOWN, ENTER, Terminal
from tests.clients.waiting import PATIENCE
from tests.clients.world import World
from thruline.artifacts.packet import parse_packet
from thruline.harnesses.registry import HARNESSES, Harness
from thruline.operations.packets.next_prompt import FRAME

pytestmark = pytest.mark.client

# A key that was taken shows in what the model is sent within so many seconds.
SOON = 10.0


@pytest.fixture
def worlds(claude_binary: Path, codex_binary: Path, tmp_path: Path) -> Iterator[dict[str, World]]:
    """Both clients, at work in one project."""
    made: dict[str, World] = {
        "claude-code": ClaudeWorld(claude_binary, tmp_path / "one", [*TURNS, "One connection it is."]),
        "codex": CodexWorld(codex_binary, tmp_path / "two", [*TURNS, "One connection it is."]),
    }
    made["codex"].project = made["claude-code"].project
    yield made
    for world in made.values():
        world.close()


@pytest.mark.feature("F003-22", via="client")
@pytest.mark.parametrize(("first", "second"), [("claude-code", "codex"), ("codex", "claude-code")])
def test_a_session_of_one_client_is_continued_in_the_other(worlds: dict[str, World], first: str, second: str) -> None:
    one, two = worlds[first], worlds[second]
    session = correct(one)
    relay = json.loads(run_thruline(one, "relay", session, "--to", second, "--json"))
    packet = Path(relay["path"]).read_bytes()
    assert relay["launch"]["folder"] == str(one.project)
    assert relay["launch"]["argv"][-1] == relay["prompt"]
    assert two.ask(relay["prompt"]).code == 0
    sent = read_last(two)
    assert CORRECTION in sent
    assert sent.index(FRAME) < sent.index(CORRECTION)
    assert f"`{relay['packet']}`" in sent
    # The person's old words stand in a quotation; what is asked of the next agent is the goal alone.
    (line,) = [line for line in relay["prompt"].splitlines() if CORRECTION in line]
    assert line.lstrip("- ").startswith("> user, transcript:L")
    assert Path(relay["path"]).read_bytes() == packet
    # And back: the second client's session is a session like any other.
    back = json.loads(run_thruline(two, "relay", two.read_session_id(two.transcripts()[-1]), "--to", first, "--json"))
    assert back["launch"]["folder"] == str(one.project)
    assert one.ask(back["prompt"]).code == 0
    assert back["packet"] in read_last(one)
    # Whichever client a packet comes from, it is the same kind of file; this one names the packet it continues.
    first_file, second_file = (parse_packet(Path(each["path"]).read_bytes(), each["path"]) for each in (relay, back))
    assert (first_file.source, second_file.source) == (first, second)
    assert first_file.problems == second_file.problems == ()
    assert set(second_file.document.values) - set(first_file.document.values) == {"continues"}
    assert second_file.document.get("continues") == relay["packet"]


def send(world: World, screen: Terminal, before: int) -> None:
    """Presses enter until the model was sent the correction: a key that comes while a screen is drawn is dropped.

    The screen is read meanwhile, or its program would stop. A client may warm up with a request of its own first.
    """
    deadline = time.monotonic() + PATIENCE
    while not read_sent(world, before):
        assert time.monotonic() < deadline, screen.shown[-1000:]
        screen.send_when_quiet(ENTER)
        again = time.monotonic() + SOON
        while not read_sent(world, before) and time.monotonic() < again:
            screen.look()


def read_sent(world: World, before: int) -> str:
    """What the model was sent with the correction, past the first `before` requests.

    It need not be the last: a client may ask for more once it was answered, such as a title for the session.
    """
    return next((sent for sent in map(read_strings, world.requests()[before:]) if CORRECTION in sent), "")


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_the_client_opens_on_a_terminal_with_the_prompt(worlds: dict[str, World], name: str) -> None:
    world = worlds[name]
    session = correct(world)
    world.let_in()
    start = world.root / "start"
    words = [sys.executable, "-m", "thruline.cli.entry", "relay", session, "--to", name, "--launch"]
    start.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    start.chmod(0o755)
    env = world.shell() | {"PYTHONPATH": str(Path(thruline.__file__).parents[1])}
    env |= dict.fromkeys(find_harness(name).launch_env_drop, "1")  # as if an agent of the same client had run it
    before = len(world.requests())
    with Terminal(start, cwd=world.project, env=env) as screen:
        if name == "claude-code":  # there the prompt waits in the box until a person sends it
            screen.wait_for("Pre-filled", PATIENCE)
            assert len(world.requests()) == before
        else:  # asked once, before anything else
            screen.wait_for("2. Use existing model", PATIENCE)
            screen.press(DOWN, "› 2. Use existing model")
        send(world, screen, before)
    sent = read_sent(world, before)
    assert sent.index(FRAME) < sent.index(CORRECTION)


def find_harness(name: str) -> Harness:
    return next(one for one in HARNESSES if one.name == name)
