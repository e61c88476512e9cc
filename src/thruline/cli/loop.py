"""`thruline loop`: a prompt repeated until its promise, in the session whose user started it."""

import os
import sys
from typing import Any

import click

from thruline.artifacts.loop import Loop
from thruline.artifacts.loop_step import ACTIVE, PAUSED, UNTIL_SECONDS
from thruline.cli.command import command as declare
from thruline.cli.command import command_declared, command_group
from thruline.cli.loop_list import declared as declared_list
from thruline.cli.show import render_json, show
from thruline.cli.terminal import say, write_as_is
from thruline.errors import UsageError
from thruline.layout import ProjectPaths, find_project
from thruline.operations.loops.choosing import choose_loop
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.store import find_loop_id, read_loop
from thruline.operations.loops.verbs import (
    Changed,
    Wish,
    activate_here,
    cancel_loop,
    pause_loop,
    resume_loop,
    start_loop,
    stop_loops,
)
from thruline.operations.sessions.current import find_current

command = command_group(
    "loop",
    help="Repeat a prompt in a session until its promise is kept.",
    example="thruline loop start 'Make all tests pass.' --promise DONE --until 'make test'\nthruline loop list",
    modules={"run": "thruline.cli.loop_run"},
)
_SESSION = click.option(
    "--session", default="", metavar="ID", help="The session, where this is not the shell of its tools."
)
_REF = click.argument("ref", required=False, default="")


def _here() -> ProjectPaths:
    return find_project(os.getcwd())


@declare(
    "start",
    group=command,
    help="Start a loop in the session that runs this command.\n\n"
    "When a turn ends without the promise, the session gets the prompt again. The promise is the exact text between "
    "<promise> and </promise> in the agent's last message; BLOCKED there always pauses the loop. PROMPT may be - for "
    "standard input.",
    example="thruline loop start 'Port the next module.' --promise 'ALL PORTED' --max-iterations 20\n"
    "thruline loop start --from-packet finish-the-export --promise DONE --until 'make test'",
)
@click.argument("prompt", required=False, default="")
@click.option("--from-packet", "packet", default="", metavar="ID", help="Take the prompt of a packet.")
@click.option("--max-iterations", type=click.IntRange(min=0), default=0, metavar="N", help="Pause after N; 0: never.")
@click.option("--promise", "promises", multiple=True, metavar="TEXT", help="What ends the loop; may be given again.")
@click.option("--until", default="", metavar="COMMAND", help="Believe a promise only when this shell command passes.")
@click.option(
    "--until-seconds", type=int, default=UNTIL_SECONDS, metavar="N", show_default=True, help="How long that may take."
)
@_SESSION
def start_command(
    prompt: str,
    packet: str,
    max_iterations: int,
    promises: tuple[str, ...],
    until: str,
    until_seconds: int,
    session: str,
    as_json: bool,
) -> None:
    """Starts it, and shows what will be run in the user's name."""
    if prompt == "-":
        prompt = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")  # line ends too are as they came
    wish = Wish(prompt, packet, max_iterations, promises, until, until_seconds)
    here = _here()
    _show(start_loop(here, wish, find_current(os.getcwd(), session)), as_json)


command_declared("list", declared_list, group=command)


@declare("show", group=command, help="Print a loop.", example="thruline loop show port-the-next-module")
@click.argument("ref")
def show_command(ref: str, as_json: bool) -> None:
    """Prints the file, or its fields and prompt."""
    here = _here()
    loop = read_loop(here, find_loop_id(here, ref))
    if as_json:
        front = loop.status == "active" and loop.id in read_pointer(here).sessions.values()
        say(render_json(_fields(loop, front=front)))
    else:
        write_as_is(loop.document.render().decode("utf-8", "replace"))


@declare(
    "activate",
    group=command,
    help="Bring a loop to the front of its session, or of another one.",
    example="thruline loop activate port-the-next-module",
)
@click.argument("ref")
@_SESSION
def activate_command(ref: str, session: str, as_json: bool) -> None:
    """The loop that was in front stays active, behind it."""
    _show(activate_here(_here(), ref, session, os.getcwd()), as_json)


