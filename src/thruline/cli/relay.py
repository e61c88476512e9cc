"""`thruline relay`: a session continued in another client."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import render_json
from thruline.cli.terminal import say
from thruline.harnesses.launching import find_openable
from thruline.layout import find_project
from thruline.operations.packets.opening import open_client
from thruline.operations.packets.relay import Relay, relay_session
from thruline.operations.sessions.locate import locate

_NAMES = [each.name for each in find_openable()]


@declare(
    "relay",
    help="Continue a session in another client: writes its brief and a packet, and prints the line that opens the "
    "client in the session's folder with the prompt.\n\n"
    "REF is a session id or its first 8 characters, a transcript path, latest or current.",
    example=f"thruline relay latest --to {_NAMES[-1]}\nthruline relay 5e0c7f4a --to {_NAMES[0]} --launch",
)
@click.argument("ref", default="current")
@click.option("--to", "harness", required=True, metavar="HARNESS", help="The client that goes on.")
@click.option("--purpose", default="", metavar="TEXT", help="What it goes on with.")
@click.option("--session", default="", metavar="ID", help="The session that `current` means.")
@click.option("--launch", is_flag=True, help="Open the client here and now.")
def command(ref: str, harness: str, purpose: str, session: str, launch: bool, as_json: bool) -> int:
    """Prints the packet, the brief and the line."""
    here = os.getcwd()
    made = relay_session(locate(ref, folder=here, session=session), find_project(here), harness, purpose)
    if as_json:
        say(render_json(_fields(made)))
    else:
        say(_render(made))
    if launch:
        return open_client(made.launch)
    return 0


def _render(made: Relay) -> str:
    rows = [f"Wrote the packet {made.packet.id}, a draft."]
    rows += [f"  file   {made.packet.path}", f"  brief  {made.brief}"]
    return "\n".join([*rows, f"  open   {made.launch.line}"])


def _fields(made: Relay) -> dict[str, object]:
    return {
        "packet": made.packet.id,
        "path": made.packet.path,
        "brief": made.brief,
        "prompt": made.pickup.prompt,
        "launch": made.launch,
    }
