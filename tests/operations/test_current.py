"""Which session a command means: the one named, the one whose shell this is, or the only one at work."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.operations.looping import ONE, TWO
from thruline.errors import NotFound, Refused, UsageError
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.telling import find_tellable
from thruline.hooks.door import answer
from thruline.layout import ProjectPaths, UserPaths, build_project_paths, find_root, find_state_dir
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.verbs import (
    Wish,
    start_loop,
)
from thruline.operations.sessions.current import Current, find_current


@pytest.fixture
def paths(tmp_path: Path, home: Path) -> ProjectPaths:
    folder = tmp_path / "project"
    folder.mkdir()
    return build_project_paths(find_root(str(folder)), find_state_dir())


def hear(paths: ProjectPaths, current: Current, event: str) -> None:
    """An event of a session whose client is this very process's parent."""
    source, given = os.pipe()
    os.write(given, json.dumps({"session_id": current.session, "cwd": paths.root, "prompt": "x"}).encode())
    os.close(given)
    answer(UserPaths(find_state_dir(), ""), [current.harness, event], source, os.open(os.devnull, os.O_WRONLY))


def test_the_session_is_the_one_at_work_and_several_are_listed(paths: ProjectPaths, monkeypatch: Any) -> None:
    with pytest.raises(NotFound, match="none runs"):
        find_current(paths.root)
    hear(paths, ONE, "session_start")
    with pytest.raises(UsageError, match="No session here is at work"):
        find_current(paths.root)
    hear(paths, ONE, "prompt")
    assert find_current(paths.root).name == ONE.name
    hear(paths, TWO, "prompt")
    with pytest.raises(UsageError, match="2 sessions are at work") as told:
        find_current(paths.root)
    assert ONE.name in told.value.where
    assert TWO.name in told.value.where
    hear(paths, ONE, "turn_end")
    assert find_current(paths.root).name == TWO.name
    hear(paths, TWO, "session_end")
    with pytest.raises(UsageError):
        find_current(paths.root)
    harness = next(each for each in find_tellable() if each.session_variable)
    monkeypatch.setenv(harness.session_variable, "0a1b2c3d-9999-2222-3333-444455556666")
    assert find_current(paths.root) == Current(harness.name, "0a1b2c3d-9999-2222-3333-444455556666")


def test_a_client_inside_anothers_tool_shell_is_not_taken_for_it(paths: ProjectPaths, monkeypatch: Any) -> None:
    inner, outer = (each for each in HARNESSES[:2] if each.session_variable)
    monkeypatch.setenv(outer.session_variable, TWO.session)
    assert find_current(paths.root).name == f"{outer.name}:{TWO.session}"
    monkeypatch.setenv(inner.session_variable, ONE.session)
    with pytest.raises(UsageError, match="the environment names 2") as told:
        find_current(paths.root)
    assert f"{inner.name}:{ONE.session}" in told.value.where
    assert f"{outer.name}:{TWO.session}" in told.value.where
    assert "--session" in told.value.next


def test_a_shell_that_left_the_sessions_project_starts_no_loop_there(
    paths: ProjectPaths, home: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    harness = next(each for each in find_tellable() if each.session_variable)
    transcript = home / harness.home / "projects" / "p" / f"{ONE.session}.jsonl"
    transcript.parent.mkdir(parents=True)
    said = {"type": "user", "uuid": "u", "sessionId": ONE.session, "cwd": paths.root, "message": {"content": "x"}}
    transcript.write_text(json.dumps(said) + "\n")
    monkeypatch.setenv(harness.session_variable, ONE.session)
    other = tmp_path / "other"
    other.mkdir()
    elsewhere = build_project_paths(find_root(str(other)), find_state_dir())
    with pytest.raises(Refused, match="another project"):
        start_loop(elsewhere, Wish("x"), find_current(str(other)))
    assert read_pointer(elsewhere).sessions == {}
    assert start_loop(paths, Wish("x"), find_current(paths.root)).front
    # Resumed there, its hooks look there, wherever it began.
    hear(elsewhere, Current(harness.name, ONE.session), "session_start")
    assert start_loop(elsewhere, Wish("x"), find_current(str(other))).front
