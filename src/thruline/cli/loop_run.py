"""`thruline loop run`: a loop driven from outside its client."""

import os
import sys
import time
from typing import Any

import click

from thruline.cli.command import command as declare
from thruline.cli.loop import command
from thruline.cli.show import render_json
from thruline.cli.terminal import ProgressLine, say
from thruline.layout import find_project
from thruline.operations.loops.choosing import choose_loop
from thruline.operations.loops.progress import Progress, Ran
from thruline.operations.loops.running import TIMEOUT, run_loop


@declare(
    "run",
    group=command,
    help="Drive a loop headless, one turn of its session an iteration, until it is over.\n\n"
    "It goes on past the number of prompts in a row that a client allows. REF may be left out where one loop is "
    "active. Pausing or cancelling the loop from another terminal, Ctrl-C, or a file loops/<id>.stop ends it; killed, "
    "it goes on at the same iteration when it is run again. Every turn counts against the day's budget "
    "(thruline receipt).",
    example="thruline loop run\n"
    "thruline loop run port-the-next-module --timeout 900 --pass --dangerously-skip-permissions",
)
@click.argument("ref", required=False, default="")
@click.option("--harness", default="", metavar="NAME", help="The client; its session's own where this is left out.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=TIMEOUT,
    metavar="SECONDS",
    show_default=True,
    help="How long one iteration may take.",
)
@click.option("--new-session", is_flag=True, help="Go on in a new session where the loop's own is gone.")
@click.option("--pass", "more", multiple=True, metavar="ARGUMENT", help="Pass this to the client; may be given again.")
def run_command(
    ref: str, harness: str, timeout: float, new_session: bool, more: tuple[str, ...], as_json: bool
) -> None:
    """Shows each iteration as it ends, and on a terminal how long the one at work takes."""
    here = find_project(os.getcwd())
    loop_id = choose_loop(here, ref)
    line = ProgressLine(loop_id)
    began = time.monotonic()

    def tell(progress: Progress) -> None:
        if progress.begun and not as_json:
            line.close()
            say(_render_begun(progress.begun), err=not sys.stdout.isatty())
        elif not progress.done:
            line.tell(_render(progress))
        elif not as_json:
            line.close()
            say(_render(progress), err=not sys.stdout.isatty())

    try:
        ran = run_loop(here, loop_id, harness=harness, timeout=timeout, more=more, new_session=new_session, tell=tell)
    finally:
        line.close()
    say(render_json(_fields(ran)) if as_json else _render_end(ran, time.monotonic() - began))
    if ran.problem:
        raise SystemExit(1)


def _render(progress: Progress) -> str:
    most = f"/{progress.most}" if progress.most else ""
    tokens = f", {progress.tokens:,} tokens" if progress.tokens else ""
    said = progress.problem or progress.last_line
    return f"iteration {progress.iteration}{most}, {progress.seconds:.0f} s{tokens}" + (f": {said}" if said else "")


def _render_begun(session: str) -> str:
    harness, _, name = session.partition(":")
    return f"a new session of {harness} begins" + (f", {name}" if name else "") + "; it knows the prompt alone"


def _render_end(ran: Ran, seconds: float) -> str:
    loop = ran.loop
    by = f" by {loop.paused_by}" if loop.paused_by else ""
    return (
        f"{loop.id}: {loop.status}{by} at iteration {loop.iteration}; "
        f"{ran.iterations} in this run, {seconds:.0f} s, {ran.tokens:,} tokens"
    )


def _fields(ran: Ran) -> dict[str, Any]:
    loop = ran.loop
    return {
        "id": loop.id,
        "status": loop.status,
        "paused_by": loop.paused_by,
        "iteration": loop.iteration,
        "iterations": ran.iterations,
        "tokens": ran.tokens,
        "session": loop.session,
        "new_session": ran.new_session,
        "problem": ran.problem,
    }
