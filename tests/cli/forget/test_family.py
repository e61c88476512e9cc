"""`thruline forget` where one session's words are in another's: subagents go along, forks are named and stay."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.kept import ask, put_session, remove_session, turn_on
from tests.harnesses.opencode.stores import CART, CART_ID, REVIEW, REVIEW_ID, make_database
from tests.sample import SESSION
from thruline.ark.store import Ark
from thruline.layout import find_user_paths

ROLLOUTS = Path(__file__).parents[2] / "harnesses" / "codex"
PARENT, CHILD, FORK = (
    "01a1e232-2026-72e2-a81f-ec7e1735e7d8",
    "01a1e232-5327-7840-adbb-e4171d99308c",
    "01a1e232-7346-7a00-9d8f-6c34e3ffe6d4",
)


def put_rollouts(home: Path, *names: str) -> dict[str, Path]:
    """The rollouts of these threads where their client keeps them."""
    folder = home / ".codex" / "sessions" / "2026" / "11" / "16"
    folder.mkdir(parents=True)
    found = {name: next(ROLLOUTS.glob(f"*/rollout-*-{name}.jsonl")) for name in names}
    return {name: Path(shutil.copy(path, folder)) for name, path in found.items()}


def list_entries() -> set[str]:
    return {name for _, name in Ark(find_user_paths().ark).entries.find_names()}


def test_a_rollout_goes_with_those_of_its_subagents(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put_rollouts(home, PARENT, CHILD)
    turn_on(capsys)
    ask(capsys, "archive", "--all")
    assert list_entries() == {PARENT, CHILD}
    shutil.rmtree(home / ".codex")
    told = json.loads(ask(capsys, "forget", PARENT, "--yes", "--json"))
    assert told["subagents"] == [CHILD]
    assert list_entries() == set()
    assert os.listdir(Ark(find_user_paths().ark).packs.folder) == []
    ask(capsys, "sessions", "show", CHILD, code=1)


def test_a_stored_session_goes_with_those_of_its_subagents(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = make_database(home / ".local" / "share" / "opencode" / "opencode.db", CART, REVIEW)
    turn_on(capsys)
    ask(capsys, "archive", "--all")
    ask(capsys, "handoff", REVIEW_ID)  # a brief of the subagent, cached
    database.unlink()
    said = ask(capsys, "forget", CART_ID, "--yes")
    assert f"its subagents' sessions ({REVIEW_ID})" in said
    assert "2 files in" in said
    assert list_entries() == set()
    state = Path(find_user_paths().state)
    assert [path for path in state.rglob("*") if REVIEW_ID in path.name] == []
    ask(capsys, "sessions", "show", REVIEW_ID, code=1)


def test_a_subagent_forgotten_alone_is_said_to_stay_with_its_parent(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_rollouts(home, PARENT, CHILD)
    turn_on(capsys)
    ask(capsys, "archive", "--all")
    told = json.loads(ask(capsys, "forget", CHILD, "--yes", "--json"))
    assert told["holders"] == [f"{PARENT} had it done"]
    assert list_entries() == {PARENT}


def test_a_fork_that_goes_on_from_it_is_named_and_never_taken_for_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = put_rollouts(home, PARENT, FORK)
    turn_on(capsys)
    ask(capsys, "archive", "--all")
    expected = ask(capsys, "sessions", "spine", FORK)
    shutil.rmtree(home / ".codex")
    assert json.loads(ask(capsys, "sessions", "show", str(paths[PARENT]), "--json"))["session"] == PARENT
    said = ask(capsys, "forget", str(paths[PARENT]), "--yes")
    assert f"keep a whole copy of it, until they are forgotten:\n  {FORK} goes on from it" in said
    assert list_entries() == {FORK}
    said = ask(capsys, "forget", str(paths[PARENT]), "--yes", code=1)
    assert f"thruline forget {FORK}" in said
    assert list_entries() == {FORK}
    assert ask(capsys, "sessions", "spine", FORK) == expected


@pytest.mark.parametrize("gone", [False, True])
def test_the_file_of_a_subagent_does_not_stand_for_its_session(
    home: Path, capsys: pytest.CaptureFixture[str], gone: bool
) -> None:
    path = put_session(home)
    agent = path.with_suffix("") / "subagents" / "agent-a1b2c3d4.jsonl"
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    if gone:
        remove_session(home)
    said = ask(capsys, "forget", str(agent), "--yes", code=1)
    assert f"thruline forget {SESSION}" in said
    assert list_entries() == {SESSION}
