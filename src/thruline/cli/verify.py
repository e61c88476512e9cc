"""`thruline verify`: proof, to anyone, that a brief says what was said."""

import os
from typing import Any

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.operations.verify import Verified, verify_file


@declare(
    "verify",
    help="Re-read every quotation of a brief, packet or fork and re-open every pointer.\n\n"
    "Files, commits and commands that it says the session touched, made and ran are looked up in the transcript. "
    "FILE is markdown that quotes in thruline's form. Exit 1 when anything is wrong.",
    example="thruline verify brief.md --fix",
)
@click.argument("file")
@click.option("--fix", is_flag=True, help="Repair places and speakers, remove what stands nowhere, mark the unsourced.")
@click.option("--session", default="", metavar="REF", help="Check against this session instead of the file's Sources.")
@click.option("--project", default="", metavar="DIR", help="Where the project is now: commits and files are there.")
def command(file: str, fix: bool, session: str, project: str, as_json: bool) -> int:
    moved = os.path.abspath(project) if project else ""
    verified = verify_file(file, folder=os.getcwd(), session=session, project=moved, fix=fix)
    show(_fields(verified) if as_json else verified, as_json, _render_fixed if fix else _render)
    return 0 if verified.ok else 1


def _fields(verified: Verified) -> dict[str, Any]:
    report = verified.report
    return {
        "file": verified.file,
        "ok": verified.ok,
        "fixed": verified.fixed,
        "quotes": {"checked": report.quotes.total()} | dict(report.quotes),
        "pointers": {"checked": report.pointers.total()} | dict(report.pointers),
        "facts": {"checked": report.facts.total()} | dict(report.facts),
        "claims": {"checked": report.claims, "unsourced": report.unsourced},
        "sections_all_unsourced": list(report.flagged),
        "troubles": report.troubles,
        "transcripts": list(verified.transcripts),
        "notes": list(verified.notes),
    }


def _render_fixed(verified: Any) -> str:
    return _render(verified, fixing=True)


def _render(verified: Any, *, fixing: bool = False) -> str:
    report = verified.report
    lines = [
        f"{_count(report.quotes.total(), 'quotation')}: {_tell(report.quotes)}",
        f"{_count(report.pointers.total(), 'pointer')}: {_tell(report.pointers)}",
        *([f"{_count(report.facts.total(), 'fact')}: {_tell(report.facts)}"] if report.facts else []),
        f"{_count(report.claims, 'claim')}: {report.unsourced} without a source",
    ]
    lines += [f"no claim of {name} has a source" for name in report.flagged]
    for trouble in report.troubles:
        change = f": {trouble.was}" if trouble.was else ""
        change += f" → {trouble.now}" if trouble.now else ""
        lines.append(f"  line {trouble.line}  {trouble.kind}: {trouble.what}{change}")
    lines += [f"against {path}" for path in verified.transcripts]
    lines += [f"note: {note}" for note in verified.notes]
    if report.troubles and not fixing:
        lines.append("thruline verify --fix repairs what can be repaired and removes the rest")
    elif report.troubles and not verified.fixed:
        lines.append("nothing of this can be repaired: make the brief anew, or mend it by hand")
    if verified.fixed:
        lines.append(f"repaired: {verified.file}; verify it again to see what cannot be repaired")
    return "\n".join(lines)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _tell(states: Any) -> str:
    return ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "none"
