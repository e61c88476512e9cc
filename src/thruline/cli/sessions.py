"""`thruline sessions`: what is on disk, and how to look into it."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import command_declared, command_group
from thruline.cli.sessions_list import declared
from thruline.cli.show import render_json, show
from thruline.cli.terminal import ProgressLine, say, write_out, write_raw
from thruline.operations.sessions.locate import Located, locate
from thruline.session.pointer import render_pointer
from thruline.signals.signal import KINDS

command = command_group(
    "sessions",
    help="List sessions and look into one: its facts, its spine, its messages, one record.",
    example="thruline sessions list\nthruline sessions show latest\nthruline sessions open latest L120",
)

_REF = "REF is a session id or its first 8 characters, a transcript path, latest or current."


def _locate(ref: str) -> Located:
    return locate(ref, folder=os.getcwd())


command_declared("list", declared, group=command)


@declare(
    "show",
    group=command,
    help=f"Show a session's facts: what, when, how it stands, files, commands, commits.\n\n{_REF}",
    example="thruline sessions show latest",
)
@click.argument("ref")
def show_command(ref: str, as_json: bool) -> None:
    from thruline.cli.session_view import render_view, view_fields
    from thruline.operations.sessions.show import show_session

    view = show_session(_locate(ref))
    if as_json:
        say(render_json(view_fields(view)))
    else:
        write_out(render_view(view))


@declare(
    "spine",
    group=command,
    help=f"Print a session's spine: what was said, one line per tool call, each with its label.\n\n{_REF}",
    example="thruline sessions spine latest | less",
)
@click.argument("ref")
def spine_command(ref: str, as_json: bool) -> None:
    from thruline.operations.sessions.spine import build_entries, render_spine

    located = _locate(ref)
    if as_json:
        rows = [{"label": e.label, "head": e.head, "body": e.body, "turn": e.turn} for e in build_entries(located)]
        say(render_json({"session": located.session_id, "entries": rows}))
        return
    for text in render_spine(located):
        write_out(text)


@declare(
    "messages",
    group=command,
    help=f"Print what was said, word for word.\n\n{_REF}",
    example="thruline sessions messages latest --by human --json",
)
@click.argument("ref")
@click.option("--by", type=click.Choice(["human", "agent", "client"]), help="Only what one side said.")
def messages_command(ref: str, by: str | None, as_json: bool) -> None:
    from thruline.operations.sessions.messages import read_messages

    messages = read_messages(_locate(ref), by or "")
    if as_json:
        say(render_json(messages))
        return
    for message in messages:
        body = message.text.replace("\n", "\n  ")
        label = render_pointer(message.line, source=message.source).removeprefix("transcript:")
        write_out(f"{label} {message.by} {message.kind}\n  {body}\n")


@declare(
    "signals",
    group=command,
    help=f"Print what was meant: corrections, decisions, dead ends and more, each with its quote.\n\n{_REF}",
    example="thruline sessions signals latest --kind correction",
)
@click.argument("ref")
@click.option("--kind", type=click.Choice(KINDS), help="Only signals of one kind.")
@click.option("--weak", is_flag=True, help="Also every other message, as a weak correction: to rank them all.")
def signals_command(ref: str, kind: str | None, weak: bool, as_json: bool) -> None:
    from thruline.cli.signal_view import render_signals, signal_fields
    from thruline.operations.sessions.signals import mine_signals

    found = mine_signals(_locate(ref), kind or "", weak=weak)
    if as_json:
        rows = [signal_fields(file, signal) for file, signal in found.signals]
        say(render_json({"session": found.session, "signals": rows}))
    else:
        write_out(render_signals([signal for _, signal in found.signals]))


@declare(
    "open",
    group=command,
    help=f"Show one record of the transcript, pretty, between its neighbours.\n\n{_REF}",
    example="thruline sessions open latest L120",
)
@click.argument("ref")
@click.argument("place", metavar="PLACE")
@click.option("--around", default=2, type=click.IntRange(0, 50), help="How many neighbours to show on each side.")
@click.option("--raw", is_flag=True, help="Print the line as it stands in the file, nothing else.")
def open_command(ref: str, place: str, around: int, raw: bool, as_json: bool) -> None:
    from thruline.operations.sessions.opening import open_place, read_place, render_opened

    if raw:
        for line in read_place(_locate(ref), place):
            write_raw(line)
        return
    opened = open_place(_locate(ref), place, around=around, raw=as_json)
    if as_json:
        show(opened, True, str)
    else:
        write_out(render_opened(opened))


@declare(
    "fork-tree",
    group=command,
    help=f"Draw how a session and its forks share their history.\n\n{_REF}",
    example="thruline sessions fork-tree latest",
)
@click.argument("ref")
def fork_tree_command(ref: str, as_json: bool) -> None:
    from thruline.operations.sessions.forks import find_forks, render_forks

    tree = find_forks(_locate(ref))
    show(tree, as_json, render_forks)


@declare(
    "compactions",
    group=command,
    help="Show what each compaction of a session kept and lost: corrections, rules, decisions, open ends, commands.\n\n"
    f"What the summary says in other words counts as kept. {_REF}",
    example="thruline sessions compactions latest\nthruline sessions compactions latest --all",
)
@click.argument("ref")
@click.option("--all", "everything", is_flag=True, help="Show what was kept too.")
def compactions_command(ref: str, everything: bool, as_json: bool) -> None:
    from thruline.cli.compaction_view import compaction_fields, render_compactions
    from thruline.operations.sessions.compactions import find_compactions

    located = _locate(ref)
    line = ProgressLine("Reading")
    try:
        found = find_compactions(located, progress=lambda at: line.tell(f"L{at:,}"))
    finally:
        line.close()
    if as_json:
        say(render_json({"session": located.session_id, "compactions": [compaction_fields(each) for each in found]}))
    else:
        write_out(render_compactions(found, everything=everything))
