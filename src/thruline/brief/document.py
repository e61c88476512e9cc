"""A markdown file that holds quotations of ours, read back line by line: a brief, a packet, a fork.

Everything is told by its line, so that a repair touches no other. Quotations and pointers count anywhere outside code
blocks; that a claim needs a source is asked only below the five headings of a brief.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from thruline.brief.attempts.inert import blank_spans, find_spans, parse_span
from thruline.brief.claims.attributed import find_attributed, find_speaker, is_said
from thruline.brief.claims.stray import check_headings, find_strays, is_brief
from thruline.brief.pointer import Pointer, parse_pointer
from thruline.brief.quotation.quote import Placed, looks_quoted, parse_quote
from thruline.brief.quotation.speech import SAID, SENTENCE, count_words, find_quoted
from thruline.brief.section import HEADINGS, NAMES, UNSOURCED, Source
from thruline.brief.sources import HEADING as SOURCES_HEADING
from thruline.brief.sources import add_told, find_engines, parse_sources
from thruline.errors import UsageError
from thruline.pattern import compile_later
from thruline.value import dataclass, field

_RULES = frozenset(("rules",))
_FENCE = compile_later(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Inline:
    """A pointer in a line: the code span `text` at `start`."""

    pointer: Pointer
    line: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words in quotation marks within a claim's own words, at `start` of `line`, the marks included.

    `by` is who is said to have said them, "" where the line does not tell.
    """

    words: str
    line: int
    start: int
    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim below one of the five headings: its lines (0-based), and whether it says where it comes from."""

    section: str
    first: int
    last: int
    sourced: bool
    marked: bool


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, with the place of each thing. `outside` are the lines that are no part of a quotation.

    `strays` are the lines of a brief that have no place in one, `headings` what is wrong with its five headings,
    `sections` which of the five each line belongs to, `made_by` the engines that the
    Sources name, or the rules where they name none.
    """

    lines: tuple[str, ...]
    quotes: tuple[Placed, ...]
    malformed: tuple[int, ...]
    pointers: tuple[Inline, ...]
    spoken: tuple[Spoken, ...]
    claims: tuple[Stated, ...]
    sources: tuple[Source, ...]
    outside: tuple[int, ...]
    strays: tuple[int, ...] = ()
    headings: tuple[tuple[int, str], ...] = ()
    is_brief: bool = True
    sections: Mapping[int, str] = field(default_factory=dict)
    made_by: frozenset[str] = frozenset()

    def find_quotes(self, claim: Stated) -> tuple[Placed, ...]:
        """The quotations of a claim. They stand in the order of their lines, so no other is looked at."""
        first = bisect_left(self.quotes, claim.first, key=lambda placed: placed.first)
        return self.quotes[first : bisect_left(self.quotes, claim.last + 1, first, key=lambda placed: placed.first)]

    def find_pointers(self, claim: Stated) -> tuple[Inline, ...]:
        """The pointers in a claim's own lines."""
        first = bisect_left(self.pointers, claim.first, key=lambda inline: inline.line)
        return self.pointers[first : bisect_left(self.pointers, claim.last + 1, first, key=lambda inline: inline.line)]


def parse_document(text: str) -> Document:
    """Reads a file's text; nothing in it is an error."""
    lines = text.split("\n")
    plain = [line.removesuffix("\r") for line in lines]
    quotes, malformed, outside = _find_quotes(plain)
    named = _find_sections(plain, outside)
    pointers = tuple(
        inline for at in outside if named.get(at) != SOURCES_HEADING for inline in _find_pointers(plain, at)
    )
    claims = tuple(_find_claims(plain, named, quotes, {inline.line for inline in pointers}))
    strays = tuple(find_strays(plain, outside))
    open_lines = frozenset(outside)
    brief = is_brief(plain, outside)
    # One that does not say who made it is read as strictly as one by the rules: that line is easily taken out.
    made_by = find_engines(plain) or (_RULES if brief and set(NAMES) <= set(named.values()) else frozenset())
    inside = [at for claim in claims for at in range(claim.first, claim.last + 1) if at in open_lines]
    return Document(
        lines=tuple(lines),
        quotes=tuple(quotes),
        malformed=tuple(malformed),
        pointers=pointers,
        spoken=tuple(
            _find_all_spoken(plain, inside, [at for at in outside if named.get(at) in NAMES and at not in strays])
        ),
        claims=claims,
        sources=add_told(parse_sources(plain), (plain[claim.first].removeprefix("- ") for claim in claims)),
        outside=tuple(outside),
        strays=strays,
        headings=tuple(check_headings(plain, outside)),
        is_brief=brief,
        sections=_spread(named, len(lines)),
        made_by=made_by,
    )


