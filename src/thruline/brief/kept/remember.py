"""What of a session a summary must not lose, in the words in which it was said.

Not a brief: that is written for somebody who was not there. These are the single things that a session which goes on
after a compaction would get wrong without them, most important first: what a person corrected, refused, ruled or
settled; what is still open; the commands that worked; and last whatever else people said.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from thruline.brief.kept.terms import count_content
from thruline.signals.quote import cut, find_sentences
from thruline.signals.signal import Signal
from thruline.value import dataclass

# Most important first; the words are what people read.
KINDS = {
    "correction": "corrected",
    "refusal": "refused",
    "constraint": "rules",
    "decision": "settled",
    "question": "asked, not answered",
    "task": "not done yet",
    "dead_end": "given up",
    "command": "commands that worked",
    "said": "said",
}
LONGEST = 160
# A message longer than this is mostly something pasted; its first sentences are the person's.
_PASTED, _FIRST = 400, 2
_SHORTEST_SAID = 3  # words of a sentence
# Of a line that a person wrote, so much is letters and blanks; of what they pasted, less. What counts as a correction
# or a ruling may name more, so only a long one is doubted.
_LETTERS, _LETTERS_MEANT, _LONG = 0.8, 0.72, 60
# So much must be left without the small words: "yes, let's do it" tells nobody anything who was not there.
_SAYS = {"decision": 2, "question": 2, "said": 2}
_REPEATED = 0.5  # a command of this strength ran once; what ran again is what will be needed again
_OPEN = ("pending", "in_progress")
_FROM_TOOLS = ("command", "dead_end", "task")
_HUMAN_ONLY = ("correction", "refusal", "constraint", "decision")
# A session is asked again at each of its compactions, and most of what it said then it had said before.
_REMEMBERED = 1 << 14


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to remember: its kind, the words, and where they stand."""

    kind: str
    text: str
    line: int = 0
    source: str = ""


def find_facts(
    signals: Iterable[Signal],
    said: Iterable[tuple[str, int]],
    tasks: Sequence[tuple[str, str]] = (),
) -> list[Fact]:
    """The facts of a session, by kind and then by line, nothing twice. `said` is what people said, with the line."""
    found: list[Fact] = []
    signals = tuple(signals)
    corrected = {one.line for one in signals if one.kind == "correction" and not one.withdrawn and not one.source}
    for kind in KINDS:
        found += [
            Fact(kind, text, one.line, one.source)
            for one in signals
            if one.kind == kind and not one.withdrawn and _is_theirs(one)
            for text in _find_told(kind, one.by, one.quote)
        ]
    found += [Fact("task", text) for text, status in tasks if status in _OPEN]
    for text, line in said:
        # Of a correction a short sentence counts too: what is quoted of it may be another one.
        meant = "correction" if line in corrected else "said"
        found += [Fact("said", sentence, line) for sentence in _find_said(text, meant)]
    order = list(KINDS)
    found.sort(key=lambda fact: (order.index(fact.kind), fact.line))
    return _drop_same(found)


def _is_theirs(signal: Signal) -> bool:
    if signal.source or (signal.kind == "command" and signal.strength <= _REPEATED):
        return False
    # Tests that failed until they passed are no way that was given up.
    if signal.kind == "dead_end" and signal.variety == "command":
        return False
    if signal.kind == "refusal":
        return signal.why == "refused with a reason"
    return signal.by == "human" or signal.kind not in _HUMAN_ONLY


@lru_cache(_REMEMBERED)
def _find_told(kind: str, by: str, quote: str) -> tuple[str, ...]:
    """The sentences of a quotation that say something, each for itself: a summary may keep one and lose the other."""
    return tuple(text for text in _split(by, quote) if _is_told(kind, text))


def _split(by: str, quote: str) -> list[str]:
    if by != "human":
        return [quote]  # a command or a path; a dot in it ends nothing
    sentences = [quote[start:end] for start, end in find_sentences(quote)]
    alone = all(len(each.split()) >= _SHORTEST_SAID and count_content(each) for each in sentences)
    return sentences if alone else [quote]


def _is_told(kind: str, text: str) -> bool:
    """Whether it says something to somebody who has nothing else."""
    if kind in _FROM_TOOLS:
        return True
    # What ends in a colon announces what was pasted behind it.
    if text.rstrip().endswith((":", "：")) or (len(text) > _LONG and _measure_letters(text) < _LETTERS_MEANT):
        return False
    return count_content(text) >= _SAYS.get(kind, 1)


@lru_cache(_REMEMBERED)
def _find_said(text: str, meant: str) -> tuple[str, ...]:
    spans = list(find_sentences(text))
    if len(text) > _PASTED:
        spans = spans[:_FIRST]
    sentences = [cut(text, start, end, LONGEST) for start, end in spans]
    long = [each for each in sentences if len(each.split()) >= _SHORTEST_SAID]
    return tuple(each for each in long if _is_written(each) and _is_told(meant, each))


def _is_written(text: str) -> bool:
    return text[0].isalnum() and _measure_letters(text) >= _LETTERS


def _measure_letters(text: str) -> float:
    return sum(character.isalpha() or character.isspace() for character in text) / len(text)


def _drop_same(facts: list[Fact]) -> list[Fact]:
    kept: list[Fact] = []
    by_line: dict[int, list[str]] = {}
    seen: set[str] = set()
    for fact in facts:
        flat = " ".join(fact.text.lower().split())
        here = by_line.setdefault(fact.line, [])
        # The same sentence often is a correction and a rule, and was said besides.
        if flat in seen or (fact.line and any(flat in other or other in flat for other in here)):
            continue
        seen.add(flat)
        here.append(flat)
        kept.append(fact)
    return kept
