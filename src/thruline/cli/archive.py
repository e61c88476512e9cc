"""`thruline archive`: one session or all into the ark, with progress for people."""

import os
import time

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.cli.terminal import ProgressLine
from thruline.cli.words import render_age, render_size
from thruline.errors import UsageError
from thruline.operations.archive.archiving import Archiving, archive_all, archive_one, load_settings
from thruline.operations.archive.candidates import build_candidate
from thruline.operations.archive.versions import Version, list_versions, write_back
from thruline.operations.sessions.locate import locate, split_version

_MOST_ROWS = 12


@declare(
    "archive",
    help="Keep copies of sessions that outlive their client's: one, or all with --all, newest first.\n\n"
    "REF is a session id or its first 8 characters, a transcript path, latest or current. REF@0 is the last version\n"
    "of it that the ark has, REF@1 the one before that, wherever a command reads a session.",
    example="thruline archive --all\nthruline archive latest\nthruline archive --list latest\n"
    "thruline archive 0f0e0d0c --out ./back",
)
@click.argument("ref", required=False)
@click.option("--all", "everything", is_flag=True, help="Every session of every client.")
@click.option(
    "--fresh",
    is_flag=True,
    help="Read REF whole and trust nothing that is kept already: mends a damaged copy, and takes in what somebody "
    "changed in the middle of a file that then grew.",
)
@click.option("--list", "listed", is_flag=True, help="Show the versions that the ark has of REF, and archive nothing.")
@click.option(
    "--out", default="", metavar="DIR", help="Write the files of REF, as the ark has them, into a new folder."
)
def command(ref: str | None, everything: bool, fresh: bool, listed: bool, out: str, as_json: bool) -> int:
    """Archives; exits 1 where a file could not be taken."""
    if bool(ref) == everything:
        raise UsageError("Which session?", where="thruline archive", next="thruline archive latest, or --all")
    if fresh and everything:
        raise UsageError("--fresh is for one session.", where="thruline archive", next="thruline archive --fresh REF")
    if listed:
        if not ref or fresh:
            raise UsageError("--list is for one session.", where="thruline archive", next="thruline archive --list REF")
        show(list_versions(locate(ref, folder=os.getcwd())), as_json, _render_versions)
        return 0
    if out:
        if not ref or fresh:
            raise UsageError(
                "--out is for one session.", where="thruline archive", next="thruline archive REF --out DIR"
            )
        plain, back = split_version(ref)
        made = write_back(locate(plain, folder=os.getcwd()), os.path.abspath(out), back or 0)
        show(made, as_json, lambda each: "\n".join(each.values()))
        return 0
    load_settings()
    if ref:
        done = archive_one(build_candidate(locate(ref, folder=os.getcwd())), fresh=fresh)
    else:
        line = ProgressLine("Archiving")

        def tell(number: int, count: int, seen: int, total: int) -> None:
            line.tell(f"{number} of {count} sessions, {render_size(seen)} of {render_size(total)}")

        try:
            done = archive_all(tell)
        finally:
            line.close()
    show(done, as_json, _render)
    return 1 if done.problems else 0


def _render_versions(versions: list[Version]) -> str:
    now = time.time()
    rows = [(each.ref, render_age(now - each.written), render_size(each.size), each.path) for each in versions]
    width = max(len(row[0]) for row in rows)
    return "\n".join(f"{ref:<{width}}  {age:>4}  {size:>8}  {path}" for ref, age, size, path in rows)


def _render(done: Archiving) -> str:
    rows = [f"{_count(len(done.archived), 'session')} archived, {done.unchanged} unchanged"]
    if done.archived:
        rows[0] += f"; read {render_size(done.read)}, wrote {render_size(done.written)}"
    if done.excluded:
        rows.append(f"{_count(done.excluded, 'session')} excluded by ark.exclude")
    rows += _list(
        f"{_count(len(done.excluded_kept), 'session')} of these in the ark from before; thruline forget removes one",
        done.excluded_kept,
    )
    if done.too_old:
        rows.append(f"{_count(done.too_old, 'session')} older than ark.keep_days")
    rows += _list(f"{_count(len(done.dropped), 'session')} dropped", [f"{d.session}  {d.why}" for d in done.dropped])
    rows += _list(f"{_count(len(done.problems), 'file')} not taken", [f"{p.path}: {p.what}" for p in done.problems])
    rows.append(f"The ark takes {render_size(done.size)}.")
    return "\n".join(rows)


def _list(title: str, rows: list[str]) -> list[str]:
    if not rows:
        return []
    more = [f"  … {len(rows) - _MOST_ROWS} more; --json has all"] if len(rows) > _MOST_ROWS else []
    return [title, *("  " + row for row in rows[:_MOST_ROWS]), *more]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
