"""`thruline pickup`: the prompt that continues a packet."""

import os
from typing import Any

import click

from thruline.cli.command import command as declare
from thruline.cli.show import render_json
from thruline.cli.terminal import say, write_out
from thruline.layout import find_project
from thruline.operations.packets.pickup import Pickup, pick_up


@declare(
    "pickup",
    help="Print the prompt that continues a packet, and what changed since it was written.\n\n"
    "Without PACKET it is the newest active one of this project, else the newest draft. The packet is not changed.",
    example="thruline pickup\nthruline pickup finish-the-export",
)
@click.argument("packet", required=False, default="")
def command(packet: str, as_json: bool) -> None:
    """Prints the prompt; what was not checked goes to stderr."""
    made = pick_up(find_project(os.getcwd()), packet)
    for note in () if as_json else made.freshness.notes:
        say(f"note: {note}", err=True)
    if as_json:
        say(render_json(_fields(made)))
    else:
        write_out(made.prompt)


def _fields(made: Pickup) -> dict[str, Any]:
    freshness = made.freshness
    return {
        "packet": made.packet.id,
        "status": made.packet.status,
        "prompt": made.prompt,
        "fresh": freshness.fresh,
        "changed": freshness.changed,
        "gone": freshness.gone,
        "commits": [{"hash": digest, "subject": subject} for digest, subject in freshness.commits],
        "stale": freshness.stale,
        "unproved": freshness.unproved,
        "notes": freshness.notes,
    }
