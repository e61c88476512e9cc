"""`thruline packet list`, on the quick lane."""

import os

from thruline.artifacts.packet_head import STATUSES
from thruline.cli.options import Declared, Option
from thruline.cli.terminal import say, write_out
from thruline.cli.words import render_line
from thruline.layout import find_project
from thruline.operations.packets.listing import list_packets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.artifacts.packet_head import PacketHead


def run(status: str, as_json: bool) -> None:
    """Prints a line a packet; what cannot be read goes to stderr."""
    if status and status not in STATUSES:
        from thruline.errors import UsageError

        raise UsageError(f'No packet is "{status}".', where="--status", next="one of " + ", ".join(STATUSES))
    found = list_packets(find_project(os.getcwd()))
    heads = [head for head in found.heads if status in ("", head.status)]
    for problem in found.problems:
        say(render_line(problem), err=True)
    if as_json:
        from thruline.cli.show import render_json

        say(render_json([head.to_fields() for head in heads]))
    else:
        write_out(_render(heads))


declared = Declared(
    help="Every packet of this project, the one changed last first.",
    example="thruline packet list --status active",
    options=(Option("--status", "status", metavar="WORD", help="Only those that are draft, active, done or blocked."),),
    run=run,
)


def _render(heads: "list[PacketHead]") -> str:
    if not heads:
        return 'No packets here. thruline handoff "what the next session is for" writes one.\n'
    width = max([len(head.id) for head in heads])
    line = f"{{:<{width}}}  {{:<7}}  {{}}\n"
    return "".join([line.format(head.id, head.status, render_line(head.purpose)) for head in heads])
