"""Which line of what was pasted stands with a person's words: the one that tells what went wrong.

The facts this rests on: a program says who it is before it says what failed ("fatal: …", "ValueError: …"), or where
(a file and a line); a log goes on long after that. Pasted prose speaks of errors too, so words alone do not count
unless the person's own lead to the paste ("I get this:"). Erring side: no line, the person's words are told anyway.
"""

import re
from collections.abc import Sequence

from thruline.engines.rules.candidates.candidate import FEW_TERMS
from thruline.engines.rules.terms import find_terms, is_bare
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later

# Of what was pasted before or behind somebody's words so much is looked through.
MOST_SHOWN = 4_000
# The sentence that "fix this:" points to, up to this length.
LONGEST_MEANT = 240
# So many lines that nobody typed are a paste.
LEAST_PASTED = 2
# A line that seems to go on with the one before it is quoted with that, up to so many letters.
MOST_BEFORE = 120

_FAILED = (
    r"(?:errors?|exceptions?|failed|failure|fatal|panic|undefined|cannot|could not|unable to|denied|not found"
    r"|did not find|no such (?:file|option|command|column|table|module)|timed out|exit (?:code|status)[ :=]+[1-9])"
)
_NONE = r"(?!.*\b(?:0|no) (?:errors?|failures?|exceptions?)\b)"
# A line of a program's: the place in a file, or one of its words for a failure.
_PLACE = r"\.\w{1,5}:\d+:\d*"
_WENT_WRONG = compile_later(
    rf"^[ \t]*((?=\S){_NONE}(?=[^\n]*(?:{_PLACE}|\w(?:Error|Exception)\b|\b{_FAILED}\b))[^\n]{{8,280}}?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
# Surely one: behind the name of a program or a word in capitals, or a kind of error before its message.
_SURELY = compile_later(
    rf"\A(?:[\w.\[\]/-]{{2,40}}:[ ](?=.*\b{_FAILED}\b)|.*{_PLACE}|.{{0,40}}\b(?:ERROR|FATAL|FAIL|FAILED)\b"
    r"|(?:[\w.]*(?:[Ee]rror|Exception)|[Ff]atal|[Pp]anic)\b[\w ]{0,12}:)"
)


def find_shown(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, tuple[int, int]] | None:
    """Of a message whose typed pieces are `spans`: which of those leads to what was pasted, and the line to quote."""
    if not spans:
        return None
    last = len(spans) - 1
    end = spans[last][1]
    if text[:end].endswith((":", "：")):
        found = _find_line(text, end) or _find_meant(text, end)
        return None if found is None else (last, found)
    if any(_WENT_WRONG.search(text, *span) for span in spans[1:]):
        return None  # said in their own words
    pasted = _find_pasted(text, spans)
    if len(pasted) < LEAST_PASTED:
        return None
    failed = [one for one in pasted if _WENT_WRONG.fullmatch(text, *one) and _SURELY.match(text[slice(*one)])]
    line = _choose(text, failed)
    return None if line is None else (_find_leading(spans, line[0]), line)


def _find_leading(spans: Sequence[tuple[int, int]], at: int) -> int:
    """Which typed piece stands before a place; the first where none does."""
    return max(0, sum(start < at for start, _ in spans) - 1)


def _find_pasted(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines without a typed piece, without the blanks around them, near the typed ones."""
    found: list[tuple[int, int]] = []
    low, high = max(0, spans[0][0] - MOST_SHOWN), min(len(text), spans[-1][1] + MOST_SHOWN)
    at = text.rfind("\n", 0, low) + 1
    while at < high:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        bare = text[at:end].strip()
        if bare and not any(start < end and at < stop for start, stop in spans):
            start = text.index(bare[0], at)
            found.append((start, start + len(bare)))
        at = end + 1
    return found


def _find_line(text: str, at: int) -> tuple[int, int] | None:
    """The line that tells what went wrong, of what was pasted behind "I get this error:"."""
    return _choose(text, [found.span(1) for found in _WENT_WRONG.finditer(text, at, at + MOST_SHOWN)])


def _choose(text: str, lines: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The first line that can be quoted alone, else the first one with what it seems to go on with."""
    widened = [(begins, end) for start, end in lines if (begins := _find_beginning(text, start)) is not None]
    return next((one for one in widened if one in lines), next(iter(widened), None))


def _find_beginning(text: str, start: int) -> int | None:
    """Where a line may be quoted from: in small letters behind a word it reads as that line going on."""
    at = start
    while text[at].islower() and text[:at].rstrip()[-1:].isalnum():
        before = text[:at].rstrip()
        at = text.rfind("\n", 0, len(before)) + 1
        at += len(text[at:]) - len(text[at:].lstrip())
        if start - at > MOST_BEFORE:
            return None
    return at


def _find_meant(text: str, at: int) -> tuple[int, int] | None:
    """The sentence that stands behind "fix this:" and says what this is; output is none."""
    span = next(iter(split_units(text[at : at + MOST_SHOWN])), None)
    if span is None or span.end - span.start > LONGEST_MEANT:
        return None
    piece = text[at + span.start : at + span.end]
    spoken = piece[0].isalpha() and piece.endswith((".", "!", "?", "。", "！", "？")) and not is_bare(piece)
    return (at + span.start, at + span.end) if spoken and len(find_terms(piece)) >= FEW_TERMS else None
