"""Whether words stand in a text, under the marks of docs/formats/quote.md and no others."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thruline.brief.quote import CUT, is_edge, join_lines, split_cuts
from thruline.redact import Redacted, redact, render_marker
from thruline.session import parts

_MARKER = re.compile(r"\[redacted:[a-z0-9-]+\]")
# Of a quotation in pieces at least one must be long enough to say something.
_SHORTEST_PIECE = 3


def read_texts(part: parts.Part) -> Iterator[tuple[str, str]]:
    """The texts of a record that may be quoted, each with who said it (a key of SPEAKERS)."""
    if isinstance(part, parts.Said):
        yield part.by, part.text
    elif isinstance(part, parts.Thought):
        yield "agent", part.text
    elif isinstance(part, parts.Result):
        if part.text:
            yield "agent" if part.outcome == parts.OK else "tool", part.text
        for _, subject in part.commits:
            yield "git", subject
    elif isinstance(part, parts.Call):
        if part.action == "delegate" and part.target:
            yield "agent", part.target
    elif isinstance(part, parts.Changed):
        if part.name == "title":
            yield "client", part.value
    elif isinstance(part, parts.Asked):
        yield "agent", part.question
        for option in part.options:
            yield "agent", option
        if part.answer:
            yield "human", part.answer
    elif isinstance(part, parts.Planned):
        yield "agent", part.text
    elif isinstance(part, parts.Tasks):
        for text, _ in part.items:
            yield "agent", text


def match_words(words: str, source: str) -> str | None:
    """The words as they may be quoted, secrets marked, or None where they do not stand in `source`."""
    words, source = join_lines(words), join_lines(source)
    if not words.strip():
        return None
    safe = _redact(source)
    if _stands_in(words, safe.text):
        return words
    at = source.find(words) if safe.places else -1
    return _mark_secrets(safe, source, at, at + len(words)) if at >= 0 else None


def find_key(words: str) -> str:
    """The longest run of `words` that must stand in the source as it is; a quick test before `match_words`."""
    pieces = [piece for cut in split_cuts(join_lines(words)) for piece in _MARKER.split(cut)]
    return max(pieces, key=len, default="")


# One record is asked about several times: by its own quotations and by those that lost their place.
@lru_cache(maxsize=64)
def _redact(source: str) -> Redacted:
    return redact(source)


def _stands_in(words: str, source: str) -> bool:
    if words in source:
        return True
    pieces = split_cuts(words)
    if CUT not in words or not any(len(piece) >= _SHORTEST_PIECE for piece in pieces):
        return False
    at = 0
    for number, piece in enumerate(pieces):
        opens = number > 0 or words.lstrip().startswith(CUT)
        closes = number < len(pieces) - 1 or words.rstrip().endswith(CUT)
        at = _find_piece(piece, source, at, opens, closes)
        if at < 0:
            return False
    return True


def _find_piece(piece: str, source: str, at: int, opens: bool, closes: bool) -> int:
    """Where the first fitting occurrence of `piece` ends; the earliest is best, since later pieces only need room."""
    while (at := source.find(piece, at)) >= 0:
        end = at + len(piece)
        if (not opens or is_edge(source, at)) and (not closes or is_edge(source, end)):
            return end
        at += 1
    return -1


def _mark_secrets(safe: Redacted, source: str, start: int, end: int) -> str:
    pieces: list[str] = []
    at = start
    for secret in safe.places:
        if secret.end <= start or secret.start >= end:
            continue
        pieces += (source[at : max(at, secret.start)], render_marker(secret.rule))
        at = secret.end
    return "".join([*pieces, source[at:end]]) if at < end else "".join(pieces)
