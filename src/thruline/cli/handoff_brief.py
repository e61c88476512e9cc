"""`thruline handoff [REF]`, on the quick lane: the brief of a session, printed."""

import os

from thruline.brief.budget import DEFAULT_BUDGET, SMALLEST_BUDGET
from thruline.cli.options import COUNT, FLAG, Declared, Option
from thruline.cli.show import render_json
from thruline.cli.terminal import ProgressLine, say, write_out
from thruline.disk.atomic import write_bytes
from thruline.errors import UsageError
from thruline.layout import find_project
from thruline.operations.handoff.ahead import make_ahead
from thruline.operations.sessions.locate import SHORTEST_PREFIX, check_id, locate, split_version
from thruline.operations.sessions.written import check_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.brief.section import Brief, Claim
    from thruline.operations.handoff.brief import Made

_NAMED = ("latest", "current")
_SAME = {"last": "latest", "newest": "latest"}
_ALIKE = 0.82  # how much of a word must be the same: `lastest`, `curent`, and not `later` or `currency`
_SHORT_HEX = frozenset("0123456789abcdef-")
_HEX = frozenset("abcdef-")
_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def run(
    words: "tuple[str, ...]", purpose: str, budget: int, fresh: bool, session: str, out: str, engine: str,
    dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Prints the brief of the session that is meant, or writes a packet where a purpose is told."""
    here = os.getcwd()
    ref, told = _read_words(words)
    located = locate(ref, folder=here, session=session)
    if purpose or told:
        from thruline.cli.packet_made import print_packet  # here: a brief needs none of it

        print_packet(located, purpose or told, as_json)
        return
    if out:
        check_out(os.path.abspath(out), located)
    if engine != "rules" or dry_run:
        from thruline.cli.handoff_engine import print_asked  # here: few ask a model, and it is dear to import

        print_asked(located, engine, budget=budget, fresh=fresh, out=out, dry_run=dry_run, as_json=as_json)
        return
    line = ProgressLine("Reading")
    try:
        made = make_ahead(
            located,
            find_project(here),
            budget=budget,
            fresh=fresh or as_json,
            progress=lambda at: line.tell(f"L{at:,}"),
        )
    finally:
        line.close()
    if made.problems:
        count = len(made.problems)
        say(f"{count} {'place' if count == 1 else 'places'} of the transcript could not be read.", err=True)
    if made.trouble:
        say(made.trouble, err=True)
    _tell(made, out, as_json)


declared = Declared(
    help="Print the brief of a session: where it landed, what was rejected and why, what the user said, what is on "
    "disk, what is owed, what must be known. No model, no network.\n\n"
    "REF is a session id or its first 8 characters, a transcript path, latest or current. `thruline handoff REF` "
    "is the same; without REF it is the session that runs the command.\n\n"
    "Any other words are a purpose: then a packet is written for the session that picks it up.",
    example="thruline handoff latest\nthruline handoff 0b7e5c1a --budget 1000\n"
    "thruline handoff latest --purpose 'finish the export'",
    rest="words",
    rest_metavar="[REF|PURPOSE]",
    options=(
        Option("--purpose", "purpose", metavar="TEXT", help="Write a packet of REF for this purpose."),
        Option(
            "--budget",
            "budget",
            kind=COUNT,
            metavar="TOKENS",
            least=SMALLEST_BUDGET,
            usual=DEFAULT_BUDGET,
            help="The most the brief may hold (four bytes a token).",
        ),
        Option("--fresh", "fresh", kind=FLAG, help="Do not take it from the cache."),
        Option("--session", "session", metavar="ID", help="The session that `current` means."),
        Option("--out", "out", metavar="FILE", help="Write it to FILE instead of printing it."),
        Option(
            "--engine",
            "engine",
            metavar="E",
            usual="rules",
            help="Who writes the sections: rules, command:<harness> or api:<model>.",
        ),
        Option("--dry-run", "dry_run", kind=FLAG, help="With a model: show what would be sent, and send nothing."),
    ),
    run=run,
)


def _read_words(words: tuple[str, ...]) -> tuple[str, str]:
    """The session that is meant, and the purpose where the words are one."""
    if not words:
        return "current", ""
    if len(words) == 1 and _is_ref(words[0]):
        return words[0], ""
    _check_meant(words)
    return "current", " ".join(words)


def _check_meant(words: tuple[str, ...]) -> None:
    """Raises for one word that was meant as a session: a purpose of it would be a packet that nobody asked for."""
    told = " ".join(words).strip()
    if not told:
        raise UsageError(
            "An empty word names no session.", where="thruline handoff", next="thruline handoff latest, or an id"
        )
    if len(words) > 1 or " " in told:
        return
    plain, _ = split_version(told.lower())
    if any(sign.isdigit() for sign in plain) and set(plain) <= _SHORT_HEX:
        check_id(plain)
    from difflib import get_close_matches  # here: few words are neither a session nor several

    for near in get_close_matches(_SAME.get(plain, plain), _NAMED, 1, _ALIKE):
        raise UsageError(
            f'"{told}" is no session; did you mean {near}?',
            where="thruline handoff",
            next=f"thruline handoff {near}, or --purpose {told} if that is the purpose",
        )


def _is_ref(word: str) -> bool:
    word, _ = split_version(word)
    if word in _NAMED or "/" in word or os.sep in word or os.path.isfile(word):
        return True
    # A word of a purpose has no digit in it and more letters than a to f; ids of every client are one or the other.
    is_id = set(word) <= _ID and (any(sign.isdigit() for sign in word) or set(word) <= _HEX)
    return word.endswith((".jsonl", ".json")) or (is_id and len(word) >= SHORTEST_PREFIX)


def _tell(made: "Made", out: str, as_json: bool) -> None:
    if out:
        write_bytes(os.path.abspath(out), made.text.encode("utf-8", "replace"))
    if as_json:
        say(render_json(_build_fields(made)))
    elif out:
        say(out)
    else:
        write_out(made.text)


def _build_fields(made: "Made") -> "dict[str, Any]":
    assert made.brief is not None
    assert made.rendered is not None
    return {
        "session": made.session,
        "budget": made.budget,
        "brief": made.text,
        "sections": _build_sections(made.brief),
        "sources": made.brief.sources,
        "left_out": made.rendered.left_out,
        "cached": made.cached,
    }


def _build_sections(brief: "Brief") -> "dict[str, list[dict[str, Any]]]":
    return {section.name: [_build_claim(claim) for claim in section.claims] for section in brief.sections}


def _build_claim(claim: "Claim") -> "dict[str, Any]":
    return {
        "text": claim.text,
        "topic": claim.topic,
        "flag": claim.flag,
        "quotes": [quote.to_fields() for quote in claim.quotes],
        "pointers": [pointer.to_fields() for pointer in claim.pointers],
    }
