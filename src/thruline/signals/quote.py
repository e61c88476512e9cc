"""The words to quote: the sentence that carries the meaning, as it stands in the text.

A quote is a slice of the text, never put together from pieces. Too long a sentence is cut at the end of a clause.
"""

from collections.abc import Callable, Iterator

from thruline.pattern import compile_later
from thruline.signals.own import choose_spans

LONGEST = 200
# Fewer characters at the end of a message say little without the sentence before them.
SHORT = 16

# Stops, or line breaks. One set of signs comes first: a search skips to those, and tries nothing before them.
_END = compile_later(r"[.!?。！？\n](?:(?<=\n)\n*|(?<!\n)[.!?。！？]*[\"')\]]*(?:\s|$))")
_CLAUSE = compile_later(r"[,;:—–。、，]\s*|\s[-–]\s|\s\(")


def find_sentences(text: str, start: int = 0, end: int = -1) -> Iterator[tuple[int, int]]:
    """The sentences of a span, each without white space around it."""
    end = len(text) if end < 0 else end
    at = start
    for stop in [*[found.end() for found in _END.finditer(text, start, end)], end]:
        bare = text[at:stop].strip()
        if bare:
            first = text.index(bare[0], at)
            yield first, first + len(bare)
        at = stop


def cut(text: str, start: int, end: int, longest: int = LONGEST) -> str:
    """`text[start:end]`, or its head up to the end of a clause where that is too long."""
    if end - start <= longest:
        return text[start:end]
    stop = start
    for found in _CLAUSE.finditer(text, start, start + longest):
        stop = found.start()
    if stop < start + longest // 3:
        stop = text.rfind(" ", start, start + longest)
    if stop <= start:
        stop = start + longest
    return text[start:stop].rstrip()


def choose(text: str, spans: list[tuple[int, int]], weigh: Callable[[str], float]) -> str:
    """The run of neighbouring sentences within `spans` that weighs most and is short enough to read at a glance."""
    if not spans:
        return cut(text, len(text) - len(text.lstrip()), len(text.rstrip()))
    first, last = spans[0][0], spans[-1][1]
    if len(spans) == 1 and last - first <= LONGEST:
        return text[first:last].strip()
    sentences = [sentence for start, end in choose_spans(spans) for sentence in find_sentences(text, start, end)]
    if not sentences:
        return cut(text, first, last)
    weights = [_weigh(text[start:end], weigh) for start, end in sentences]
    best = max(range(len(sentences)), key=lambda at: (weights[at], -at))
    start, end = sentences[best]
    # A short sentence ("No." "Why?") says little without its neighbour.
    after = best + 1
    while after < len(sentences) and sentences[after][1] - start <= LONGEST:
        if end - start >= 60 and weights[after] <= 0:
            break
        if text[end : sentences[after][0]].strip() or text.count("\n", end, sentences[after][0]) > 1:
            break
        end = sentences[after][1]
        after += 1
    before = best - 1
    while before >= 0 and end - sentences[before][0] <= LONGEST:
        gap = text[sentences[before][1] : start]
        # What was said in the same breath and weighs something leads to it: "But nothing happens. Isn't it to fire?"
        if gap.strip() or not (end - start < SHORT or _leads(text[slice(*sentences[before])], weights[before], gap)):
            break
        start = sentences[before][0]
        before -= 1
    return cut(text, start, end)


def _leads(sentence: str, weight: float, gap: str) -> bool:
    """Whether words say something of their own on the same line: the mark of an item does not."""
    return weight > 0 and "\n" not in gap and any(map(str.isalpha, sentence))


def _weigh(sentence: str, weigh: Callable[[str], float]) -> float:
    weight = weigh(sentence)
    # "Here is what I get:" says nothing without what it leads to.
    return weight / 2 if weight > 0 and sentence.endswith((":", "：")) else weight
