"""`thruline pickup`: the prompt that continues a packet."""

import os
from typing import Any

import click

from thruline.cli.command import command as declare
from thruline.cli.show import render_json
from thruline.cli.terminal import say, write_out
from thruline.harnesses.launching import Launch, build_launch, find_openable
from thruline.layout import find_project
from thruline.operations.clipboard import copy_text
from thruline.operations.packets.opening import open_client
from thruline.operations.packets.pickup import Pickup, pick_up


@declare(
    "pickup",
    help="Print the prompt that continues a packet, and what changed since it was written.\n\n"
    "Without PACKET it is the newest active one of this project, else the newest draft. The packet is not changed.",
    example=f"thruline pickup\nthruline pickup finish-the-export --for {find_openable()[-1].name}",
)
@click.argument("packet", required=False, default="")
@click.option("--rescan", is_flag=True, help="Read the tool logs again, and add files that were changed since.")
@click.option("--copy", is_flag=True, help="Put the prompt into the clipboard instead of printing it.")
@click.option("--for", "harness", default="", metavar="HARNESS", help="Print the line that opens this client with it.")
@click.option("--launch", is_flag=True, help="With --for: open the client here and now.")
def command(packet: str, rescan: bool, copy: bool, harness: str, launch: bool, as_json: bool) -> int:
    """Prints the prompt, or the line that opens a client with it; what was not checked goes to stderr."""
    if launch and not harness:
        raise click.UsageError("--launch needs --for HARNESS")
    paths = find_project(os.getcwd())
    made = pick_up(paths, packet, rescan=rescan)
    opening = None
    if harness:
        source = f"thruline pickup {made.packet.id}" + (" --rescan" if rescan else "")
        opening = build_launch(harness, made.prompt, folder=paths.root, source=source, env=os.environ)
    for note in () if as_json else made.freshness.notes:
        say(f"note: {note}", err=True)
    if copy:
        program = copy_text(made.prompt)
        say(f"Copied the prompt of {made.packet.id} with {program}.", err=True)
    if as_json:
        say(render_json(_fields(made, opening)))
    elif opening is not None:
        say(opening.line)
    elif not copy:
        write_out(made.prompt)
    if opening is not None and launch:
        return open_client(opening)
    return 0


def _fields(made: Pickup, opening: Launch | None) -> dict[str, Any]:
    freshness = made.freshness
    return {
        "packet": made.packet.id,
        "status": made.packet.status,
        "prompt": made.prompt,
        "fresh": freshness.fresh,
        "changed": freshness.changed,
        "committed": freshness.committed,
        "gone": freshness.gone,
        "commits": [{"hash": digest, "subject": subject} for digest, subject in freshness.commits],
        "settled": freshness.settled,
        "stale": freshness.stale,
        "unproved": freshness.unproved,
        "notes": freshness.notes,
        "rescanned": made.rescanned,
        "launch": opening,
    }
