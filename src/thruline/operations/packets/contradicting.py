"""Where packets of parallel sessions contradict each other.

A decision of one packet and a rejection of another that speak of the same thing contradict each other, and so do two
of people's words of which one says no, or of which one wants what the other says no to. The same thing: half of the
terms of the shorter text, two at least. A no reaches to the end of its clause. The side it errs on: it is shown and
nobody acts on it, so it says too much rather than too little.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thruline.brief.document import parse_document
from thruline.brief.quotation.quote import Quote
from thruline.engines.rules.terms import find_terms
from thruline.signals.features.text import Text

_SHARE, _FEWEST = 0.5, 2
_HELD = ("Constraints", "Decided", "Landed")
_REJECTED = "Rejected"
# A mark inside a word, as in a path, ends no clause.
_CLAUSE = re.compile(r"[,;:.!?()\n\u2013\u2014]+(?=\s|$)|[\u3002\uff0c\uff1b]")
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two quotations of two packets that cannot both hold; `first` and `second` are the packets' ids."""

    first: str
    one: Quote
    second: str
    other: Quote


@dataclass(frozen=True, slots=True)
class _Said:
    packet: str
    rejected: bool
    refuses: bool
    quote: Quote
    terms: frozenset[str]
    denied: frozenset[str]

    def wants(self, other: "_Said") -> bool:
        """Whether it speaks for something that `other` says no to."""
        return not other.denied.isdisjoint(self.terms - self.denied)


def find_contradictions(ids: Sequence[str], texts: Sequence[str]) -> list[Contradiction]:
    """Every pair of quotations of two packets that contradict each other, each once."""
    said = [one for packet_id, text in zip(ids, texts, strict=True) for one in _find_said(packet_id, text)]
    texts_of = {packet_id: {one.quote.text for one in said if one.packet == packet_id} for packet_id in ids}
    found = []
    for at, one in enumerate(said):
        for other in said[at + 1 :]:
            # What both packets say, they do not disagree about.
            both = one.quote.text in texts_of[other.packet] or other.quote.text in texts_of[one.packet]
            if one.packet == other.packet or both or not _opposes(one, other):
                continue
            shared = len(one.terms & other.terms)
            if shared >= _FEWEST and shared >= _SHARE * min(len(one.terms), len(other.terms)):
                found.append(Contradiction(one.packet, one.quote, other.packet, other.quote))
    return found


def _opposes(one: _Said, other: _Said) -> bool:
    people = one.quote.by == other.quote.by == "human"
    if one.refuses and other.refuses and people:
        return one.wants(other) or other.wants(one)
    if one.rejected and other.rejected:
        return False
    # What an agent proposed and was told not to do, against what stands in the other packet.
    if one.rejected != other.rejected:
        rejected = one if one.rejected else other
        return rejected.quote.by == "agent" or one.refuses != other.refuses
    return one.refuses != other.refuses and people


def _find_said(packet_id: str, text: str) -> Iterator[_Said]:
    document = parse_document(text)
    title = ""
    heads = {placed.first: placed.quote for placed in document.quotes}
    for at, line in enumerate(document.lines):
        if line.startswith(("## ", "### ")):
            title = line.lstrip("#").strip()
        quote = heads.get(at)
        if quote is None or title not in (*_HELD, _REJECTED):
            continue
        read = Text(quote.text)
        negations = read.language.words("negations")
        refuses = not negations.isdisjoint(read.plain)
        denied = _find_denied(quote.text, negations) if refuses else frozenset()
        yield _Said(packet_id, title == _REJECTED, refuses, quote, frozenset(find_terms(quote.text)), denied)


def _find_denied(text: str, negations: frozenset[str]) -> frozenset[str]:
    """The terms that a no stands before, in each clause."""
    denied: set[str] = set()
    for clause in _CLAUSE.split(text.replace("\u2019", "'")):
        ends = [word.end() for word in _WORD.finditer(clause) if word[0].lower() in negations]
        if ends:
            denied.update(find_terms(clause[ends[0] :]))
    return frozenset(denied)
