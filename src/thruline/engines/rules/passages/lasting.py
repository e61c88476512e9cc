"""What of a summary holds whenever it is read: not what was being done, and what was left, when it was written.

Where the session itself tells what it was before, only what went wrong and what was decided is worth saying twice. The
side it errs on: an item that may speak of that moment is left out, with what stands below it.
"""

from collections.abc import Iterator

from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.passages.split import split_passages, split_standing
from thruline.pattern import compile_later

_FENCES = ("```", "~~~")
# A heading stands at the margin: with marks, in bold, or numbered and with a colon behind it.
_HEADING = compile_later(
    r"(?:#{1,6}[ \t]+\S.*|(?:\d{1,2}[.)][ \t]+)?\*\*[^*]+\*\*:?[ \t]*|\d{1,2}[.)][ \t]+[^:]{3,60}:[ \t]*)\Z"
)
_OF_THEN, _LESSONS = ("of_then",), ("of_lessons",)
_SECTIONS = ("of_then", "listed_left")


def find_lasting(text: str, *, known: bool) -> list[tuple[int, int]]:
    """The passages of a summary that do not tell how things stood then; where the rest is `known`, only the lessons."""
    headed = [(text[start:end].partition("\n")[0], start, end) for start, end in _split_sections(text)]
    lessons = known and any(find_cues(head, _LESSONS) for head, *_ in headed)
    kept = [
        (start, end)
        for head, start, end in headed
        if not find_cues(head, _SECTIONS) and (not lessons or find_cues(head, _LESSONS))
    ]
    gone = [item for start, end in kept for item in _find_then(text, start, end)]
    parts = [part for start, end in split_passages(text) for part in split_standing(text, start, end, gone)]
    runs = [(max(start, first), min(end, last)) for start, end in parts for first, last in kept]
    return [(start, end) for start, end in runs if _tells(text[max(start, 0) : max(end, 0)])]


def _split_sections(text: str) -> Iterator[tuple[int, int]]:
    """Each heading with what stands below it, and what stands before the first."""
    begun = 0
    for start, line in _read_lines(text, 0, len(text)):
        if start > begun and _HEADING.match(line):
            yield begun, start
            begun = start
    yield begun, len(text)


def _find_then(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The items that speak of that moment, each with the deeper lines that belong to it."""
    below = -1
    for start, line in _read_lines(text, first, last):
        depth = len(line) - len(line.lstrip())
        if below < 0 or depth <= below:
            below = depth if find_cues(line, _OF_THEN) else -1
        if below >= 0:
            yield start, start + len(line.rstrip())


def _read_lines(text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The lines that hold something, each with its place, without blocks of code."""
    fenced = False
    at = first
    for line in text[first:last].split("\n"):
        if line.strip().startswith(_FENCES):
            fenced = not fenced
        elif line.strip() and not fenced:
            yield at, line
        at += len(line) + 1


def _tells(passage: str) -> bool:
    """Whether more than headings are left of a passage."""
    return any(line.strip() and not _HEADING.match(line) for line in passage.split("\n"))
