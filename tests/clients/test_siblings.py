"""Two sessions of one project at once, in real clients: what one learned stays with it while it lives."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from tests.clients.correcting import CORRECTION, FRAME, TURNS, correct
from tests.clients.ours import register_hooks
from tests.clients.waiting import PATIENCE, wait_until
from tests.clients.world import Command, MakeWorld, World
from tests.work.shop import wait_for_worker
from thruline.layout import HookPaths

pytestmark = pytest.mark.client

LINE = "the last session in this project"
WAITING = "while [ ! -e {gate} ]; do sleep 0.1; done"


class Window:
    """A client in the background that a command of its model holds until `let_go`; used as a context manager."""

    def __init__(self, world: World, gate: Path, words: list[str]) -> None:
        self._gate = gate
        self._asked = len(world.requests())
        self._world = world
        self._client = world.start(words)

    def __enter__(self) -> "Window":
        wait_until(lambda: len(self._world.requests()) > self._asked)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            os.killpg(self._client.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._client.wait()

    def let_go(self) -> None:
        """The command ends, and with it the turn and the client."""
        self._gate.touch()
        assert self._client.wait(PATIENCE) == 0


def find_requests(world: World, prompt: str) -> list[str]:
    """What the model was sent in the session that began with `prompt`."""
    return [text for text in map(json.dumps, world.requests()) if json.dumps(prompt) in text]


def read_told(hooks: HookPaths) -> list[dict[str, Any]]:
    path = Path(hooks.injected)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_a_session_that_ran_all_along_hears_nothing_of_one_that_ends(client_world: MakeWorld, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    world = client_world(Command(WAITING.format(gate=gate)), *TURNS, "Fine.", "Fine again.")
    hooks = register_hooks(world)
    with Window(world, gate, world.build_words("You are the sibling.")) as sibling:
        session = correct(world)
        wait_for_worker(hooks)
        sibling.let_go()
    sent = find_requests(world, "You are the sibling.")
    assert len(sent) == 2
    for text in sent:
        assert not [words for words in (CORRECTION, FRAME, LINE, session) if words in text]
    assert {row["session"] for row in read_told(hooks)} <= {session}


def check_told_after_its_end_only(world: World, gate: Path, build_words: Callable[[str], list[str]]) -> None:
    """A session ends and goes on by `build_words(id)`; a sibling starts meanwhile, and another session at the end."""
    hooks = register_hooks(world)
    session = correct(world)
    wait_for_worker(hooks)
    with Window(world, gate, build_words(session)) as resumed:
        assert world.ask("You are the sibling.").code == 0
        told = [row["session"] for row in read_told(hooks)]
        resumed.let_go()
    wait_for_worker(hooks)
    assert world.ask("You come after.").code == 0
    (sibling,) = find_requests(world, "You are the sibling.")
    assert not [words for words in (CORRECTION, FRAME, LINE, session) if words in sibling]
    assert set(told) <= {session}
    (after,) = find_requests(world, "You come after.")
    assert CORRECTION in after
    assert [row["from"] for row in read_told(hooks) if row["kind"] == "resume"] == [session]


def test_a_session_that_is_resumed_is_told_to_nobody_until_it_ends_again(
    client_world: MakeWorld, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    world = client_world(*TURNS, Command(WAITING.format(gate=gate)), "Hello.", "Done.", "Hello again.")
    check_told_after_its_end_only(world, gate, lambda session: world.build_words("Now wait.", resume=session))


def test_a_session_that_is_continued_and_starts_like_a_fork_is_told_to_nobody_either(
    claude_world: MakeWorld, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    world = claude_world(*TURNS, Command(WAITING.format(gate=gate)), "Hello.", "Done.", "Hello again.")
    words = ["--continue", "-p", "Now wait.", "--dangerously-skip-permissions"]
    check_told_after_its_end_only(world, gate, lambda _: words)
