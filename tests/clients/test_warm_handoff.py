"""`thruline handoff` with nothing, run by the agent inside a real session: the brief of that very session."""

import json
import subprocess
import uuid

import pytest

from tests.clients.ours import PROGRAM
from tests.clients.world import Command, MakeWorld
from thruline.brief.section import HEADINGS

pytestmark = pytest.mark.client

HANDOFF = f"{PROGRAM} handoff"


@pytest.mark.feature("F001-01", via="client")
def test_the_session_that_runs_it_is_handed_off_while_it_lives(claude_world: MakeWorld) -> None:
    other, own = str(uuid.uuid4()), str(uuid.uuid4())
    world = claude_world(
        "The parser is the place to look.",
        "I will add a pause between the pages.",
        Command(HANDOFF),
        "That is the brief.",
    )
    # An older session, and one turn of the session itself, so that there is something to choose from and to tell.
    assert world.ask("Where is the bug in the parser?", session=other).code == 0
    assert world.ask("The export writes some orders twice.", session=own).code == 0
    run = world.ask("No, don't add a pause, look at the cursor. Then hand this off.", resume=own)
    assert run.code == 0, run.stderr
    brief = _read_output(world.requests()[-1])
    assert [line for line in brief.splitlines() if line in HEADINGS] == list(HEADINGS)
    assert f"{own}.jsonl" in brief
    assert other not in brief
    assert "No, don't add a pause, look at the cursor." in brief
    # The other one, cold, from outside any session and by its id.
    cold = subprocess.run(
        [*HANDOFF.split(), other],
        cwd=world.project,
        env=world.environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    assert [line for line in cold.splitlines() if line in HEADINGS] == list(HEADINGS)
    assert "The parser is the place to look." in cold
    assert own not in cold
    # Nothing is written into a project that has no marker.
    assert list(world.project_files()) == ["README.md"]


def _read_output(request: dict[str, object]) -> str:
    """What the tool returned to the model in the last request."""
    found = [
        block["content"] if isinstance(block["content"], str) else block["content"][0]["text"]
        for message in request["messages"]  # type: ignore[attr-defined]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert found, json.dumps(request)[:2000]
    return str(found[-1])
