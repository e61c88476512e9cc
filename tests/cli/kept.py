"""A session where its client keeps it, with all that belongs to it; used by the tests of archive and forget."""

import json
import shutil
from pathlib import Path

import pytest

from tests.sample import SAMPLE, SESSION
from thruline.cli.door import run
from thruline.harnesses.installed import find_homes
from thruline.harnesses.registry import HARNESSES

AGENT = {
    "parentUuid": None, "isSidechain": True, "agentId": "a1b2c3d4", "sessionId": SESSION, "userType": "external",
    "type": "user", "uuid": "aaaaaaaa-0000-4000-8000-000000000001", "timestamp": "2026-11-16T02:20:00.000Z",
    "cwd": "/home/dev/orders-export", "message": {"role": "user", "content": "Look into the export."},
}  # fmt: skip


def find_projects(home: Path) -> Path:
    """Where the client of the sample keeps its transcripts."""
    return Path(find_homes(HARNESSES[0], {}, str(home))[0]) / "projects"


def put_session(home: Path) -> Path:
    """The sample with a subagent, a note on it, a large output and a task list; its transcript's path."""
    folder = find_projects(home) / "-home-dev-orders-export"
    (folder / SESSION / "subagents").mkdir(parents=True)
    (folder / SESSION / "tool-results").mkdir()
    (folder / SESSION / "subagents" / "agent-a1b2c3d4.jsonl").write_text(
        json.dumps(AGENT, separators=(",", ":")) + "\n"
    )
    (folder / SESSION / "subagents" / "agent-a1b2c3d4.meta.json").write_text('{"agentType":"Explore"}')
    (folder / SESSION / "tool-results" / "out.txt").write_text("a large output\n")
    tasks = folder.parents[1] / "tasks" / SESSION
    tasks.mkdir(parents=True)
    (tasks / "1.json").write_text('{"id":"1","subject":"Write a test","status":"pending"}')
    return Path(shutil.copy(SAMPLE, folder / f"{SESSION}.jsonl"))


def remove_session(home: Path) -> None:
    """What a client does after thirty days, and more."""
    shutil.rmtree(find_projects(home))
    shutil.rmtree(find_projects(home).parent / "tasks")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What the command answers; errors too."""
    assert run(list(arguments)) == code
    out = capsys.readouterr()
    return out.out + out.err


def turn_on(capsys: pytest.CaptureFixture[str]) -> None:
    """What the user says yes with."""
    ask(capsys, "config", "set", "ark.enabled", "true")
