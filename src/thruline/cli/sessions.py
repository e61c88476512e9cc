"""`thruline sessions`: what is on disk, and how to look into it."""

import os
import time
from typing import Any

import click

from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import render_json, show
from thruline.cli.terminal import ProgressLine, say, write_out
from thruline.cli.words import parse_age, render_age, render_line, render_size
from thruline.errors import UsageError
from thruline.operations.sessions.listing import SessionList, list_sessions
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


@declare(
    "list",
    group=command,
    help="List sessions, newest first: of this project, or of all with --all.",
    example="thruline sessions list --all --since 7d",
)
@click.option("--all", "everywhere", is_flag=True, help="Sessions of every project.")
@click.option("--harness", default="", metavar="NAME", help="Only sessions of this client.")
@click.option("--since", default="", metavar="AGE", help="Only sessions written in the last 30m, 12h, 7d or 4w.")
@click.option("--limit", default=0, type=click.IntRange(min=0), help="At most so many.")
def list_command(everywhere: bool, harness: str, since: str, limit: int, as_json: bool) -> None:
    _check_harness(harness)
    oldest = time.time() - parse_age(since) if since else 0.0
    line = ProgressLine("Reading sessions")

    def tell(done: int, count: int, read: int, size: int) -> None:
        line.tell(f"{done} of {count}, {render_size(read)} of {render_size(size)}")

    try:
        found = list_sessions(
            folder="" if everywhere else os.getcwd(), harness=harness, since=oldest, limit=limit, progress=tell
        )
    finally:
        line.close()
    if found.trouble:
        say(f"note: What was read cannot be kept for the next time: {found.trouble}", err=True)
    if as_json:
        say(render_json([_row_fields(row) | {"in_ark_only": row.path in found.kept} for row in found.rows]))
    else:
        write_out(_render_list(found, everywhere))


def _check_harness(name: str) -> None:
    from thruline.harnesses.transcripts import find_readable

    names = [harness.name for harness in find_readable()]
    if name and name not in names:
        raise UsageError(f'No client "{name}" that can be read.', where="--harness", next="one of " + ", ".join(names))


def _row_fields(row: Any) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in type(row).__slots__ if name not in ("inode", "starter")}
    return dict(sorted(fields.items()))


def _render_list(found: SessionList, everywhere: bool) -> str:
    if not found.rows:
        where = "" if everywhere else f" in {render_line(found.root)}"
        return f"No sessions{where}.\n" + ("" if everywhere else "  try    thruline sessions list --all\n")
    now = time.time()
    table = [("id", "age", "size", "turns", "state", "client", *(["project"] if everywhere else []), "title")]
    for row in found.rows:
        project = [render_line(os.path.basename(row.cwd)) or "-"] if everywhere else []
        title = " ".join(row.title.split())[:72] or "-"
        age, size = render_age(now - row.mtime), render_size(row.size)
        state = "ark, " + row.state if row.path in found.kept else row.state
        table.append(
            (row.session_id[: found.id_length], age, size, str(row.turns), state, row.harness, *project, title)
        )
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1]]) for line in table
    ]
    if len(found.rows) < found.total:
        lines.append(f"… {found.total - len(found.rows)} more; --limit 0 shows all")
    return "\n".join(lines) + "\n"


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
def signals_command(ref: str, kind: str | None, as_json: bool) -> None:
    from thruline.cli.signal_view import render_signals, signal_fields
    from thruline.operations.sessions.signals import mine_signals

    located = _locate(ref)
    found = mine_signals(located, kind or "")
    if as_json:
        rows = [signal_fields(file, signal) for file, signal in found]
        say(render_json({"session": located.session_id, "signals": rows}))
    else:
        write_out(render_signals([signal for _, signal in found]))


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
    from thruline.operations.sessions.opening import open_place, render_opened

    opened = open_place(_locate(ref), place, around=around)
    if raw:
        say(opened.raw.rstrip("\n"))
    elif as_json:
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