def _spread(named: dict[int, str], count: int) -> dict[int, str]:
    """The section of each line, those of quotations too; nothing for what stands in none of the five."""
    spread: dict[int, str] = {}
    name = ""
    for at in range(count):
        name = named.get(at, name)
        if name in NAMES:
            spread[at] = name
    return spread


def _find_quotes(lines: list[str]) -> tuple[list[Placed], list[int], list[int]]:
    quotes: list[Placed] = []
    malformed: list[int] = []
    outside: list[int] = []
    fence = ""
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if fence:
            if opening and opening[1].startswith(fence) and not lines[at].strip().strip(fence[0]):
                fence = ""
            outside.append(at)
        elif placed := parse_quote(lines, at, _find_above(quotes, at)):
            quotes.append(placed)
            at += placed.count
            continue
        else:
            fence = opening[1] if opening else ""
            if looks_quoted(lines[at]):
                malformed.append(at)
            outside.append(at)
        at += 1
    return quotes, malformed, outside


def _find_above(quotes: list[Placed], at: int) -> Placed | None:
    """The quotation that ends right above a line."""
    return quotes[-1] if quotes and quotes[-1].first + quotes[-1].count == at else None


def _find_sections(lines: list[str], outside: list[int]) -> dict[int, str]:
    """Which of the five sections (or the Sources) each line outside a quotation belongs to."""
    named: dict[int, str] = {}
    name = ""
    fence = ""
    for at in outside:
        line = lines[at]
        opening = _FENCE.match(line)
        if opening and not fence:
            fence = opening[1]
        elif opening and opening[1].startswith(fence):
            fence = ""
        elif not fence and re.match(r"#{1,2} ", line):
            heading = line.rstrip()
            name = SOURCES_HEADING if heading == SOURCES_HEADING else HEADINGS.get(heading, "")
        named[at] = "" if fence or opening else name
    return named


def _find_pointers(lines: list[str], at: int) -> Iterator[Inline]:
    for start, span in find_spans(lines[at]):
        try:
            pointer = parse_pointer(parse_span(span) or "")
        except UsageError:
            continue
        yield Inline(pointer, at, start, span)


def _find_all_spoken(lines: list[str], claims: list[int], sections: list[int]) -> Iterator[Spoken]:
    for at in claims:
        yield from find_spoken(lines[at], at)
    # A statement or a topic can put words into a mouth as well as a claim can.
    for at in sections:
        for one in find_attributed(lines[at]):
            yield Spoken(one.words, at, one.start, one.text, one.by)


def find_spoken(line: str, at: int = 0) -> Iterator[Spoken]:
    """Sentences in quotation marks, outside code spans."""
    blank = blank_spans(line)
    for start, end, _ in find_quoted(blank):
        words = line[start + 1 : end - 1]
        count = count_words(words)
        if count >= SENTENCE or (count >= SAID and is_said(blank, start, end)):
            yield Spoken(words.strip(), at, start, line[start:end], find_speaker(blank, start, end))


def _find_claims(lines: list[str], named: dict[int, str], quotes: list[Placed], pointed: set[int]) -> Iterator[Stated]:
    starts = {placed.first: placed for placed in quotes}
    at = 0
    section = ""
    while at < len(lines):
        section = named.get(at, section if at in starts else "")
        inside = section and section != SOURCES_HEADING
        if not inside or not _is_claim(lines[at]):
            at += starts[at].count if at in starts else 1
            continue
        first = at
        sourced, marked = at in starts, UNSOURCED in lines[at]
        while at < len(lines) and (at == first or _goes_on(lines[at], at in starts)):
            sourced |= at in starts or at in pointed
            marked |= UNSOURCED in lines[at]
            at += starts[at].count if at in starts else 1
        yield Stated(section, first, at - 1, sourced, marked)


def _is_claim(line: str) -> bool:
    text = line.strip()
    # One that is none of ours is told as a stray.
    statement = len(text) > 2 and text[0] == text[-1] == "_"
    return bool(text) and not text.startswith(("#", "<!--", "---")) and not statement


def _goes_on(line: str, quoted: bool) -> bool:
    # A quotation below a claim belongs to it unless it is an item of its own.
    if line.lstrip().startswith("- >"):
        return False
    return quoted or line.startswith("  ") or (bool(line.strip()) and not line.startswith(("- ", "* ", "#", "_")))
