"""Fixtures for tests that drive real clients: `claude_world`, `codex_world`, or `client_world` for every client.

A world needs a client from npm (tools/clients) and the scripted models of ../shared. With CI=true a test that
cannot have them fails; elsewhere it is skipped and says what is missing.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.clients.claude_code import ClaudeWorld
from tests.clients.codex import CodexWorld
from tests.clients.model import SHARED
from tests.clients.world import MakeWorld, Said, World
from tests.tracer import find_obstacle
from tools.clients import table as clients


def _find_cache() -> Path | None:
    # Here, at import: later every test has a HOME of its own.
    try:
        return clients.find_cache()
    except clients.Missing:
        return None


CACHE = _find_cache()


def _find_editions(name: str) -> list[str]:
    return clients.find_editions(clients.find_client(name), CACHE) if CACHE else list(clients.EDITIONS)


def miss(reason: str) -> NoReturn:
    """Ends the test: in CI as a failure, elsewhere as a skip."""
    if clients.is_required():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def _find_binary(name: str, edition: str) -> Path:
    if not SHARED.is_dir():
        miss("needs ../shared beside the project, for the scripted models")
    try:
        return clients.find_binary(clients.find_client(name), edition, CACHE or clients.find_cache())
    except clients.Missing as error:
        miss(str(error))


@pytest.fixture
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Room for five clients at once: of the tests that need it one runs at a time, in whichever process."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (shared / "crowd.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def tracing() -> None:
    """The machine can trace system calls."""
    if obstacle := find_obstacle():
        miss(obstacle)


@pytest.fixture(params=_find_editions("claude-code"))
def claude_binary(request: pytest.FixtureRequest) -> Path:
    """The Claude Code binary, pinned and newest."""
    return _find_binary("claude-code", request.param)


@pytest.fixture(params=_find_editions("codex"))
def codex_binary(request: pytest.FixtureRequest) -> Path:
    """The Codex binary, pinned and, where it differs, newest."""
    return _find_binary("codex", request.param)


def _make_worlds(kind: type[Any], binary: Path, folder: Path) -> Iterator[MakeWorld]:
    worlds: list[World] = []

    def make(*turns: Said) -> World:
        world: World = kind(binary, folder / f"world-{len(worlds)}", turns)
        worlds.append(world)
        return world

    yield make
    for world in worlds:
        world.close()


@pytest.fixture
def claude_world(claude_binary: Path, tmp_path: Path) -> Iterator[MakeWorld]:
    """Makes worlds: `claude_world("hello", Command("ls"))`; each is a `ClaudeWorld`."""
    yield from _make_worlds(ClaudeWorld, claude_binary, tmp_path)


@pytest.fixture
def codex_world(codex_binary: Path, tmp_path: Path) -> Iterator[MakeWorld]:
    """Makes worlds: `codex_world("hello", Command("ls"))`; each is a `CodexWorld`."""
    yield from _make_worlds(CodexWorld, codex_binary, tmp_path)


KINDS: dict[str, type[Any]] = {"claude-code": ClaudeWorld, "codex": CodexWorld}


@pytest.fixture(params=[f"{name}@{edition}" for name in KINDS for edition in _find_editions(name)])
def client_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeWorld]:
    """Makes worlds, for each client and edition in turn."""
    name, _, edition = request.param.partition("@")
    yield from _make_worlds(KINDS[name], _find_binary(name, edition), tmp_path)
