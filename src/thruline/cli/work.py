"""`thruline work ROOT`: the worker, as hooks start it; hidden, since nobody needs to call it."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.operations.work.run import Worked, work

_KINDER = 10


@declare(
    "work",
    help="Take in what hooks left for the project at ROOT, and prepare what they will tell. Hooks start it.",
    example="thruline work /home/me/shop",
    any_config=True,
)
@click.argument("root")
def command(root: str, as_json: bool) -> None:
    if hasattr(os, "nice"):
        os.nice(_KINDER)
    show(work(root), as_json, _render)


def _render(done: Worked) -> str:
    if done.busy:
        return "Another worker is at it."
    return f"{done.events or 'No'} event{'' if done.events == 1 else 's'} taken in."