@declare(
    "pause",
    group=command,
    help="Hold a loop: its session may stop.\n\nREF may be left out where one loop is active.",
    example="thruline loop pause\nthruline loop pause 20261116",
)
@_REF
def pause_command(ref: str, as_json: bool) -> None:
    """From any terminal."""
    here = _here()
    _show(pause_loop(here, choose_loop(here, ref, ACTIVE)), as_json)


@declare(
    "resume",
    group=command,
    help="Let a paused loop go on.\n\nREF may be left out where one loop is paused.",
    example="thruline loop resume port-the-next-module --max-iterations 40",
)
@_REF
@click.option("--max-iterations", type=click.IntRange(min=1), default=None, metavar="N", help="Raise its limit to N.")
def resume_command(ref: str, max_iterations: int | None, as_json: bool) -> None:
    """In the foreground of its session, unless another loop is."""
    here = _here()
    _show(resume_loop(here, choose_loop(here, ref, PAUSED), max_iterations or 0), as_json)


@declare(
    "cancel",
    group=command,
    help="End a loop; its file stays.\n\nREF may be left out where one loop is active or paused.",
    example="thruline loop cancel\nthruline loop cancel 20261116",
)
@_REF
def cancel_command(ref: str, as_json: bool) -> None:
    """From any terminal."""
    here = _here()
    _show(cancel_loop(here, choose_loop(here, ref, ACTIVE, PAUSED)), as_json)


@declare("stop", group=command, help="Hold every loop of this project at once.", example="thruline loop stop --all")
@click.option("--all", "every", is_flag=True, help="Yes, every one.")
def stop_command(every: bool, as_json: bool) -> None:
    """All in one change."""
    if not every:
        raise UsageError(
            "Which loops?", where="thruline loop stop", next="--all for every one, or thruline loop pause ID"
        )
    made, problems = stop_loops(_here())
    for problem in problems:
        say(problem, err=True)
    show(
        [_fields(one.loop, front=False) for one in made],
        as_json,
        lambda rows: "\n".join(f"{row['id']}: paused" for row in rows) or "No loop is active here.",
    )


def _show(made: Changed, as_json: bool) -> None:
    show(_fields(made.loop, front=made.front) | {"behind": made.behind}, as_json, lambda _: _render(made))


def _render(made: Changed) -> str:
    loop = made.loop
    rows = [f"{loop.id}: {made.what}" + (f", in {loop.session}" if loop.session and made.front else "")]
    if made.what == "started":
        rows.append("It begins when this turn ends, and then at the end of every turn.")
        rows.append(f"  ends with   {' or '.join(loop.promises) or 'no promise: pause or cancel it'}")
        rows.append(f"  at most     {loop.max_iterations or 'no limit'}")
        rows += _render_until(loop)
        rows.append(f"  to stop it  thruline loop cancel {loop.id}")
    elif loop.status == "active" and not made.front:
        rows.append(f"It holds nobody: thruline loop activate {loop.id} brings it to the front of its session.")
    elif loop.status == "active":
        rows += _render_until(loop)
    if made.behind:
        rows.append(f"{made.behind} is behind it now.")
    return "\n".join(rows)


def _render_until(loop: Loop) -> list[str]:
    if not loop.until:
        return []
    return [f"  will run    {loop.until}   (up to {loop.until_seconds} s, before a promise is believed)"]


def _fields(loop: Loop, *, front: bool) -> dict[str, Any]:
    return {
        "id": loop.id,
        "status": loop.status,
        "iteration": loop.iteration,
        "max_iterations": loop.max_iterations,
        "promises": loop.promises,
        "until": loop.until,
        "until_seconds": loop.until_seconds,
        "session": loop.session,
        "foreground": front,
        "paused_by": loop.paused_by,
        "last_line": loop.last_line,
        "source_packet_id": loop.source_packet_id,
        "created_at": loop.created_at,
        "updated_at": loop.updated_at,
        "prompt": loop.prompt,
        "path": loop.document.path,
        "read_only": loop.newer,
    }
