"""A session that was begun with a packet: nothing of the prompt passes for what its person said."""

import json
from pathlib import Path

import pytest

from tests.packets.projects import Project
from thruline.operations.packets.making import make_packet
from thruline.operations.packets.pickup import pick_up
from thruline.operations.packets.store import read_packet
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file

SESSION = "7e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
SAID = (
    "I will rename the flag in docs/usage.md and nightly.sh next.",
    "No, leave nightly.sh alone, that is wrong, ops owns it. Don't touch it.",
    "You're right, only docs/usage.md is renamed.",
)


def write_session(path: Path, project: Project, *texts: str) -> None:
    """A session in which the user and the agent take turns."""
    rows = []
    for number, text in enumerate(texts):
        role = ("user", "assistant")[number % 2]
        content = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content} | ({"type": "message", "model": "m"} if number % 2 else {})
        rows.append({
            "type": role, "uuid": f"aaaaaaaa-0000-4000-8000-{number:012}", "sessionId": SESSION, "message": message,
            "parentUuid": f"aaaaaaaa-0000-4000-8000-{number - 1:012}" if number else None, "isSidechain": False,
            "cwd": str(project.root), "timestamp": f"2026-11-16T02:{number:02}:00.000Z", "userType": "external",
        })  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("more", ["", "Use tabs from now on, always."])
def test_the_next_packet_quotes_its_own_session_and_names_the_packet_before(
    project: Project, tmp_path: Path, more: str
) -> None:
    first = project.hand_off()
    path = tmp_path / f"{SESSION}.jsonl"
    write_session(path, project, pick_up(project.paths, first.id).prompt + more, *SAID)
    made = make_packet(locate(str(path), folder=str(project.root)), project.paths, "finish it")
    packet = read_packet(project.paths, made.id)
    text = packet.document.render().decode()
    assert packet.document.get("continues") == first.id
    assert f"The session continued the packet `{first.id}`" in (packet.document.read_section("Context", 2) or "")
    assert "No, leave nightly.sh alone" in (packet.document.read_section("Rejected", 3) or "")
    for words in ("don't add a pause", "column order", "the cursor was inclusive", "Lines with"):
        assert words not in text.replace('Lines with ">" repeat', "", 1)
    assert (more in (packet.document.read_section("Constraints", 2) or "")) if more else True
    assert verify_file(made.path, folder=str(project.root), project=str(project.root)).ok
