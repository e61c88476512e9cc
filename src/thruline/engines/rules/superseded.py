"""Rules of the user that later words of the user took the place of: a contradiction, told with both places.

By structure: the later sentence denies what the earlier one asks for and asks for something else ("use spaces, not
tabs"), or one denies what the other asks for and they speak of little else. Words in between may well agree ("don't
commit yet" and "always run the tests before a commit"), so what is denied must be most of the rule. Errs on the side
of silence: two rules that stand side by side are read by somebody, one that was taken away wrongly is not.
"""

from collections.abc import Iterator

from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.brief.wording import SAID_OTHERWISE
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.open_threads import CONFLICTS
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.signals.signal import Signal
from thruline.value import dataclass

# The newest so many are told, and so many of the newest are held against each other: each against each.
MOST, MOST_HELD = 3, 400
# What one sentence denies is this much of what the other asks for.
SHARE = 0.4
_DENIAL = ("denial",)
_SETTLING = frozenset(("constraint", "correction", "decision"))
_CLAUSE = compile_later(r"[,;:.!?()\n—–]+(?=\s|\Z)|\s-\s")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence asks for and what it denies: the terms of each, without words that any rule has."""

    wanted: frozenset[str]
    denied: frozenset[str]


class _Sentence:
    """A sentence that is read only as far as somebody asks: most deny nothing, or nothing that others ask for."""

    __slots__ = ("_asked", "_terms", "denies", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # No denial must open its sentence, so one that stands in a clause stands in the sentence.
        self.denies = bool(find_cues(text, _DENIAL))
        self._asked: Asked | None = None
        self._terms: frozenset[str] | None = None

    def read(self) -> Asked:
        """What it asks for and denies."""
        self._asked = self._asked or read_asked(self.text)
        return self._asked

    def has(self, terms: frozenset[str]) -> bool:
        """Whether all these terms stand in it, wherever."""
        if self._terms is None:
            self._terms = frozenset(find_terms(" ".join(self.text.split())))
        return terms <= self._terms


def find_superseded(signals: tuple[Signal, ...]) -> list[tuple[Signal, Signal]]:
    """Each rule with the newest words that took its place, in the order of the rules."""
    told = [one for one in signals if one.by == "human" and one.kind in _SETTLING and not one.withdrawn]
    told = told[-MOST_HELD:]
    rules = [one for one in told if one.kind == "constraint"]
    after = min((rule.line for rule in rules), default=0)
    read = [(one, sentence) for one in told if rules and one.line > after for sentence in _split(one.quote)]
    found: dict[int, tuple[Signal, Signal]] = {}
    for rule in rules:
        for sentence in _split(rule.quote):
            later = [one for one, other in read if _is_after(one, rule) and _takes_place(other, sentence)]
            if later:
                found[id(rule)] = (rule, later[-1])
    return list(found.values())


def build_superseded(pairs: list[tuple[Signal, Signal]]) -> list[Claim]:
    """One claim for each pair: the rule first, then what counts now."""
    return [
        Claim(SAID_OTHERWISE, (_quote(rule), _quote(later)), topic=CONFLICTS, weight=0.6)
        for rule, later in pairs[-MOST:]
    ]


def _takes_place(later: _Sentence, earlier: _Sentence) -> bool:
    """Whether `contradicts`, asked where it can be: what one denies the other must have, whatever it does with it."""
    if later.denies and (denied := later.read().denied):
        return earlier.has(denied) and contradicts(earlier.read(), later.read())
    if not earlier.denies or not (denied := earlier.read().denied):
        return False
    return later.has(denied) and contradicts(earlier.read(), later.read())


def contradicts(earlier: Asked, later: Asked) -> bool:
    """Whether the later sentence takes the place of the earlier one."""
    if _covers(later.denied, earlier.wanted):
        return bool(later.wanted - earlier.wanted) or _covers(earlier.wanted, later.denied)
    return _covers(earlier.denied, later.wanted) and not later.denied


def read_asked(sentence: str) -> Asked:
    """What a sentence asks for and denies: a denial reaches to the end of its clause."""
    wanted: set[str] = set()
    denied: set[str] = set()
    for clause in _CLAUSE.split(sentence):
        words = clause.split()
        # Most clauses deny nothing, and are asked once.
        places = range(len(words)) if find_cues(clause, _DENIAL) else ()
        at = next((at for at in places if _denies(words[at : at + 2])), len(words))
        wanted |= _find_meant(" ".join(words[:at]))
        denied |= _find_meant(" ".join(words[at:]))
    return Asked(frozenset(wanted - denied), frozenset(denied))


def _split(text: str) -> Iterator[_Sentence]:
    for span in split_units(text):
        yield _Sentence(text[span.start : span.end])


def _denies(words: list[str]) -> bool:
    """Whether a denial begins with the first of these words."""
    alone, *after = [bool(find_cues(word, _DENIAL)) for word in words]
    return alone or (not any(after) and bool(find_cues(" ".join(words), _DENIAL)))


def _find_meant(text: str) -> set[str]:
    return {term for term in find_terms(text) if not find_cues(term, ("any_rule", *_DENIAL))}


def _covers(some: frozenset[str], whole: frozenset[str]) -> bool:
    return bool(some) and some <= whole and len(some) >= SHARE * len(whole)


def _is_after(one: Signal, rule: Signal) -> bool:
    return one.source == rule.source and one.line > rule.line


def _quote(signal: Signal) -> Quote:
    return Quote(signal.quote, place(signal.line, source=signal.source, uuid=signal.uuid), "human")
