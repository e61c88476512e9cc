"""A session of one real client continued in another: the correction reaches the model word for word, as a record."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.claude_code import ClaudeWorld
from tests.clients.codex import CodexWorld
from tests.clients.test_install import run_thruline
from tests.clients.test_next_session import CORRECTION, TURNS, correct, read_last
from tests.clients.world import World
from thruline.artifacts.packet import parse_packet
from thruline.operations.packets.next_prompt import FRAME

pytestmark = pytest.mark.client


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
