"""What a chunk's summary gives as the user's words and as places, held against the chunk itself.

A model wrote it. What stands under the heading of its prompt and was said there becomes a quotation; what was not, and
places that the chunk does not have, are marked: whoever reads the spine never sees the chunk.
"""

import re

from thruline.brief.document import find_spoken
from thruline.brief.pointer import place
from thruline.brief.quotation.match import match_words
from thruline.brief.quotation.quote import CUT, Quote
from thruline.brief.quotation.speech import count_words, find_quoted
from thruline.brief.section import QUOTED, UNSOURCED
from thruline.value import dataclass

UNPROVED = "given as the user's words, unproved:"
NO_PLACE = "[not in this chunk]"
_HEADING = re.compile(r"\s*#{1,6}\s*User corrections(?: \(verbatim\))?:?\s*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s*[-*+]\s+")
_LABEL = re.compile(r"(?:([a-z]\d+):)?L(\d+) (.*)")
_PLACE = re.compile(
    r"`?(?:transcript:(?:(?P<source>[a-z]\d+):)?L(?P<first>\d+)(?:-L(?P<last>\d+))?"
    r"|commit:(?P<commit>[0-9a-f]{4,64}))\b`?"
)
_ANSWER = "→ "
# Beside a quotation so many words say something of their own.
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of a chunk: what people and the agent said in it, each with its source and line, and its lines."""

    text: str
    said: tuple[tuple[str, str, int, str], ...]
    lines: dict[str, tuple[int, int]]


def parse_chunk(text: str) -> Chunk:
    """Reads a chunk as `prepare` wrote it."""
    said: list[tuple[str, str, int, str]] = []
    lines: dict[str, tuple[int, int]] = {}
    for entry in re.split(r"\n(?! {2}|\Z)", text):
        head, _, body = entry.partition("\n")
        match = _LABEL.match(head)
        if match is None:
            continue
        source, line = match[1] or "", int(match[2])
        first, last = lines.get(source, (line, line))
        lines[source] = min(first, line), max(last, line)
        words = "\n".join(row.removeprefix("  ") for row in body.split("\n"))
        by = "human" if match[3].startswith("human") else "agent"
        said.append((by, source, line, words))
        if match[3].startswith("agent asks"):
            said.append(("human", source, line, words.rpartition(f"\n{_ANSWER}")[2]))
    return Chunk(text, tuple(said), lines)


def prove_summary(text: str, chunk: Chunk | None) -> tuple[list[str], list[Quote]]:
    """The lines of a summary without what it quotes of the user's words, and these words, as far as they are proved.

    Without the chunk nothing is proved.
    """
    lines: list[str] = []
    quotes: list[Quote] = []
    inside = False
    for line in text.split("\n"):
        if _HEADING.match(line):
            inside = True
            continue
        inside = inside and not line.lstrip().startswith("#")
        if not inside or not line.strip():
            lines.append(line)
            continue
        quote, rest = _prove(_ITEM.sub("", line, count=1).strip(), chunk)
        quotes += [quote] if quote is not None else []
        lines += [f"- {rest}"] if rest else []
    return lines, quotes


def _prove(words: str, chunk: Chunk | None) -> tuple[Quote | None, str]:
    """The quotation that an item is, and what else it says; an item that nobody said is all of it, and marked."""
    bare = _PLACE.sub("", words).replace("()", "").strip()
    spans = [(start, end) for start, end, _ in find_quoted(bare)]
    told = [(bare[start + 1 : end - 1], bare[:start] + QUOTED + bare[end:]) for start, end in spans] or [(bare, "")]
    # Nearest to the place that it names: the same may have been said twice.
    lines = [int(match["first"]) for match in _PLACE.finditer(words) if match["first"]]
    for inner, rest in told:
        quote = _find(inner.replace("...", CUT), lines, chunk)
        if quote is not None:
            return quote, rest if count_words(rest.replace(QUOTED, " ")) >= _FEWEST_WORDS else ""
    return None, f"{UNPROVED} {words} {UNSOURCED}"


def _find(words: str, lines: list[int], chunk: Chunk | None) -> Quote | None:
    said = [one for one in chunk.said if one[0] == "human"] if chunk is not None and count_words(words) else []
    for _, source, line, text in sorted(said, key=lambda one: min([abs(one[2] - at) for at in lines], default=0)):
        found = match_words(words, text)
        if found is not None:
            return Quote(found, place(line, source=source))
    return None


def mark_line(line: str, chunk: Chunk | None) -> str:
    """A line of a summary with a mark where it names a place, or gives words as somebody's, that the chunk has not."""
    if chunk is None:
        return line
    marked = _PLACE.sub(lambda match: match[0] if _has(match, chunk) else f"{match[0]} {NO_PLACE}", line)
    given = any(not _was_said(spoken.words, spoken.by, chunk) for spoken in find_spoken(line) if spoken.by)
    return f"{marked} {UNSOURCED}" if given and UNSOURCED not in line else marked


def _was_said(words: str, by: str, chunk: Chunk) -> bool:
    told = words.replace("...", CUT)
    return any(match_words(told, text) is not None for who, _, _, text in chunk.said if who == by)


def _has(match: "re.Match[str]", chunk: Chunk) -> bool:
    if match["commit"]:
        return match["commit"][:7] in chunk.text
    first, last = chunk.lines.get(match["source"] or "", (0, 0))
    return first <= int(match["first"]) and int(match["last"] or match["first"]) <= last
