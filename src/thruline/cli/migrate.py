"""`thruline migrate`: what other tools left in this project becomes ours."""

import os

import click

from thruline.brief.claims.names import render_path
from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.layout import find_project
from thruline.operations.migrate.packets import Migration, migrate_packets
from thruline.operations.migrate.ralph import MigratedLoop, migrate_loops


@declare(
    "migrate",
    help="Make packets of the handoffs that other tools left in this project, and loops of their loops. Nothing is "
    "deleted or changed; what is made says where it came from, and a second time nothing is made twice.",
    example="thruline migrate --dry-run",
)
@click.option("--dry-run", is_flag=True, help="Say what would be made, and make nothing.")
def command(dry_run: bool, as_json: bool) -> None:
    """Prints a line a file."""
    here = find_project(os.getcwd())
    packets, loops = migrate_packets(here, dry_run=dry_run), migrate_loops(here, dry_run=dry_run)
    fields = {"files": packets.files, "replaced": packets.replaced, "loops": loops, "dry_run": dry_run}
    show(fields, as_json, lambda _: _render(packets, loops))


def _render(made: Migration, loops: tuple[MigratedLoop, ...]) -> str:
    rows = []
    for one in made.files:
        what = f"{one.why}, {one.packet}" if one.why else one.packet or "would become a packet"
        rows.append(f"{render_path(one.origin, 400)}  {what}: {one.purpose}")
    for loop in loops:
        what = loop.why or ("a paused loop" if loop.loop else "would become a paused loop")
        go_on = f" {loop.loop}: thruline loop activate {loop.loop} in the session that shall go on" if loop.loop else ""
        rows.append(f"{render_path(loop.origin, 400)}  {what}{go_on}")
    if not made.files and not loops:
        rows.append("No handoffs of other tools here.")
    for each in made.replaced:
        rows.append(f"{render_path(each.path, 400)}  a command of {each.client}, and stays: {each.why}.")
        rows.append(f"  {each.instead} does its work; `thruline install` offers that in the clients it sets up.")
    return "\n".join(rows)
