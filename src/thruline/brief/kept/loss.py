"""Which facts a summary kept, whatever words it chose, and which it lost.

A summary says things in its own words, so no sentence is looked for as it stands. What survives a change of words are
names, numbers, paths and the rarer words; those of a fact must stand near each other in the summary. How rare a word
is, the session itself tells; the small words of a language weigh little. Where the summary quotes the first words of a
fact and cuts the rest, it has it. It errs on the side of lost: to be told something twice costs a line, to lose it may
cost an afternoon.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from thruline.brief.kept.remember import Fact
from thruline.brief.kept.terms import find_terms, flatten, is_name, is_small
from thruline.brief.quotation.against import denies, find_wanted
from thruline.pattern import compile_later

# How much of a fact, by weight, must stand near each other; and of its names and numbers alone.
SHARE, NAMES_SHARE = 0.5, 0.51
# Less is enough where all but this much of it stands somewhere in the summary.
NEAR, ANYWHERE = 0.42, 0.75
# So many of its first words in one piece, and among them so many that are not small, are a quotation that was cut.
QUOTED_WORDS, QUOTED_MEANT = 6, 2
_UNIT = compile_later(r"(?<=[.!?;。！？])\s+|\n+")
_CUT = compile_later(r"\s*(?:\d?>|\|)")
_NAME_WEIGHT = 2.5
# So many texts are taken for read: in a short summary a word that is in it would else seem common.
_PRIOR = 20
# `config` and `configuration`, `owns` and `owned`, `test` and `testing` name one thing.
_PREFIX, _SHORTEST_STEM = 5, 3
_ENDINGS = ("ing", "ed", "es", "s", "e")
# Small and short words hold a sentence together; a summary has other sentences.
_SMALL_WEIGHT = 0.3
# A session's facts are held against one summary after another, and most are the same each time.
_FACTS, _TERMS = 1 << 14, 1 << 16


class Reader:
    """A summary, read once: the words of each of its sentences, and how rare a word is among them and the facts."""

    def __init__(self, summary: str, facts: Sequence[Fact]) -> None:
        # Without a letter it is the number of a list.
        sentences = [unit for unit in _UNIT.split(summary) if any(map(str.isalpha, unit))]
        terms = [find_terms(unit) for unit in sentences]
        self._flat = flatten(summary)
        # Two sentences that follow each other often share what one fact said.
        pairs = [first | second for first, second in pairwise(terms)]
        self._units = [set(unit) for unit in (*terms, *pairs)]
        says_no = [denies(unit) for unit in sentences]
        # A no counts in the sentence where it stands.
        self._says_no = says_no + [False] * len(pairs)
        counts: dict[str, int] = {}
        texts = [*map(_shorten_all, terms), *(_find_stems(fact.text) for fact in facts)]
        for found in texts:
            for stem in found:
                counts[stem] = counts.get(stem, 0) + 1
        self._counts, self._texts = counts, max(len(texts), 2)
        self._places: dict[str, set[int]] = {}
        for at, unit in enumerate(self._units):
            for term in unit:
                for key in {term, _shorten(term), *_find_ends(term)}:
                    self._places.setdefault(key, set()).add(at)

    def has(self, fact: Fact) -> bool:
        """Whether the summary says it."""
        if fact.kind == "command":
            # Nobody can run a command in other words; only how its output was cut does not matter.
            return flatten(_CUT.split(fact.text)[0]) in self._flat
        words, terms, no = _read(fact.text)
        if words and f" {' '.join(words)} " in self._flat:
            return True
        weights = {term: self._weigh(term, name) for term, name in terms.items()}
        whole = sum(weights.values())
        return whole > 0 and (self._quotes(words, weights) or self._says(terms, weights, no))

    def _quotes(self, words: list[str], weights: dict[str, float]) -> bool:
        """Whether the summary has the first words of a fact as they are."""
        for end in range(len(words), QUOTED_WORDS - 1, -1):
            if f" {' '.join(words[:end])} " in self._flat:
                quoted = {word for word in words[:end] if not is_small(word)}
                whole = sum(weights.values())
                return len(quoted) >= QUOTED_MEANT or sum(weights.get(word, 0.0) for word in quoted) >= SHARE * whole
        return False

    def _says(self, terms: dict[str, bool], weights: dict[str, float], no: bool) -> bool:
        """Whether enough of what a fact is about stands in one place; of a fact that says no, one that does so too."""
        names, whole = sum(terms.values()), sum(weights.values())
        places = {term: self._find(term, terms[term]) for term in weights}
        anywhere = sum((weight for term, weight in weights.items() if places[term]), 0.0)
        # Small words stand nearly everywhere: they count only where something that is meant does too.
        meant: set[int] = set().union(*(places[term] for term in weights if not is_small(term)))
        found: dict[int, float] = {}
        named: dict[int, int] = {}
        for term, weight in weights.items():
            for at in places[term] & meant:
                found[at] = found.get(at, 0.0) + weight
                named[at] = named.get(at, 0) + terms[term]
        enough = NEAR if anywhere >= ANYWHERE * whole else SHARE
        return any(
            found[at] >= enough * whole and named[at] >= NAMES_SHARE * names and (self._says_no[at] or not no)
            for at in meant
        )

    def _find(self, term: str, name: bool) -> set[int]:
        found = self._places.get(term, set())
        if name:
            return found.union(*(self._places.get(end, set()) for end in _find_ends(term)))
        return found | self._places.get(_shorten(term), set())

    def _weigh(self, term: str, name: bool) -> float:
        rare = max(0.0, math.log((self._texts + _PRIOR) / (self._counts.get(_shorten(term), 0) + 2)))
        if name:
            return rare * _NAME_WEIGHT
        return rare * (_SMALL_WEIGHT if is_small(term) else 1.0)


def find_lost(facts: Sequence[Fact], summary: str) -> tuple[list[Fact], list[Fact]]:
    """The facts that the summary kept, and those that it lost, each in their order."""
    reader = Reader(summary, facts)
    kept: list[Fact] = []
    lost: list[Fact] = []
    for fact in facts:
        (kept if reader.has(fact) else lost).append(fact)
    return kept, lost


def count_kinds(facts: Iterable[Fact]) -> dict[str, int]:
    """How many facts of each kind there are."""
    counts: dict[str, int] = {}
    for fact in facts:
        counts[fact.kind] = counts.get(fact.kind, 0) + 1
    return counts


@lru_cache(_FACTS)
def _read(text: str) -> tuple[list[str], dict[str, bool], bool]:
    """The words of a fact, the terms of what it wants, and whether that says no; nobody changes them."""
    wanted = find_wanted(text)
    return flatten(text).split(), find_terms(wanted), denies(wanted)


@lru_cache(_FACTS)
def _find_stems(text: str) -> list[str]:
    return _shorten_all(find_terms(text))


def _shorten_all(terms: Iterable[str]) -> list[str]:
    return [_shorten(term) for term in terms]


@lru_cache(_TERMS)
def _shorten(term: str) -> str:
    if is_name(term):
        return term
    for ending in _ENDINGS:
        if term.endswith(ending) and len(term) - len(ending) >= _SHORTEST_STEM:
            term = term[: -len(ending)]
            break
    return term[:_PREFIX]


def _find_ends(term: str) -> list[str]:
    # `src/app/auth.py` is `auth.py` to most who speak of it.
    end = term.rpartition("/")[2]
    return [end] if end and end != term else []
