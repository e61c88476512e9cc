"""No section repeats another: what two of them say stays in the one that owns it."""

import re

from thruline.brief.attempts.inert import fold
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import ELSEWHERE, QUOTED, TABLE, TOGETHER, Brief, Claim
from thruline.pattern import compile_later
from thruline.value import replace

_OWNS = {row.name: row.owns for row in TABLE}
_SIGNS = compile_later(r"[^\w\s]+")
# Two claims with this share of their words in common say the same thing.
_ALIKE = 0.85
# A quotation of so many letters costs little twice.
_SHORT = 160
# Where room is scarce a longer one is cut.
LONGEST_WHOLE = 400
# Of a text this short every word counts.
_FEW_WORDS = 5


def drop_repeats(brief: Brief) -> Brief:
    """The brief without quotations and claims that stand in it twice; what must be kept wins over what need not."""
    ranked = sorted(
        ((section, claim) for section in brief.sections for claim in section.claims),
        key=lambda pair: (not pair[1].keep, _is_told(pair[1]), _OWNS[pair[0].name], -pair[1].weight),
    )
    seen = _Seen()
    kept: dict[int, Claim] = {}
    for _, claim in ranked:
        rest = seen.take(claim)
        if rest is not None:
            kept[id(claim)] = rest
    sections = tuple(
        replace(section, claims=tuple(kept[id(claim)] for claim in section.claims if id(claim) in kept))
        for section in brief.sections
    )
    return replace(brief, sections=sections)


def _is_told(claim: Claim) -> bool:
    """Whether a model alone makes a claim: beside it the rules keep their quotations, which their words stand on."""
    return "rules" not in claim.origin.split("+")


def contains_quote(fuller: Quote, other: Quote) -> bool:
    """Whether the words of `other` stand in `fuller`, from the same record."""
    same = (fuller.pointer.source, fuller.pointer.line) == (other.pointer.source, other.pointer.line)
    return same and fold(other.text.replace("…", " ")) in fold(fuller.text)


def say_the_same(first: str, second: str) -> bool:
    """Whether two texts of our own words are one said twice."""
    return _alike(_words(first), _words(second))


class _Seen:
    def __init__(self) -> None:
        self.quotes: dict[tuple[str, int], list[Quote]] = {}
        self.words: dict[str, list[frozenset[str]]] = {}

    def take(self, claim: Claim) -> Claim | None:
        # Words around a quotation say little without it: a short one is told again where a model speaks of it.
        told = _is_told(claim)
        short = told and QUOTED in claim.text
        said = tuple(dict.fromkeys(claim.quotes)) if short else claim.quotes
        quotes = tuple(
            quote for quote in said if (short and len(quote.text) <= _SHORT) or not self._has_quote(quote, told)
        )
        if claim.quotes and not quotes and not claim.pointers and len(claim.text) < 40:
            return None
        words = _words(claim.text)
        if not quotes and words and self._has_words(words):
            return None
        if short and len(quotes) == len(said):
            claim = replace(claim, quotes=quotes)
        if len(quotes) != len(claim.quotes):
            # The place stays, so that the words keep their source.
            gone = tuple(quote.pointer for quote in claim.quotes if quote not in quotes)
            text = claim.text if quotes else claim.text.replace(QUOTED, ELSEWHERE)
            if quotes and not text and not _has_places(quotes, gone):
                text = TOGETHER  # where only quotations stand, nobody would see the place
            claim = replace(claim, text=text, quotes=quotes, pointers=tuple(dict.fromkeys((*claim.pointers, *gone))))
        if not quotes and not re.search(r"\w", claim.text.replace(QUOTED, "").replace(ELSEWHERE, "")):
            return None
        for quote in quotes:
            self.quotes.setdefault((quote.pointer.source, quote.pointer.line), []).append(quote)
        for word in _rare(words):
            self.words.setdefault(word, []).append(words)
        return claim

    def _has_words(self, words: frozenset[str]) -> bool:
        return any(_alike(words, other) for word in _rare(words) for other in self.words.get(word, ()))

    def _has_quote(self, quote: Quote, told: bool) -> bool:
        near = self.quotes.get((quote.pointer.source, quote.pointer.line), ())
        # What a model chose of a long message may be just what is cut out of that.
        whole = [other for other in near if not told or len(other.text) <= max(LONGEST_WHOLE, len(quote.text))]
        return any(contains_quote(other, quote) for other in whole)


def _has_places(quotes: tuple[Quote, ...], gone: tuple[Pointer, ...]) -> bool:
    told = {(quote.pointer.source, quote.pointer.line) for quote in quotes}
    return all((pointer.source, pointer.line) in told for pointer in gone)


def _words(text: str) -> frozenset[str]:
    return frozenset(_SIGNS.sub(" ", fold(text)).split())


def _rare(words: frozenset[str]) -> list[str]:
    """So many of the longest words that two texts which are alike share at least one of them."""
    return sorted(words, key=lambda word: (-len(word), word))[: len(words) - int(_ALIKE * len(words)) + 1]


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    if not first or not second:
        return False
    if min(len(first), len(second)) < _FEW_WORDS:
        return first == second
    return len(first & second) / len(first | second) >= _ALIKE
