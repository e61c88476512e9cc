"""Words of a model that are really the transcript's: moved into quotations, where they can do nothing (law 6).

A model that copies a poisoned page into its own sentences would carry the page's orders out of the fence. What stands
word for word in a record is that record's text, whoever repeats it: a claim that is nothing else, or a long run within
one, becomes a quotation of the record. Shorter runs are how people speak of the same thing, and stay.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from thruline.brief.inert import find_spans
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
# So many words beside a copy say something of it ("… was never answered").
_FEWEST_LEFT = 3
# Copies out of one record with so little between them are one passage: in the claim, and in the record.
_GAP, _RECORD_GAP = 2, 25
_WORD = compile_later("[\u2e80-\U0003ffff]|[^\\W\u2e80-\U0003ffff]+")
# A path or what code calls something; what has other signs may be a sentence, or a call.
_NAME = compile_later(r"`+[A-Za-z0-9_./~@+:<>()$*-]+`+\Z")
_BEFORE_SIGN = compile_later(r"(\(quoted below\)) (?=[.,;:!?)])")
_BORDER = compile_later(r"[.!?。！？](?:\s+|\Z)|\n+")
_NEARBY = 120
_MOST_RECORDS = 400

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word and where it stands; `weight` is its share of a name in a code span, which counts as one word."""

    word: str
    start: int
    end: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class _Record:
    by: str
    text: str
    line: int
    source: str
    uuid: str
    words: tuple[_Word, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """So many words from `at` of a claim that are those of a record from `first`; there they may be more."""

    at: int
    count: int
    record: _Record
    first: int
    more: int = 0

    @property
    def end(self) -> int:
        return self.at + self.count

    @property
    def length(self) -> int:
        return self.more or self.count


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
        return replace(claim, text=_BEFORE_SIGN.sub(r"\1", text), quotes=tuple(kept), topic=topic)

    def _find_runs(self, text: str) -> tuple[list[tuple[int, int, Quote]], bool]:
        """The copies in a text (from, to, and the words as their record has them), and whether they are all of it."""
        words = _find_words(text, named=True)
        runs: list[_Run] = []
        at = 0
        while at + _GRAM <= len(words):
            length, record, first = self._match(words, at)
            if length:
                runs.append(_Run(at, length, record, first))
            at += length or 1
        spans = [(start, start + len(span)) for start, span in find_spans(text)]
        names = [inside for inside in _find_inside(words, spans) if len(inside) > 1 and words[inside[0]].weight < 1]
        runs = [kept for run in runs if (kept := _keep_names(run, words, names)) is not None]
        total, copied = _weigh(words), sum(_weigh(words[run.at : run.end]) for run in runs)
        most = copied >= _MOST_OF_IT * total
        runs = _join_runs(runs) if most else [run for run in runs if _weigh(words[run.at : run.end]) >= _LONG_RUN]
        left = total - sum(_weigh(words[run.at : run.end]) for run in runs)
        lifted = [
            (words[run.at].start, words[run.end - 1].end, _quote(run.record, run.first, run.length)) for run in runs
        ]
        return [_widen(one, spans) for one in lifted], most and left < _FEWEST_LEFT

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


def _weigh(words: Sequence[_Word]) -> float:
    return sum(word.weight for word in words)


def _find_inside(words: Sequence[_Word], spans: Sequence[tuple[int, int]]) -> list[range]:
    """Which words stand in each of some places of a text."""
    starts = [word.start for word in words]
    return [range(bisect_left(starts, start), bisect_left(starts, end)) for start, end in spans]


def _keep_names(run: _Run, words: Sequence[_Word], names: Sequence[range]) -> _Run | None:
    """The run without names that are only in part in it: half a name says nothing; None where nothing is left."""
    first, last = run.at, run.end
    for inside in names:
        if inside[0] < first <= inside[-1]:
            first = inside[-1] + 1
        if inside[0] < last <= inside[-1]:
            last = inside[0]
    if last - first < 1 or _weigh(words[first:last]) < _GRAM:
        return None
    return replace(run, at=first, count=last - first, first=run.first + first - run.at)


def _join_runs(runs: Sequence[_Run]) -> list[_Run]:
    joined: list[_Run] = []
    for run in runs:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.record is run.record
            and run.at - before.end <= _GAP
            and 0 <= run.first - (before.first + before.length) <= _RECORD_GAP
        ):
            more = run.first + run.length - before.first
            joined[-1] = replace(before, count=run.end - before.at, more=more)
        else:
            joined.append(run)
    return joined


def _widen(lifted: tuple[int, int, Quote], spans: Sequence[tuple[int, int]]) -> tuple[int, int, Quote]:
    """The place of a copy with the marks of the code spans that it begins and ends in."""
    first, last, quote = lifted
    for start, end in spans:
        first = start if start < first < end else first
        last = end if start < last < end else last
    return first, last, quote


def _quote(record: _Record, first: int, length: int) -> Quote:
    start, end = record.words[first].start, record.words[first + length - 1].end
    # A sentence reads better whole; where none begins or ends nearby, the copied words must do.
    before = [match.end() for match in _BORDER.finditer(record.text, max(0, start - _NEARBY), start)]
    after = _BORDER.search(record.text, end, end + _NEARBY)
    start = before[-1] if before else 0 if start <= _NEARBY else _find_blank(record.text, start, -1)
    end = (
        after.start() + len(after[0].rstrip())
        if after
        else len(record.text)
        if end + _NEARBY > len(record.text)
        else _find_blank(record.text, end, 1)
    )
    return Quote(
        join_lines(record.text[start:end].strip()),
        place(record.line, source=record.source, uuid=record.uuid),
        record.by,
    )


_NOWHERE = _Record("", "", 0, "", "", ())


def _find_blank(text: str, at: int, step: int) -> int:
    """The end of the word with its signs that `at` stands at, so that no name is torn."""
    for end in range(at, at + _NEARBY * step, step):
        if text[end - 1 if step < 0 else end].isspace():
            return end
    return at


def _find_words(text: str, *, named: bool = False) -> tuple[_Word, ...]:
    words = [_Word(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text)]
    named_spans = [(start, start + len(span)) for start, span in find_spans(text) if _NAME.match(span)] if named else []
    for inside in _find_inside(words, named_spans):
        # A path is one name, however many words it is made of.
        for at in inside if len(inside) > 1 else ():
            words[at] = replace(words[at], weight=1 / len(inside))
    return tuple(words)


def _find_grams(words: Sequence[str]) -> Iterator[Gram]:
    return zip(*(words[shift:] for shift in range(_GRAM)), strict=False)
