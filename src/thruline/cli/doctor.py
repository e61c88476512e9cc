"""`thruline doctor`: the findings, one line each, and a fix below those that need one."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.cli.words import render_line
from thruline.operations.doctor import Examination, examine
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.finding import OK


@declare(
    "doctor",
    help="Check this machine and project; every finding comes with a fix.\n\nExits 1 when something is broken.",
    example="thruline doctor --fix",
    any_config=True,
)
@click.option("--fix", is_flag=True, help="Put right what can be put right safely.")
def command(fix: bool, as_json: bool) -> int:
    found = examine(Surroundings(os.curdir, os.environ), fix=fix)
    show(found, as_json, _render)
    return 1 if found.broken else 0


def _render(found: Examination) -> str:
    rows = [f"fixed   {what}" for what in found.fixed]
    for each in found.findings:
        rows.append(f"{each.state:<8}{each.name:<11}{each.what}")
        if each.state != OK and each.fix:
            also = "   (thruline doctor --fix does it)" if each.automatic else ""
            rows.append(f"{'':<8}{'try':<11}{each.fix}{also}")
    rows.append("")
    rows.append(f"{found.broken or 'Nothing'} broken, {found.notes or 'no'} note{'' if found.notes == 1 else 's'}.")
    return "\n".join(map(render_line, rows))
