"""`thruline sessions list`, on the quick lane: what it imports, every list pays for."""

import os
import time

from thruline.cli.options import COUNT, FLAG, Declared, Option
from thruline.cli.terminal import ProgressLine, say, write_out
from thruline.cli.words import parse_age, render_age, render_line, render_size
from thruline.operations.sessions.listing import list_sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.index.sessions import SessionRow
    from thruline.operations.sessions.listing import SessionList


def run(everywhere: bool, harness: str, since: str, limit: int, as_json: bool) -> None:
    """Prints the sessions, newest first."""
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
    for why, paths in (
        ("Compressed by its client, so not read", found.packed),
        ("Not ours to read, so not looked into", found.closed),
    ):
        if paths:
            more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
            say(f"note: {why}: {render_line(paths[0])}{more}", err=True)
    if as_json:
        from thruline.cli.show import render_json

        say(render_json([_row_fields(row) | {"in_ark_only": row.path in found.kept} for row in found.rows]))
    else:
        write_out(_render_list(found, everywhere))


declared = Declared(
    help="List sessions, newest first: of this project, or of all with --all.",
    example="thruline sessions list --all --since 7d",
    options=(
        Option("--all", "everywhere", kind=FLAG, help="Sessions of every project."),
        Option("--harness", "harness", metavar="NAME", help="Only sessions of this client."),
        Option("--since", "since", metavar="AGE", help="Only sessions written in the last 30m, 12h, 7d or 4w."),
        Option("--limit", "limit", kind=COUNT, help="At most so many."),
    ),
    run=run,
)


def _check_harness(name: str) -> None:
    if not name:
        return
    from thruline.errors import UsageError
    from thruline.harnesses.transcripts import find_readable

    names = [harness.name for harness in find_readable()]
    if name not in names:
        raise UsageError(f'No client "{name}" that can be read.', where="--harness", next="one of " + ", ".join(names))


def _row_fields(row: "SessionRow") -> "dict[str, Any]":
    fields = {name: getattr(row, name) for name in type(row).__slots__ if name not in ("inode", "starter")}
    return dict(sorted(fields.items()))


def _render_list(found: "SessionList", everywhere: bool) -> str:
    if not found.rows:
        where = "" if everywhere else f" in {render_line(found.root)}"
        return f"No sessions{where}.\n" + ("" if everywhere else "  try    thruline sessions list --all\n")
    now = time.time()
    table = [("id", "age", "size", "turns", "state", "client", *(["project"] if everywhere else []), "title")]
    for row in found.rows:
        project = [render_line(os.path.basename(row.cwd)) or "-"] if everywhere else []
        title = _plain(" ".join(row.title.split())[:72]) or "-"
        age, size = render_age(now - row.mtime), render_size(row.size)
        state = "ark, " + row.state if row.path in found.kept else row.state
        name = _plain(row.session_id[: found.id_length])
        table.append((name, age, size, str(row.turns), state, row.harness, *project, title))
    # One format for a line instead of a call for each cell: there may be thousands.
    widths = [max(map(len, column)) for column in list(zip(*table, strict=True))[:-1]]
    line = "  ".join([f"{{:<{width}}}" for width in widths] + ["{}"])
    lines = [line.format(*cells) for cells in table]
    if len(found.rows) < found.total:
        lines.append(f"… {found.total - len(found.rows)} more; --limit 0 shows all")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    # Files may be called anything, and what is piped may be shown later; nearly every name passes the first test.
    return text if text.isprintable() else render_line(text)
