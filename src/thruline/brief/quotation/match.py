"""Whether words stand in a text, under the marks of docs/formats/quote.md and no others."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from thruline.brief.quotation.quote import CUT, MARKER, is_edge, join_lines, may_be_left_out, split_cuts
from thruline.brief.quotation.speech import SAID, count_words
from thruline.brief.quotation.turning import (
    begins_clause,
    ends_clause,
    find_clause,
    find_sentence,
    turns_before,
    turns_behind,
)
from thruline.redact import Redacted, redact, render_marker
from thruline.session import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Of a quotation in pieces at least one must be long enough to say something.
_SHORTEST_PIECE = 3
_NEAR = 100
# A sentence that is longer is no sentence.
_LONGEST_WHOLE = 600
# Pieces that stand everywhere are not looked for forever: neither those of one quotation, nor all of a document's.
_MOST_TRIES = 2_000
_MOST_IN_ALL = 5_000


class Tries:
    """How many places may still be tried for the pieces of quotations that were cut; a document has one for all."""

    def __init__(self, left: int = _MOST_IN_ALL) -> None:
        self.left = left


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


def match_words(words: str, source: str, tries: Tries | None = None) -> str | None:
    """The words as they may be quoted, secrets marked, or None where they do not stand in `source`."""
    words, source = join_lines(words), join_lines(source)
    if not words.strip():
        return None
    safe = _redact(source)
    if _stands_in(words, safe.text, tries or Tries()):
        return words
    for start, end in _find_spans(words, source, tries or Tries()) if safe.places else ():
        # A secret of which a part was quoted is marked whole.
        touched = [secret for secret in safe.places if secret.start < end and start < secret.end]
        first, last = min([start, *(one.start for one in touched)]), max([end, *(one.end for one in touched)])
        if touched and _is_whole(source, first, last):
            return _mark_secrets(safe, source, start, end)
    return None


def widen_words(words: str, source: str) -> str | None:
    """The whole sentences that words stand in which a cut turned; None where they stand in pieces, or in none."""
    source = _redact(join_lines(source)).text
    words = words.strip().strip(CUT).strip()
    at = source.find(words) if words and CUT not in words else -1
    if at < 0:
        return None
    start, end = find_sentence(source, at, at + len(words))
    whole = source[start:end].strip()
    return whole if len(whole) <= _LONGEST_WHOLE and match_words(whole, source) == whole else None


def is_turned(words: str, source: str, tries: Tries | None = None) -> bool:
    """Whether words that were cut stand in `source` but for this: a cut took away what turns them."""
    words, source = join_lines(words), _redact(join_lines(source)).text
    return _stands_in(words, source, tries or Tries(), turned=True)


def find_key(words: str) -> str:
    """The longest run of `words` that must stand in the source as it is; a quick test before `match_words`."""
    pieces = [piece for cut in split_cuts(join_lines(words)) for piece in MARKER.split(cut)]
    return max(pieces, key=len, default="")


# One record is asked about several times: by its own quotations and by those that lost their place.
@lru_cache(maxsize=64)
def _redact(source: str) -> Redacted:
    return redact(source)


def _stands_in(words: str, source: str, tries: Tries, *, turned: bool = False) -> bool:
    """Whether the words stand there; with `turned` also where a cut turned them."""
    if any(_is_whole(source, start, end, turned=turned) for start, end in _find_spans(words, source, tries)):
        return True
    pieces = split_cuts(words)
    if CUT not in words or not any(len(piece) >= _SHORTEST_PIECE for piece in pieces):
        return False
    if not _stand_in_order(pieces, source):
        return False
    opens, closes = words.lstrip().startswith(CUT), words.rstrip().endswith(CUT)
    return _find_pieces(pieces, source, opens, closes, tries, turned=turned)


def _find_spans(words: str, source: str, tries: Tries) -> Iterator[tuple[int, int]]:
    """Where the words stand as they are; the first place needs no try."""
    at = source.find(words)
    while at >= 0:
        yield at, at + len(words)
        if tries.left <= 0:
            return
        tries.left -= 1
        at = source.find(words, at + 1)


def _is_whole(source: str, start: int, end: int, *, turned: bool = False) -> bool:
    return _begins(source, start, 0, turned=turned) and _ends(source, end, len(source), turned=turned)


def _begins(source: str, at: int, least: int, *, turned: bool) -> bool:
    """Whether a word begins at `at`, and nothing of its sentence from `least` on turns what follows."""
    return is_edge(source, at) and (turned or not turns_before(source, at, least))


def _ends(source: str, at: int, most: int, *, turned: bool) -> bool:
    return is_edge(source, at) and (turned or not turns_behind(source, at, most))


def _stand_in_order(pieces: list[str], source: str) -> bool:
    """Whether the pieces stand one behind another at all, whatever was left out between them: a quick test."""
    end = 0
    for piece in pieces:
        at = source.find(piece, end)
        if at < 0:
            return False
        end = at + len(piece)
    return True


def _find_pieces(pieces: list[str], source: str, opens: bool, closes: bool, tries: Tries, *, turned: bool) -> bool:
    """Whether the pieces stand in the source in this order, with honest cuts between them.

    Of each the first fitting occurrence is taken; where a later piece fits none of its own then, the next one.
    """
    known: dict[tuple[int, int], bool] = {}

    def is_cut(start: int, end: int) -> bool:
        if (start, end) not in known:
            known[start, end] = _is_cut(source, start, end, turned=turned)
        return known[start, end]

    starts, since = [-1] * len(pieces), [0] * len(pieces)
    number = 0
    for _ in range(_MOST_TRIES):
        if tries.left <= 0:
            return False
        tries.left -= 1
        end = starts[number - 1] + len(pieces[number - 1]) if number else 0
        at = source.find(pieces[number], since[number])
        if at < 0:
            if number == 0 or starts[number] < end:
                return False  # it stands nowhere behind the others, however late these begin
            starts[number] = -1
            number -= 1
        elif (is_cut(end, at) if number or opens else _begins(source, at, 0, turned=turned)) and (
            turned or len(pieces) == 1 or _says_something(source, at, at + len(pieces[number]))
        ):
            starts[number] = at
            if number + 1 < len(pieces):
                number += 1
                starts[number], since[number] = -1, at + len(pieces[number - 1])
                continue
            behind = at + len(pieces[number])
            if is_cut(behind, len(source)) if closes else _ends(source, behind, len(source), turned=turned):
                return True
        else:
            starts[number] = at
        since[number] = starts[number] + 1
    return False


def _is_cut(source: str, start: int, end: int, *, turned: bool) -> bool:
    """Whether a cut may leave out what stands from `start` to `end`: more than one sign, and honestly."""
    # Only the cut before the first piece has none before it, and only the last none behind it.
    opens, closes = end < len(source), start > 0
    if (closes and not _ends(source, start, end, turned=turned)) or (
        opens and not _begins(source, end, start, turned=turned)
    ):
        return False
    if not turned and opens and closes and not _goes_on(source, start, end):
        return False
    return end - start >= _NEAR or may_be_left_out(source[start:end])


def _says_something(source: str, start: int, end: int) -> bool:
    """Whether one of several pieces says something by itself: it is a clause, or begins or ends one with two words.

    Single words, picked out of several clauses, would say what nobody said.
    """
    begins, ends = begins_clause(source, start), ends_clause(source, end)
    return (begins and ends) or ((begins or ends) and count_words(source[start:end]) >= SAID)


def _goes_on(source: str, start: int, end: int) -> bool:
    """Whether what follows a cut begins a clause, or goes on with the one that was left."""
    return begins_clause(source, end) or (not ends_clause(source, start) and find_clause(source, end) <= start)


def _mark_secrets(safe: Redacted, source: str, start: int, end: int) -> str:
    pieces: list[str] = []
    at = start
    for secret in safe.places:
        if secret.end <= start or secret.start >= end:
            continue
        pieces += (source[at : max(at, secret.start)], render_marker(secret.rule))
        at = secret.end
    return "".join([*pieces, source[at:end]]) if at < end else "".join(pieces)
