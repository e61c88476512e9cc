"""`thruline statusline [--preview]`: what our line shows, and how it looks here."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.layout import find_user_paths
from thruline.operations.statusline import StatusLine, show_statusline


@declare(
    "statusline",
    help="Show what our line in a client's status bar says.\n\n"
    "`thruline install` puts it there, keeps the command that stood there and shows its output behind ours. What it "
    "shows is the setting statusline.parts; when it warns, and a handoff is prepared, is context.threshold.",
    example="thruline statusline --preview",
    any_config=True,
)
@click.option("--preview", is_flag=True, help="Show the line for this project as a session fills.")
def command(preview: bool, as_json: bool) -> None:
    found = show_statusline(find_user_paths(), os.getcwd(), preview=preview)
    show(found, as_json, _render)


def _render(found: StatusLine) -> str:
    if found.lines:
        widest = max(len(moment) for moment, _ in found.lines)
        return "\n".join(f"{moment:<{widest}}  {line}" for moment, line in found.lines)
    rows = [f"shows      {', '.join(found.parts)}", f"warns at   {found.threshold} %"]
    rows.append(f"stands in  {', '.join(found.clients) or 'no client yet: thruline install'}")
    rows += [f"behind it  {command}" for command in found.kept]
    rows += [f"hidden by  {path}: its own line stands there, so nothing warns" for path in found.hidden]
    return "\n".join(rows)
