"""`thruline roster`: the commands, agents and skills that a client offers, checked."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import show
from thruline.cli.table import COMMANDS
from thruline.cli.words import render_count, render_line
from thruline.operations.roster import Checked, check_roster

command = command_group(
    "roster",
    help="Look after the commands, agents and skills that coding agents are given.",
    example="thruline roster check",
)


@declare(
    "check",
    help="Check command, agent and skill files: front matter that a client would drop, models and tools that it does "
    "not know, dead references, size.\n\nWithout PATH: ours, this project's and yours. Exits 1 if anything is wrong.",
    example="thruline roster check\nthruline roster check .agents/skills/release/SKILL.md",
    group=command,
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def command_check(paths: tuple[str, ...], as_json: bool) -> int:
    found = check_roster(paths, dict(os.environ), os.path.expanduser("~"), os.curdir, tuple(COMMANDS))
    show(found, as_json, _render)
    return 1 if found.problems else 0


def _render(found: Checked) -> str:
    rows = []
    for each in found.problems:
        rows += [f"{each.path}:{each.line}: {each.what}", f"  try  {each.fix}"]
    problems = render_count(len(found.problems), "problem") if found.problems else "no problems"
    rows.append(f"{render_count(found.files, 'file')}, {problems}.")
    return "\n".join(map(render_line, rows))
