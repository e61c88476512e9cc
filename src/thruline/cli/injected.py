"""`thruline injected [REF]`: a line for each text that a session was told, or the texts themselves."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.layout import find_user_paths
from thruline.operations.injected import WHY, Injected, find_injected


@declare(
    "injected",
    help="Show what we told which session's model, when and why.\n\n"
    "Without REF: every session of this project, and what lies ready for the next one. REF is a session id or the "
    "beginning of one, a transcript path, latest or current; then the texts are shown as they were told.",
    example="thruline injected\nthruline injected 0b7e5c1a",
    any_config=True,
)
@click.argument("ref", required=False, default="")
@click.option("--text", is_flag=True, help="Show the texts too.")
def command(ref: str, text: bool, as_json: bool) -> None:
    found = find_injected(find_user_paths(), os.getcwd(), ref)
    show(found, as_json, lambda each: _render(each, whole=text or bool(ref)))


def _render(found: Injected, *, whole: bool) -> str:
    rows = []
    for told in found.told:
        rows.append(
            f"{told.at}  {told.harness} {told.session}  {told.event}: {told.characters:,} characters, {told.why}"
        )
        rows += _indent(told.text) if whole else []
    if not found.told:
        who = f"The session {found.session}" if found.session else "No session of this project"
        rows.append(f"{who} was told {'nothing' if found.session else 'anything'}.")
    for ready in found.ready:
        to = f"{ready.harness} {ready.to}" if ready.to else f"the next session in {ready.harness}"
        rows.append(f"ready  for {to}: {ready.characters:,} characters, {WHY.get(ready.kind, ready.kind)}")
        rows += _indent(ready.text) if whole else []
    return "\n".join(rows)


def _indent(text: str) -> list[str]:
    return ["", *("    " + line for line in text.splitlines()), ""]
