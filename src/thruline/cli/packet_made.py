"""What is printed when a handoff wrote a packet."""

import os

from thruline.cli.show import show
from thruline.layout import find_project
from thruline.operations.packets.making import MadePacket, make_packet
from thruline.operations.sessions.locate import Located


def print_packet(located: Located, purpose: str, as_json: bool) -> None:
    """Writes the packet of a session for a purpose and says what to do with it."""
    show(make_packet(located, find_project(os.getcwd()), purpose), as_json, _render)


def _render(made: MadePacket) -> str:
    return "\n".join(
        [
            f"Wrote the packet {made.id}, a draft.",
            f"  file   {made.path}",
            f"  next   thruline pickup {made.id}",
            f'  edit   thruline packet edit {made.id} --section "Next Prompt (Draft)" --text TEXT',
        ]
    )
