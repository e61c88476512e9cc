"""Words of a model that are really the transcript's: moved into quotations, where they can do nothing (law 6).

A model that copies a poisoned page into its own sentences would carry the page's orders out of the fence. What stands
word for word in a record is that record's text, whoever repeats it: a claim that is nothing else, or a long run within
one, becomes a quotation of the record. Shorter runs are how people speak of the same thing, and stay.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from thruline.brief.match import read_texts
from thruline.brief.pointer import place
from thruline.brief.quote import Quote, join_lines
from thruline.brief.section import QUOTED, Claim, Section
from thruline.pattern import compile_later
from thruline.session.parts import Part
from thruline.value import dataclass, replace

# So many words in a row are looked up; scripts without blanks count each sign as a word.
_GRAM = 4
# A run this long is a copy, and so is a shorter one that makes up most of a claim.
_LONG_RUN = 8
_MOST_OF_IT = 0.6
_WORD = compile_later("[\u2e80-\U0003ffff]|[^\\W\u2e80-\U0003ffff]+")
_BORDER = compile_later(r"[.!?。！？](?:\s+|\Z)|\n+")
_NEARBY = 120
_MOST_RECORDS = 400

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Record:
    by: str
    text: str
    line: int
    source: str
    uuid: str
    words: tuple[_Word, ...]


class CopyWatch:
    """Give it each part with `see`; then `lift` turns what was copied into quotations."""

    def __init__(self, sections: Iterable[Section]) -> None:
        texts = [text for section in sections for claim in section.claims for text in (claim.text, claim.topic)]
        self._wanted = {gram for text in texts for gram in _find_grams(_WORD.findall(text.lower()))}
        # Which single words can be part of a copy at all: a cheap look before the dear one.
        self._known = {gram[0] for gram in self._wanted}
        self._found: dict[Gram, list[tuple[_Record, int]]] = {}
        self._records = 0

    def see(self, part: Part) -> None:
        """Takes one part in."""
        if not self._wanted or self._records >= _MOST_RECORDS:
            return
        for by, text in read_texts(part):
            plain = _WORD.findall(text.lower())
            # Most texts share no word that begins a copy: a look at the set is all they cost.
            if self._known.isdisjoint(plain):
                continue
            hits = [(at, gram) for at, gram in enumerate(_find_grams(plain)) if gram in self._wanted]
            words = _find_words(text) if hits else ()
            if len(words) != len(plain):
                continue  # no hit; or a letter whose small form is two, of which no script makes sentences
            record = _Record(by, text, part.line, part.source, part.uuid, words)
            self._records += 1
            for at, gram in hits:
                kept = self._found.setdefault(gram, [])
                if len(kept) < 4:
                    kept.append((record, at))

    def lift(self, sections: Iterable[Section]) -> tuple[Section, ...]:
        """The sections with every copy turned into a quotation; a topic that is one is dropped."""
        return tuple(
            replace(section, claims=tuple(self._lift_claim(claim) for claim in section.claims)) for section in sections
        )

    def _lift_claim(self, claim: Claim) -> Claim:
        topic = "" if self._find_runs(claim.topic)[0] else claim.topic
        runs, whole = self._find_runs(claim.text)
        if not runs:
            return replace(claim, topic=topic)
        if whole:
            # The few words that are left of a copy say nothing without it.
            quotes = tuple(dict.fromkeys([*(quote for _, _, quote in runs), *claim.quotes]))
            return replace(claim, text="", quotes=quotes, topic=topic)
        text, kept = claim.text, list(claim.quotes)
        for start, end, quote in reversed(runs):
            # Marks in the words stand in the order of the quotations.
            kept.insert(min(text[:start].count(QUOTED), len(kept)), quote)
            text = f"{text[:start]} {QUOTED} {text[end:]}"
        text = re.sub(rf"`+ ?{re.escape(QUOTED)} ?`+", QUOTED, " ".join(text.split()))
        return replace(claim, text=text, quotes=tuple(kept), topic=topic)

    def _find_runs(self, text: str) -> tuple[list[tuple[int, int, Quote]], bool]:
        """The copies in a text (from, to, and the words as their record has them), and whether they are most of it."""
        words = _find_words(text)
        runs: list[tuple[int, int, _Record, int]] = []
        at = 0
        while at + _GRAM <= len(words):
            length, record, first = self._match(words, at)
            if length:
                runs.append((at, length, record, first))
            at += length or 1
        whole = sum(length for _, length, _, _ in runs) >= _MOST_OF_IT * len(words)
        lifted = [
            (words[at].start, words[at + length - 1].end, _quote(record, first, length))
            for at, length, record, first in runs
            if whole or length >= _LONG_RUN
        ]
        return lifted, whole

    def _match(self, words: tuple[_Word, ...], at: int) -> tuple[int, _Record, int]:
        best = (0, _NOWHERE, 0)
        for record, first in self._found.get(tuple(word.word for word in words[at : at + _GRAM]), ()):
            length = _GRAM
            while (
                at + length < len(words)
                and first + length < len(record.words)
                and words[at + length].word == record.words[first + length].word
            ):
                length += 1
            if length > best[0]:
                best = (length, record, first)
        return best


def _quote(record: _Record, first: int, length: int) -> Quote:
    start, end = record.words[first].start, record.words[first + length - 1].end
    # A sentence reads better whole; where none begins or ends nearby, the copied words must do.
    before = [match.end() for match in _BORDER.finditer(record.text, max(0, start - _NEARBY), start)]
    after = _BORDER.search(record.text, end, end + _NEARBY)
    start = before[-1] if before else 0 if start <= _NEARBY else start
    end = (
        after.start() + len(after[0].rstrip())
        if after
        else len(record.text)
        if end + _NEARBY > len(record.text)
        else end
    )
    return Quote(
        join_lines(record.text[start:end].strip()),
        place(record.line, source=record.source, uuid=record.uuid),
        record.by,
    )


_NOWHERE = _Record("", "", 0, "", "", ())


def _find_words(text: str) -> tuple[_Word, ...]:
    return tuple(_Word(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text))


def _find_grams(words: Sequence[str]) -> Iterator[Gram]:
    return zip(*(words[shift:] for shift in range(_GRAM)), strict=False)
