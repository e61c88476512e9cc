"""Words of a model that are really the transcript's: moved into quotations, where they can do nothing (law 6).

A model that copies a poisoned page into its own sentences would carry the page's orders out of the fence. What stands
word for word in a record is that record's text, whoever repeats it: a sentence or a clause that is nothing else becomes
a quotation of the record. What says something of its own stays as it is, to the last word: cut out of its middle, words
of a record take a "not" with them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from thruline.brief.attempts.inert import blank_spans, find_spans
from thruline.brief.model.whole import find_whole
from thruline.brief.pointer import place
from thruline.brief.quotation.match import read_texts
from thruline.brief.quotation.quote import Quote, join_lines
from thruline.brief.quotation.turning import turns
from thruline.brief.section import QUOTED, Claim, Section
from thruline.pattern import compile_later
from thruline.session.parts import Part
from thruline.value import dataclass, replace

# So many words in a row are looked up; scripts without blanks count each sign as a word.
_GRAM = 4
# A part of a claim is a copy where it has so many.
_LONG_RUN = 8
# So many words beside a copy say something of it ("… was never answered"), and so does one that is no small one.
_FEWEST_LEFT = 3
_LONGEST_LEFT = 4
# Copies out of one record with so little between them are one passage: in the claim, and in the record.
_GAP, _RECORD_GAP = 2, 25
_WORD = compile_later("[\u2e80-\U0003ffff]|[^\\W\u2e80-\U0003ffff]+")
# A path or what code calls something; what has other signs may be a sentence, or a call.
_NAME = compile_later(r"`+[A-Za-z0-9_./~@+:<>()$*-]+`+\Z")
_BEFORE_SIGN = compile_later(r"(\(quoted below\)) (?=[.,;:!?)])")
# What a part of a claim ends with: a sentence, or a clause.
_BORDERS = (
    compile_later(rf"{re.escape(QUOTED)}|[.!?](?=\s)|[。！？]"),
    compile_later(rf"{re.escape(QUOTED)}|[;:](?=\s)|[；：]|\s[—–-](?=\s)"),
)
_SENTENCE_END = compile_later(r"[`\"'”’)*_]{0,3}[.!?](?=[ \t])")
_CLAUSE_END = compile_later(r"[`\"'”’)*_]{0,3}(?:[.!?;:]|\s[—–-](?=\s))")
_SIGNS = " .!?;:。！？；：—–-"
_MOST_RECORDS = 400

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    """A word and where it stands; `weight` is its share of a name in a code span, which counts as one word.

    `ends` where a sentence ends behind it; of a claim also where a clause does.
    """

    word: str
    start: int
    end: int
    weight: float = 1.0
    ends: bool = False


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
        # A heading says nothing of what is copied into it.
        topic = "" if any(self._find_runs(_find_words(claim.topic))) else claim.topic
        text, kept = claim.text, list(claim.quotes)
        for start, end, quotes in reversed(list(self._find_copies(text, 0, len(text)))):
            # Marks in the words stand in the order of the quotations; several of one passage share theirs.
            at = min(text[:start].count(QUOTED), len(kept))
            kept[at:at] = quotes
            text = f"{text[:start]} {' '.join([QUOTED] * len(quotes))} {text[end:]}"
        text = _BEFORE_SIGN.sub(r"\1", " ".join(text.split()))
        said = re.search(r"\w", text.replace(QUOTED, ""))
        return replace(claim, text=text if said else "", quotes=tuple(dict.fromkeys(kept)), topic=topic)

    def _find_copies(
        self, text: str, start: int, end: int, borders: Sequence["re.Pattern[str]"] = _BORDERS
    ) -> Iterator[tuple[int, int, list[Quote]]]:
        """The parts of a text that are nothing but copies, as large as they come: from, to, and the record's words."""
        # Within a claim of its own words a few of somebody else's are how people speak of the same thing.
        whole = not re.search(r"\w", text[:start] + text[end:])
        quotes = self._read_copy(text[start:end], _GRAM if whole else _LONG_RUN)
        if quotes:
            words = text[start:end].rstrip(_SIGNS)
            yield start + len(words) - len(words.lstrip()), start + len(words), quotes
        elif borders:
            parts = [start, *_find_borders(text, start, end, borders[0]), end]
            for first, last in pairwise(parts):
                yield from self._find_copies(text, first, last, borders[1:])

    def _read_copy(self, text: str, fewest: int) -> list[Quote]:
        """What a part of a claim is copied from; nothing where it says anything of its own."""
        words = _find_words(text, named=True)
        runs = list(self._find_runs(words))
        spans = [(start, start + len(span)) for start, span in find_spans(text)]
        names = [inside for inside in _find_inside(words, spans) if len(inside) > 1 and words[inside[0]].weight < 1]
        runs = [kept for run in runs if (kept := _keep_names(run, words, names)) is not None]
        copied = {at for run in runs for at in range(run.at, run.end)}
        left = {word.word for at, word in enumerate(words) if at not in copied}
        if sum(_weigh(words[run.at : run.end]) for run in runs) < fewest or len(left) >= _FEWEST_LEFT:
            return []
        own = left.difference(*([word.word for word in run.record.words] for run in runs))
        if max(map(len, own), default=0) > _LONGEST_LEFT or turns(" ".join(left)):
            return []
        quotes = [_quote(run.record, run.first, run.length) for run in _join_runs(runs)]
        return list(dict.fromkeys(quote for quote in quotes if quote is not None)) if all(quotes) else []

    def _find_runs(self, words: tuple[_Word, ...]) -> Iterator[_Run]:
        at = 0
        while at + _GRAM <= len(words):
            length, record, first = self._match(words, at)
            if length:
                yield _Run(at, length, record, first)
            at += length or 1

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
            length = _stop_at_end(words[at : at + length], record.words[first : first + length])
            if length > best[0]:
                best = (length, record, first)
        return best


