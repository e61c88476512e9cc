"""`thruline signal`: what one agent leaves the next, in a form that programs read too."""

import os
from typing import Any

import click

from thruline.artifacts.agent_handoff import AgentHandoff
from thruline.artifacts.signal import STATUSES, Signal
from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import render_json
from thruline.cli.terminal import say
from thruline.layout import find_project
from thruline.operations.agent_handoffs import check_signals, write_signal

command = command_group(
    "signal",
    help="Write and check the handoffs that agents leave each other.",
    example="thruline signal check\n"
    "thruline signal write T-12 --from builder --to reviewer --status complete --file src/export.py",
)


@declare(
    "write",
    group=command,
    help="Write the handoff of an agent after a task: its findings, and a signal that a program can read.\n\n"
    "The status blocked needs --blocking or --question: what must be answered before the work goes on.",
    example="thruline signal write T-12 --from builder --to reviewer --status blocked --blocking 'which port?'",
)
@click.argument("task")
@click.option("--from", "sender", required=True, metavar="AGENT", help="Who hands on.")
@click.option("--to", "receiver", required=True, metavar="AGENT", help="To whom.")
@click.option("--status", required=True, metavar="WORD", help="One of " + ", ".join(STATUSES) + ".")
@click.option("--context", multiple=True, metavar="TEXT", help="What the task was; may be repeated, like the rest.")
@click.option("--finding", multiple=True, metavar="TEXT", help="What was found.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file that was changed.")
@click.option("--question", "questions", multiple=True, metavar="TEXT", help="What is open.")
@click.option("--recommend", multiple=True, metavar="TEXT", help="What to do next.")
@click.option("--blocking", default="", metavar="TEXT", help="The question that blocks it.")
def write_command(
    task: str, sender: str, receiver: str, status: str, context: tuple[str, ...], finding: tuple[str, ...],
    files: tuple[str, ...], questions: tuple[str, ...], recommend: tuple[str, ...], blocking: str, as_json: bool,
) -> None:  # fmt: skip
    """Prints the path of the new file."""
    signal = Signal(sender, receiver, task, status, files, questions, blocking)
    sections = {"Context": context, "Findings": finding, "Recommendations": recommend}
    path = write_signal(find_project(os.getcwd()), signal, sections)
    say(render_json({"path": path, "signal": signal}) if as_json else path)


@declare(
    "check",
    group=command,
    help="Check the agents' handoffs of this project, of one task, or one file.",
    example="thruline signal check\nthruline signal check T-12",
)
@click.argument("which", required=False, default="", metavar="[TASK|FILE]")
def check_command(which: str, as_json: bool) -> int:
    """Prints a line a handoff; 1 where one is not in order."""
    found = check_signals(find_project(os.getcwd()), which)
    if as_json:
        say(render_json([_fields(one) for one in found]))
    for one in () if as_json else found:
        state = one.signal.status if one.signal else "unreadable"
        say(f"{os.path.basename(one.path)}  {state}")
        for line, what in one.problems:
            say(f"  line {line}: {what}")
    if not found and not as_json:
        say("No agent handoffs here.")
    return 1 if any(one.problems for one in found) else 0


def _fields(one: AgentHandoff) -> dict[str, Any]:
    problems = [{"line": line, "what": what} for line, what in one.problems]
    return {"path": one.path, "task_id": one.task_id, "signal": one.signal, "problems": problems}
