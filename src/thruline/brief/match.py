"""Whether words stand in a text, under the marks of docs/formats/quote.md and no others."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from thruline.brief.quote import CUT, is_edge, join_lines, split_cuts
from thruline.pattern import compile_later
from thruline.redact import Redacted, redact, render_marker
from thruline.session import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MARKER = compile_later(r"\[redacted:[a-z0-9-]+\]")
# Of a quotation in pieces at least one must be long enough to say something.
_SHORTEST_PIECE = 3


def may_be_quoted(part: parts.Part) -> bool:
    """Whether a record may hold somebody's words at all: most are calls, or tell what something cost."""
    kind = type(part)
    return kind in _READERS and (kind is not parts.Call or part.action == "delegate")  # type: ignore[attr-defined]


def read_texts(part: parts.Part) -> Iterable[tuple[str, str]]:
    """The texts of a record that may be quoted, each with who said it (a key of SPEAKERS)."""
    read = _READERS.get(type(part))
    return read(part) if read is not None else ()


def _read_result(part: parts.Result) -> Iterable[tuple[str, str]]:
    said = ((("agent" if part.outcome == parts.OK else "tool"), part.text),) if part.text else ()
    told = (*part.commits, *part.logged)
    return (*said, *(("git", subject) for _, subject in told)) if told else said


def _read_asked(part: parts.Asked) -> Iterable[tuple[str, str]]:
    asked = [("agent", text) for text in (part.question, *part.options)]
    return [*asked, ("human", part.answer)] if part.answer else asked


# What of each kind of part is somebody's words. A title is the client's, or given in its name.
_READERS: "dict[type[parts.Part], Callable[[Any], Iterable[tuple[str, str]]]]" = {
    parts.Said: lambda part: ((part.by, part.text),),
    parts.Thought: lambda part: (("agent", part.text),),
    parts.Result: _read_result,
    parts.Asked: _read_asked,
    parts.Planned: lambda part: (("agent", part.text),),
    parts.Tasks: lambda part: [("agent", text) for text, _ in part.items],
    parts.Call: lambda part: (("agent", part.target),) if part.action == "delegate" and part.target else (),
    parts.Changed: lambda part: (("client", part.value),) if part.name == "title" else (),
}


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
