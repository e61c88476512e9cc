"""`thruline packet`: the packets of this project."""

import os
import sys
from typing import Any

import click

from thruline.artifacts.packet import Packet
from thruline.brief.quotation.quote import render_quote
from thruline.cli.command import command as declare
from thruline.cli.command import command_declared, command_group
from thruline.cli.packet_list import declared as declared_list
from thruline.cli.show import render_json, show
from thruline.cli.terminal import say, write_out
from thruline.errors import UsageError
from thruline.layout import ProjectPaths, find_project
from thruline.operations.packets.merging import Merged, merge_packets
from thruline.operations.packets.store import find_packet
from thruline.operations.packets.validating import TIMEOUT, Validation, run_validators, show_validators
from thruline.operations.packets.verbs import Changed, edit_packet, move_packet, remove_packet

command = command_group(
    "packet",
    help="List, read and move on the packets of this project.",
    example="thruline packet list\nthruline packet activate 20261116-101500-finish-the-export",
)
_MOVES = {
    "activate": ("active", "Take a packet up: its status becomes active."),
    "done": ("done", "Say that what an active packet is for is done."),
    "block": ("blocked", "Say that a packet cannot go on."),
}


def _here() -> ProjectPaths:
    return find_project(os.getcwd())


command_declared("list", declared_list, group=command)


@declare("show", group=command, help="Print a packet.", example="thruline packet show finish-the-export")
@click.argument("ref")
def show_command(ref: str, as_json: bool) -> None:
    """Prints the file, or its fields and sections."""
    packet = find_packet(_here(), ref)
    if as_json:
        sections = {one.title: packet.document.read_section(one.title, 2) for one in _sections(packet)}
        say(render_json(_fields(packet) | {"sections": sections, "problems": packet.problems}))
    else:
        write_out(packet.document.render().decode("utf-8", "replace"))


@declare("open", group=command, help="Print the path of a packet's file.", example="thruline packet open 20261116")
@click.argument("ref")
def open_command(ref: str, as_json: bool) -> None:
    """Prints the path, for an editor."""
    path = find_packet(_here(), ref).document.path
    say(render_json({"path": path}) if as_json else path)


@declare(
    "edit",
    group=command,
    help="Put another text below one heading of a packet; from stdin without --text.",
    example="thruline packet edit finish-the-export --section Plan --text '- rename the flag'",
)
@click.argument("ref")
@click.option("--section", required=True, metavar="TITLE", help="The heading, or how it begins.")
@click.option("--text", default=None, metavar="TEXT", help="The new text.")
def edit_command(ref: str, section: str, text: str | None, as_json: bool) -> None:
    """Replaces one section."""
    if text is None:
        if sys.stdin.isatty():
            raise UsageError("Which text?", where="thruline packet edit", next="give --text, or a text on stdin")
        text = sys.stdin.read()
    show(edit_packet(_here(), ref, section, text), as_json, _render_change)


@declare("drop", group=command, help="Take a packet away; its file is kept aside.", example="thruline packet drop old")
@click.argument("ref")
def drop_command(ref: str, as_json: bool) -> None:
    """Moves it aside."""
    show(remove_packet(_here(), ref), as_json, lambda made: f"Dropped {made.id}; it lies in {made.path} now.")


@declare(
    "merge",
    group=command,
    help="Join packets of parallel sessions into a new draft, and show where their decisions contradict each other.",
    example="thruline packet merge finish-the-export finish-the-import --purpose 'finish both'",
)
@click.argument("refs", nargs=-1, required=True, metavar="ID ID...")
@click.option("--purpose", default="", metavar="TEXT", help="What the new packet is for; else what the others are for.")
def merge_command(refs: tuple[str, ...], purpose: str, as_json: bool) -> None:
    """Writes the joined packet."""
    show(merge_packets(_here(), refs, purpose), as_json, _render_merged)


@declare(
    "validate",
    group=command,
    help="Show the commands that tell whether a packet's purpose is reached; run them with --run.",
    example="thruline packet validate finish-the-export --run",
)
@click.argument("ref")
@click.option("--run", "runs", is_flag=True, help="Run them here, and keep what was seen in the packet.")
@click.option("--timeout", default=TIMEOUT, show_default=True, type=click.FloatRange(min=0.1), metavar="SECONDS",
              help="How long each may take.")  # fmt: skip
def validate_command(ref: str, runs: bool, timeout: float, as_json: bool) -> int:
    """Prints the commands, or how they went; 1 where one did not pass."""
    if not runs:
        show(show_validators(_here(), ref), as_json, _render_validators)
        return 0
    made = run_validators(_here(), ref, timeout=timeout, tell=lambda line: say(f"$ {line}", err=True))
    show(made, as_json, _render_results)
    return 130 if made.interrupted else 0 if made.passed else 1


def _add_move(name: str, status: str, words: str) -> None:
    @declare(name, group=command, help=words, example=f"thruline packet {name} finish-the-export")
    @click.argument("ref")
    def move_command(ref: str, as_json: bool) -> None:
        show(move_packet(_here(), ref, status), as_json, _render_change)


for _name, (_status, _words) in _MOVES.items():
    _add_move(_name, _status, _words)


def _render_change(made: Changed) -> str:
    return f"{made.id}: {made.what}"


def _render_merged(made: Merged) -> str:
    rows = [f"Wrote the packet {made.id}, a draft, from {', '.join(made.merged)}.", f"  file   {made.path}"]
    for one in made.contradictions:
        rows += [f"They do not agree: {one.first} and {one.second}", *render_quote(one.one), *render_quote(one.other)]
    return "\n".join(rows)


def _render_validators(made: Validation) -> str:
    if not made.commands:
        return "The packet has no validators."
    return "\n".join([*made.commands, f"None was run; thruline packet validate {made.packet} --run runs them here."])


def _render_results(made: Validation) -> str:
    rows = []
    for result in made.results:
        rows.append(f"{'passed' if not result.problem else result.problem}: {result.command}")
        rows += [f"  {line}" for line in result.said.splitlines()[-8:]] if result.problem else []
    return "\n".join(rows)


def _fields(packet: Packet) -> dict[str, Any]:
    return {
        "id": packet.id,
        "status": packet.status,
        "purpose": packet.purpose,
        "created_at": packet.created_at,
        "updated_at": packet.updated_at,
        "source": packet.source,
        "session_id": packet.session_id,
        "confirmed": packet.confirmed,
        "suggested": packet.suggested,
        "validators": packet.validators,
        "path": packet.document.path,
        "read_only": packet.newer,
    }


def _sections(packet: Packet) -> list[Any]:
    return [section for section in packet.document.sections if section.level == 2]