def _stop_at_end(words: Sequence[_Word], said: Sequence[_Word]) -> int:
    """How many words are copied before the record ends a sentence that the claim goes on with."""
    ends = (at for at in range(1, len(said)) if said[at - 1].ends and not words[at - 1].ends)
    length = next(ends, len(said))
    return length if length >= _GRAM else 0


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


def _quote(record: _Record, first: int, length: int) -> Quote | None:
    """The sentences that a run of words stands in; None where they are too long for that."""
    whole = find_whole(record.text, record.words[first].start, record.words[first + length - 1].end)
    if whole is None:
        return None
    text = join_lines(record.text[slice(*whole)].strip())
    return Quote(text, place(record.line, source=record.source, uuid=record.uuid), record.by)


def _find_borders(text: str, start: int, end: int, border: "re.Pattern[str]") -> Iterator[int]:
    for match in border.finditer(blank_spans(text), start, end):
        yield from (match.span() if match[0] == QUOTED else (match.end(),))


_NOWHERE = _Record("", "", 0, "", "", ())


def _find_words(text: str, *, named: bool = False) -> tuple[_Word, ...]:
    end = _CLAUSE_END if named else _SENTENCE_END
    words = [
        _Word(match[0].lower(), match.start(), match.end(), ends=end.match(text, match.end()) is not None)
        for match in _WORD.finditer(text)
    ]
    named_spans = [(start, start + len(span)) for start, span in find_spans(text) if _NAME.match(span)] if named else []
    for inside in _find_inside(words, named_spans):
        # A path is one name, however many words it is made of.
        for at in inside if len(inside) > 1 else ():
            words[at] = replace(words[at], weight=1 / len(inside))
    return tuple(words)


def _find_grams(words: Sequence[str]) -> Iterator[Gram]:
    return zip(*(words[shift:] for shift in range(_GRAM)), strict=False)
