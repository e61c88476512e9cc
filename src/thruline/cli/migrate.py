"""`thruline migrate`: what other tools left in this project becomes ours."""

import os

import click

from thruline.brief.names import render_path
from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.layout import find_project
from thruline.operations.migrate.packets import Migration, migrate_packets


@declare(
    "migrate",
    help="Make packets of the handoffs that other tools left in this project. Nothing is deleted or changed; each "
    "packet says where it came from, and a second time nothing is made twice.",
    example="thruline migrate --dry-run",
)
@click.option("--dry-run", is_flag=True, help="Say what would be made, and make nothing.")
def command(dry_run: bool, as_json: bool) -> None:
    """Prints a line a file."""
    show(migrate_packets(find_project(os.getcwd()), dry_run=dry_run), as_json, _render)


def _render(made: Migration) -> str:
    rows = []
    for one in made.files:
        what = f"{one.why}, {one.packet}" if one.why else one.packet or "would become a packet"
        rows.append(f"{render_path(one.origin, 400)}  {what}: {one.purpose}")
    if not made.files:
        rows.append("No handoffs of other tools here.")
    for path in made.replaced:
        name = os.path.splitext(os.path.basename(path))[0]
        rows.append(f"note: {path} is another tool's; thruline {name} does its work, and you may remove it")
    return "\n".join(rows)
