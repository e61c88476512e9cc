"""A text as the units a brief can quote: sentences and list items, each an exact piece of the text.

Code blocks, tables' rules and bare headings are no units: they say nothing alone. Nor are quotations in our own form:
within one of a brief's, nobody could tell who vouches for their source. Erring side: two sentences taken for
one cost a few words, one cut in half would be misquoted in spirit.
"""

import re
from functools import lru_cache

from thruline.brief.quotation.quote import attributes, is_again
from thruline.pattern import compile_later
from thruline.value import dataclass

_FENCES = ("```", "~~~")
_LEAD = compile_later(r"\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|>\s*)*(?:\[[ xX]\]\s+)?")
_HEADING = compile_later(r"\s*#{1,6}\s")
# A line that is bold from end to end, with no stop: what stands below it says it.
_BOLD = compile_later(r"(\*\*|__)(?:(?!\1)[^\n])+?(?<![.!?。！？]):?\1:?")
_RULE = compile_later(r"[\s|:*_=-]*\Z")
# A sentence ends at a stop followed by a blank and something that can begin one; at any full-width stop. One set of
# signs comes first: a search skips to those, and tries nothing before them.
_STOP = compile_later(
    r"[.!?…。！？](?:(?<=[。！？])|(?<![。！？])([\"'”’)\]`*_]*)\s+"
    r"(?=[\"'“‘(\[`*_]*[^\W\d_a-zß-öø-ÿа-я]|\d|[`*_]+\w))"
)
_NO_STOP = compile_later(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no|[A-Z]|\d{1,2})\.[)\]]*\Z")
# A place to read more says nothing by itself.
_LINK = compile_later(r"!?\[[^\]\n]*\]\(\S+\)[.,;)]?|<?https?://\S+>?")
# "**Option 1: …**", "**2. …**", "**B) …**".
_OPTION = compile_later(
    r"^[ \t]*\*\*((?:[^\W\d_]+ )?(?:\d{1,2}|[A-Z])[.):]? [^*\n]{3,100}?):?\*\*:?[ \t]*$", re.MULTILINE
)
SHORTEST = 3
LONGEST = 600


@dataclass(slots=True)
class Span:
    """`text[start:end]` of a message. `item` is true of a list item, `line` counts lines that hold units.

    Not frozen: thousands are made, and a frozen one takes twice as long.
    """

    start: int
    end: int
    item: bool
    line: int
    heading: str = ""


def is_link(text: str) -> bool:
    """Whether a unit is a link and nothing else."""
    return text[0] in "![<h" and _LINK.fullmatch(text) is not None


def find_options(text: str) -> list[tuple[int, int]]:
    """The bold lines of a text that number what may be chosen, two of them or more, without their marks."""
    found = [(match.start(1), match.end(1)) for match in _OPTION.finditer(text)] if "**" in text else []
    return found if len(found) > 1 else []


# Several rules read the same messages.
@lru_cache(maxsize=1024)
def split_units(text: str) -> tuple[Span, ...]:
    """The units of a text in order."""
    found: list[Span] = []
    fenced = False
    heading = ""
    quoted = False
    at = 0
    number = 0
    for raw in text.split("\n"):
        start, at = at, at + len(raw) + 1
        bare = raw.strip()
        if bare.startswith(_FENCES):
            fenced = not fenced
            continue
        quoted = bare[:1] == ">" and quoted  # the lines of its words
        if fenced or quoted or not bare:
            continue
        begin, item = start + raw.index(bare[0]), False
        if not bare[0].isalpha():  # most lines begin with a word
            if _RULE.match(raw):
                if bare[0] == "|" and found and found[-1].line == number and text[found[-1].start] == "|":
                    found.pop()  # the names of a table's columns
                continue
            if _HEADING.match(raw):
                heading = bare.lstrip("#").strip()
                continue
            if bare.startswith(("**", "__")) and _BOLD.fullmatch(bare):
                heading = bare.strip("*_: ")
                continue
            if is_again(raw):
                quoted = True
                continue
            lead = _LEAD.match(raw)
            assert lead is not None
            begin, item = start + lead.end(), bool(lead.group().strip())
        if attributes(text[begin : start + len(raw)]):
            quoted = True
            continue
        number += 1
        found += [Span(first, last, item, number, heading) for first, last in _sentences(text, begin, start + len(raw))]
    return tuple(found)


def _sentences(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    first = begin
    for stop in _STOP.finditer(text, begin, end):
        after = stop.start() + 1
        if _NO_STOP.search(text, max(begin, after - 8), after):
            continue
        pieces.append((first, max(stop.end(1), after)))
        first = stop.end()
    pieces.append((first, end))
    trimmed = [_trim(text, start, _cut(text, start, end)) for start, end in pieces]
    return [(a, b) for a, b in trimmed if b - a >= SHORTEST]


def _cut(text: str, start: int, end: int) -> int:
    # What has no stop for so long is a log or a list; its beginning tells which.
    if end - start <= LONGEST:
        return end
    at = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
    return at if at > 0 else start + LONGEST


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    # Half a pair of marks is left where a sentence ends inside bold words.
    if text.count("**", start, end) == 1:
        if text.startswith("**", start):
            start += 2
        elif text.endswith("**", start, end):
            end -= 2
    return start, end
