"""Sentences of a model that are really the transcript's: moved into quotations, where they can do nothing (law 6).

A model that copies a poisoned page into its own words would carry the page's orders out of the fence. What stands word
for word in a record is that record's text, whoever repeats it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from thruline.brief.evidence import Evidence
from thruline.brief.pointer import Pointer, place
from thruline.brief.quote import Quote
from thruline.brief.section import Claim, Section
from thruline.brief.verify import QUOTED

_SENTENCE = re.compile(r"[^.!?。！？]+(?:[.!?](?!\s|\Z)[^.!?。！？]*)*[.!?。！？]*")
# Fewer words are everybody's.
_FEWEST_WORDS = 5
_MOST = 600


def find_copies(sections: Iterable[Section]) -> list[Quote]:
    """The sentences that might be copies: what `Evidence` must look for."""
    claims = (claim for section in sections for claim in section.claims)
    return [quote for claim in claims for _, quote in _find_sentences(claim)][:_MOST]


def lift_copies(sections: Iterable[Section], evidence: Evidence) -> tuple[Section, ...]:
    """The sections with every copied sentence turned into a quotation of the record it stands in."""
    return tuple(
        replace(section, claims=tuple(_lift(claim, evidence) for claim in section.claims)) for section in sections
    )


def _find_sentences(claim: Claim) -> Iterator[tuple[str, Quote]]:
    where = next((pointer for pointer in claim.pointers if pointer.kind == "transcript"), place(1))
    for piece in claim.text.split(QUOTED):
        whole = [piece] if len(_SENTENCE.findall(piece)) > 1 else []
        for sentence in [*whole, *_SENTENCE.findall(piece)]:
            words = sentence.strip().rstrip(".!?")
            if len(words.split()) >= _FEWEST_WORDS or (len(words) > 15 and not words.isascii()):
                yield sentence, Quote(words, replace(where, last=0), "agent")


def _lift(claim: Claim, evidence: Evidence) -> Claim:
    text = claim.text
    quotes: list[Quote] = list(claim.quotes)
    for sentence, quote in _find_sentences(claim):
        found = evidence.find_elsewhere(quote)
        if found and sentence in text:
            at = Pointer("transcript", line=found[0].line, source=found[0].source, uuid=found[0].uuid)
            # Marks in the words stand in the order of the quotations.
            number = text[: text.index(sentence)].count(QUOTED)
            quotes.insert(min(number, len(quotes)), Quote(quote.text, at, found[0].by))
            text = text.replace(sentence, f" {QUOTED} ", 1)
    return (
        replace(claim, text=" ".join(text.split()), quotes=tuple(quotes)) if len(quotes) > len(claim.quotes) else claim
    )
