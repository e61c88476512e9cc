"""`thruline handoff PURPOSE`, run by the agent inside a real session; picked up in the next one."""

import pytest

from tests.clients.correcting import CORRECTION, TURNS, correct
from tests.clients.heard import read_last
from tests.clients.ours import PROGRAM, run_thruline
from tests.clients.world import Command, MakeWorld
from thruline.artifacts.packet import parse_packet
from thruline.operations.packets.next_prompt import FRAME

pytestmark = pytest.mark.client


@pytest.mark.feature("F003-09", via="client")
@pytest.mark.feature("F003-10", via="client")
def test_an_agent_writes_a_packet_of_its_own_session_and_the_next_session_picks_it_up(
    client_world: MakeWorld,
) -> None:
    touch = Command("printf 'x = 1\\n' > export.py")
    edit = Command(f"{PROGRAM} packet edit finish-the-export --section Plan --text '- rename the flag'")
    written = Command(f"{PROGRAM} handoff 'finish the export'")
    world = client_world(*TURNS, touch, written, edit, "Written.", "Picked up.")
    run_thruline(world, "context", "init")
    session = correct(world)
    assert world.ask("Hand this on.", resume=session).code == 0
    (path,) = (world.project / ".agent" / "context" / "packets").glob("*.md")
    packet = parse_packet(path.read_bytes(), str(path))
    assert packet.problems == ()
    assert (packet.status, packet.purpose) == ("draft", "finish the export")
    assert (packet.source, packet.session_id) == (world.harness, session)
    assert f"Wrote the packet {packet.id}" in read_last(world)
    assert f"thruline packet edit {packet.id} --section" in read_last(world)
    assert packet.document.read_section("Plan", 2) == "- rename the flag"
    assert (packet.document.read_section("Next Prompt (Draft)", 2) or "").startswith("Goal: finish the export")
    before = path.read_bytes()
    prompt = run_thruline(world, "pickup")
    assert world.ask(prompt).code == 0
    sent = read_last(world)
    assert CORRECTION in sent
    assert sent.index(FRAME) < sent.index(CORRECTION)
    assert path.read_bytes() == before
