"""A quotation cut shorter: only where `match.py` still finds it in the text that it was taken from."""

from collections.abc import Iterator
from functools import lru_cache

from thruline.brief.quotation.match import match_words
from thruline.brief.quotation.quote import CUT, MARKER, Quote, is_edge, join_lines
from thruline.brief.quotation.turning import find_clause, find_left_behind, find_sentence
from thruline.pattern import compile_later
from thruline.value import replace

_END = compile_later(rf"[.!?{CUT}](?=\s)|[。！？]|\S(?=\n)")
# What stands around the words of a line.
_BARE = " \t-*+•#>|=_.)"
_FENCES = ("```", "~~~")
# Of a text in which most cuts would turn something so many places are tried, then it stays as long as it is.
_MOST_PLACES = 12


def shorten(quote: Quote, most: int) -> Quote:
    """The quotation with its end left out where it is longer than `most`, never inside a word or a marker.

    Where a sentence, a line or a piece ends not far before that, it is cut there; else not inside code. What is left is
    proved as `verify` will prove it; where no cut is honest, the quotation stays whole.
    """
    if len(quote.text) <= most:
        return quote
    return replace(quote, text=_shorten(quote.text, quote.source or quote.text, most))


# The same quotation is asked for with every size of a brief that is tried.
@lru_cache(maxsize=1024)
def _shorten(text: str, source: str, most: int) -> str:
    tried: set[str] = set()
    for at in _find_places(text, most):
        words = _cut(text, at)
        if words not in tried:
            tried.add(words)
            if words == text or match_words(words, source) == join_lines(words):
                return words
        if len(tried) >= _MOST_PLACES:
            break
    return text


def _cut(text: str, at: int) -> str:
    marker = next((m for m in MARKER.finditer(text) if m.start() < at < m.end()), None)
    at = marker.start() if marker else at
    kept = _drop_bare(text[:at].rstrip().removesuffix(CUT).rstrip())
    # Little is saved by a cut at the very end, and nothing is left of one at the very start.
    joint = "\n" if kept.count("\n") > 2 else " "
    return f"{kept}{joint}{CUT}" if kept and len(kept) + 2 < len(text) else text


def _find_places(text: str, most: int) -> Iterator[int]:
    """Where the text may be cut, the best place first; only then places behind `most`."""
    at = _find_end(text, most) or next((p for p in range(most, 0, -1) if is_edge(text, p)), 0)
    if at == 0:
        at = next((p for p in range(most, len(text)) if is_edge(text, p)), len(text))
    yield at
    # Before the clause or the sentence that would lose its denial, or else behind it.
    begins, ends_at = find_sentence(text, at, at)
    places = (find_clause(text, at), begins, at + len(find_left_behind(text, at, len(text))), ends_at)
    yield from (place for place in places if place > 0)
    ends = [match.end() for match in _END.finditer(text)]
    yield from reversed([end for end in ends if end < at])
    yield from (end for end in ends if end > at)


def _drop_bare(text: str) -> str:
    """Without last lines that say nothing once what follows is cut: an item's number, marks, a fence that opens."""
    while "\n" in text:
        above, last = text.rsplit("\n", 1)
        opens = (
            last.lstrip().startswith(_FENCES) and sum(one.lstrip().startswith(_FENCES) for one in text.split("\n")) % 2
        )
        if not opens and not _is_bare(last):
            break
        text = above.rstrip().removesuffix(CUT).rstrip()
    return text


def _is_bare(line: str) -> bool:
    words = line.strip(_BARE)
    return not words or words.isdecimal()


def _find_end(text: str, most: int) -> int:
    """The last place up to `most`, not before the half of it, where a sentence or a line ends; 0 where none does."""
    half = most // 2
    ends = [match.end() for match in _END.finditer(text, half, most)]
    if ends:
        return ends[-1]
    code = text.rfind("`", half, most)
    return code if code > 0 and text.count("`", 0, code) % 2 == 0 and is_edge(text, code) else 0
