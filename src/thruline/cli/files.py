"""`thruline files`: the files of a packet."""

import os

import click

from thruline.brief.claims.names import render_path
from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import show
from thruline.layout import find_project
from thruline.operations.packets.files import PacketFiles, add_files, drop_files, list_files

command = command_group(
    "files",
    help="Choose the files of a packet: what people confirmed stands before what a session suggests.",
    example="thruline files list\nthruline files add src/export.py",
)
_WHICH = click.option("--packet", "ref", default="", metavar="ID", help="The packet; else the newest active or draft.")


@declare("list", group=command, help="The files of a packet, and what the tool log suggests now.",
         example="thruline files list --packet finish-the-export")  # fmt: skip
@_WHICH
def list_command(ref: str, as_json: bool) -> None:
    show(list_files(find_project(os.getcwd()), ref), as_json, _render)


@declare("add", group=command, help="Confirm files of this project.", example="thruline files add src/export.py")
@click.argument("names", nargs=-1, required=True, metavar="PATH...")
@_WHICH
def add_command(names: tuple[str, ...], ref: str, as_json: bool) -> None:
    show(add_files(find_project(os.getcwd()), names, ref, os.getcwd()), as_json, _render)


@declare("drop", group=command, help="Take files off the confirmed list.", example="thruline files drop src/export.py")
@click.argument("names", nargs=-1, required=True, metavar="PATH...")
@_WHICH
def drop_command(names: tuple[str, ...], ref: str, as_json: bool) -> None:
    show(drop_files(find_project(os.getcwd()), names, ref, os.getcwd()), as_json, _render)


def _render(made: PacketFiles) -> str:
    rows = [made.packet]
    rows += [f"  confirmed  {render_path(name)}" for name in made.confirmed]
    rows += [f"  suggested  {render_path(name)}" for name in made.suggested if name not in made.confirmed]
    rows += [f"  logged     {render_path(each.path)}  {each.how} {each.when}" for each in made.logged]
    return "\n".join(rows if len(rows) > 1 else [*rows, "  no files yet"])
