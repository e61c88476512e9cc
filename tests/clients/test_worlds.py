"""Each real client lives in a world of its own and leaves its transcript where the facts say."""

import json
import re
from pathlib import Path

import pytest

from tests.clients.world import Command, MakeWorld

pytestmark = pytest.mark.client

TURNS = (Command("echo planted-$((40 + 2))"), "It says so.")


def test_client_says_its_version(client_world: MakeWorld) -> None:
    world = client_world()
    run = world.run(["--version"])
    assert run.code == 0
    said = re.search(r"\d+\.\d+\.\d+", run.stdout)
    assert said
    assert f"@{said[0]}" in str(world.binary)
    assert world.requests() == []


def test_one_turn_with_a_tool_leaves_a_transcript(client_world: MakeWorld) -> None:
    world = client_world(*TURNS)
    run = world.ask("What does it say?")
    assert run.code == 0, run.stderr
    assert "It says so." in run.stdout
    assert len(world.requests()) == 2
    assert "planted-42" in json.dumps(world.requests()[1])
    [transcript] = world.transcripts()
    text = transcript.read_text(encoding="utf-8")
    assert "What does it say?" in text
    assert "planted-42" in text
    assert str(world.project) in text


def test_session_is_continued_by_id_in_the_same_transcript(client_world: MakeWorld) -> None:
    world = client_world("First answer.", "Second answer.")
    assert world.ask("First question.").code == 0
    [transcript] = world.transcripts()
    run = world.ask("Second question.", resume=world.read_session_id(transcript))
    assert run.code == 0, run.stderr
    assert world.transcripts() == [transcript]
    assert "First answer." in json.dumps(world.requests()[-1])


@pytest.mark.usefixtures("tracing")
def test_nothing_is_called_but_loopback(client_world: MakeWorld) -> None:
    world = client_world(*TURNS)
    seen = world.trace(world.build_words("What does it say?"))
    assert seen.exit == 0, seen.output
    called = {call.text for call in seen.named("connect", "sendto") if call.text.startswith("AF_INET")}
    assert called
    assert {place for place in called if not place.startswith("AF_INET 127.0.0.1:")} == set(), seen.output


def test_nothing_of_the_callers_home_or_environment_is_seen(
    client_world: MakeWorld, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_SECRET", "planted-value")
    before = sorted(home.rglob("*"))
    world = client_world(Command("env"), "Seen.")
    assert world.ask("What is set?").code == 0
    told = json.dumps(world.requests()[1])
    assert f"HOME={world.home}" in told
    assert "planted-value" not in told
    assert sorted(home.rglob("*")) == before
