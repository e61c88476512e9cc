"""`thruline off` and `thruline on`."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.layout import find_user_paths
from thruline.operations.install.switching import Switched, switch


@declare(
    "off",
    help="Silence every hook of ours: nothing is noted, nothing is told to a model.\n\n"
    "It counts at once, for sessions that run too. THRULINE_OFF=1 does it for one process.",
    example="thruline off\nthruline off --here",
    any_config=True,
)
@click.option("--here", is_flag=True, help="Only in this project.")
def command_off(here: bool, as_json: bool) -> None:
    show(_switch(False, here), as_json, _render)


@declare("on", help="Let our hooks answer again.", example="thruline on\nthruline on --here", any_config=True)
@click.option("--here", is_flag=True, help="Only in this project.")
def command_on(here: bool, as_json: bool) -> None:
    show(_switch(True, here), as_json, _render)


def _switch(on: bool, here: bool) -> Switched:
    return switch(find_user_paths(), on=on, here=os.curdir if here else "", env=dict(os.environ))


def _render(done: Switched) -> str:
    where = f"in {done.root}" if done.root else "everywhere"
    already = "" if done.changed else " already"
    also = f"\nStill silent: {done.also}." if done.also else ""
    return f"Hooks are {'on' if done.on else 'off'} {where}{already}.{also}"
