"""Where the passages of a message begin and end: paragraphs, lists, tables, code, each with the lines before it."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from thruline.brief.quotation.quote import attributes, is_again
from thruline.engines.rules.cues import FAILING, find_plain_cues, is_praise
from thruline.engines.rules.units import is_link, split_units

# Of longer passages the lines that fit are told; a remark at work is as long as this.
LONGEST, LONGEST_REMARK = 900, 400
# A person's message with a block of code in it is told as a whole up to this length.
LONGEST_ASKED = 500
_FENCES = ("```", "~~~")
_LEADS = (":", "：")
_ASKS = ("?", "？")
_MARKS = "*_` "
_PRAISE = ("praise", "cause")
_WALKING = ("narration", "step", "announced", "praise", *FAILING)


def split_standing(text: str, start: int, end: int, gone: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What stands of a passage: each run of its lines that holds nothing of the spans `gone`."""
    fallen = [span for span in gone if span[0] < end and start < span[1]]
    if not fallen:
        yield start, end
        return
    lines = list(_split_lines(text, start, end))
    marks = [measure_shared(*line, fallen) > 0 for line in lines]
    for at in range(len(lines) - 2, -1, -1):
        # A line that leads to others says nothing without the first of them.
        marks[at] = marks[at] or (marks[at + 1] and _is_lead(text[slice(*lines[at])].strip()))
    for mark, run in groupby(range(len(lines)), key=lambda at: marks[at]):
        numbers = [*run]
        if not mark:
            yield lines[numbers[0]][0], lines[numbers[-1]][1]


def _split_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a passage that hold something; a block of code is one line."""
    at, begun = start, -1
    for raw in text[start:end].split("\n"):
        first, at = at, at + len(raw) + 1
        if raw.strip().startswith(_FENCES):
            begun, closing = (-1, begun) if begun >= 0 else (first, -1)
            if closing >= 0:
                yield closing, first + len(raw.rstrip())
        elif begun < 0 and raw.strip():
            yield first, first + len(raw.rstrip())
    if begun >= 0:
        yield begun, end


def find_asked(text: str) -> list[tuple[int, int]]:
    """A person's short message as a whole whose words stand around a block of code: neither says much alone."""
    words = text.strip()
    lines = words.split("\n")
    fenced = [at for at, line in enumerate(lines) if line.startswith(_FENCES)]
    if len(fenced) != 2 or not 0 < fenced[0] < fenced[1] < len(lines) - 1 or len(words) > LONGEST_ASKED:
        return []
    start = text.index(words)
    return [(start, start + len(words))]


def split_passages(text: str) -> list[tuple[int, int]]:
    """Paragraphs, lists, tables and blocks of code, each with the lines that lead to it; without closing questions."""
    found: list[tuple[int, int]] = []
    start, end, at = -1, -1, 0
    fenced = leads = False
    for raw in text.split("\n"):
        first, at = at, at + len(raw) + 1
        bare = raw.strip()
        if bare.startswith(_FENCES):
            fenced = not fenced
        if fenced or (bare and not _is_empty(bare)):
            start = first if start < 0 else start
            end = first + len(raw.rstrip())
            leads = not fenced and _is_lead(bare)
        elif start >= 0 and not leads:
            found.append((start, end))
            start = -1
    if start >= 0 and not leads:
        found.append((start, end))
    cut = [(start, _find_end(text, start, end)) for start, end in found]
    return [(start, end) for start, end in cut if end > start and not _is_question(text[start:end])]


def find_remarks(text: str) -> list[tuple[int, int]]:
    """The part of a message said at work that tells something: from its first such sentence to its last, if short."""
    told = [
        (span.start, span.end)
        for span in split_units(text)
        if text[span.start] != "<" and not find_plain_cues(text[span.start : span.end], _WALKING)
    ]
    while told and told[-1][1] - told[0][0] > LONGEST_REMARK:
        told.pop()
    return [(told[0][0], told[-1][1])] if told else []


def _is_lead(line: str) -> bool:
    bold = line.startswith("**") and line.endswith("**")
    return bold or line.startswith("#") or not line.strip("-*_= ") or line.rstrip(_MARKS).endswith(_LEADS)


def _is_empty(line: str) -> bool:
    """Whether a line is a link alone, praise or a quotation in our own form: what is around it is told without it."""
    words = line.lstrip("-+•> ").removeprefix("* ")
    ours = attributes(words) or is_again(line)
    return not words or ours or is_link(words) or is_praise(words, find_plain_cues(words, _PRAISE))


def _is_question(text: str) -> bool:
    return "\n" not in text and text.rstrip(_MARKS).endswith(_ASKS)


def _find_end(text: str, start: int, end: int) -> int:
    """Where a passage is cut: at its end, or behind a line within its length that leads to nothing; else its start."""
    if end - start <= LONGEST:
        return end
    at = text.rfind("\n", start, start + LONGEST)
    while at > start:
        line = text[text.rfind("\n", start, at) + 1 : at].strip()
        if line and not line.startswith(_FENCES) and not _is_lead(line):
            return at
        at = text.rfind("\n", start, at)
    return start


def measure_shared(start: int, end: int, spans: Iterable[tuple[int, int]]) -> int:
    """How many letters from `start` to `end` stand in these spans."""
    return sum(max(0, min(end, last) - max(start, first)) for first, last in spans)
