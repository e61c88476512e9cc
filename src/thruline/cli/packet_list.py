"""`thruline packet list`, on the quick lane."""

from thruline.artifacts.packet_head import STATUSES, PacketHead
from thruline.cli.stamped_list import declare_list
from thruline.cli.words import render_line
from thruline.operations.packets.listing import WORD, list_packets


def _render(heads: list[PacketHead]) -> str:
    if not heads:
        return 'No packets here. thruline handoff "what the next session is for" writes one.\n'
    width = max([len(head.id) for head in heads])
    line = f"{{:<{width}}}  {{:<7}}  {{}}\n"
    return "".join([line.format(head.id, head.status, render_line(head.purpose)) for head in heads])


declared = declare_list(
    WORD, STATUSES, list_packets, _render, help="Every packet of this project, the one changed last first."
)
