"""What the agent says of its own work: hypotheses and reversals anywhere, intents and conclusions where a turn ends.

A text in the middle of a turn announces the next step ("Let me read the file"), which is no intent worth keeping; what
stands at the end of a turn was meant for a reader.
"""

from bisect import bisect_left
from functools import cache

from thruline.pattern import Signs, compile_later
from thruline.session import parts
from thruline.signals.cues import (
    LANGUAGES,
    Language,
    guess_language,
    is_english,
    load_agent,
    load_language,
    split_ascii,
    split_words,
)
from thruline.signals.quote import LONGEST, cut, find_sentences
from thruline.signals.signal import Signal

# Newest kept: of each kind a long session has hundreds, and later ones supersede earlier.
MOST = {"hypothesis": 300, "reversal": 300, "intent": 120, "conclusion": 120, "question": 60}
_READ = 3000
_SHORT, _LEAST = 25, 8
_BULLET = compile_later(r"^(?:[-*•#>]+|\d+[.)])\s*")
_ASCII_RUN = compile_later("[a-z0-9]+")
_OTHER_SCRIPT = Signs("\u0400-\u04ff", "\u3040-\u30ff", "\u4e00-\u9fff")


class AgentMiner:
    """Takes the agent's texts and the ends of turns; the signals are in `signals`."""

    __slots__ = ("_closing", "_words", "signals")

    def __init__(self) -> None:
        self.signals: dict[str, list[Signal]] = {kind: [] for kind in MOST}
        # The last text, where nothing was done after it, and its words.
        self._closing: parts.Said | None = None
        self._words: list[bytes] | None = None

    def see(self, part: parts.Said) -> None:
        """Takes in one text of the agent."""
        self._closing = part
        self._words = words = _find_words(part.text)
        if words is not None and _gate(("reversal", "hypothesis")).isdisjoint(words):
            return
        lowered, language, known = _lower(part.text), _language(part.text), _gather(words)
        for kind, strength in (("reversal", 0.6), ("hypothesis", 0.5)):
            places = _find_all(kind, language, lowered, known)
            any(self._take(kind, part, at, strength, "the agent's words") for at in places[:4])

    def worked(self) -> None:
        """The agent went on working after its last text: that text did not end the turn."""
        self._closing = None

    def end_turn(self, answered: bool) -> None:
        """A person spoke, or the session ended (`answered` is false): the last text was the turn's end."""
        part, self._closing = self._closing, None
        if part is None:
            return
        text = part.text
        telling = self._words is None or not _gate(("intent", "conclusion")).isdisjoint(self._words)
        if answered and not telling:
            return
        sentences = list(find_sentences(text[:_READ]))
        if not sentences:
            return
        told: list[tuple[int, int]] = []
        if telling:
            lowered, language, known = _lower(text), _language(text), _gather(self._words)
            for start, end in _hold(sentences, _find_all("intent", language, lowered, known))[:4]:
                if text[end - 1] not in "?？":
                    self._take("intent", part, start, 0.5, "told at the end of a turn")
            places = _find_all("conclusion", language, lowered, known)
            told = _hold([span for span in sentences if span[1] - span[0] > 12], places)
        taken = any(self._take("conclusion", part, start, 0.7, "told at the end of a turn") for start, _ in told[:6])
        if not taken and not answered:
            self._take("conclusion", part, sentences[0][0], 0.4, "the last thing said")
        asked = [span for span in sentences[-3:] if text[span[1] - 1] in "?？"]
        if asked and not answered:
            self._take("question", part, asked[-1][0], 0.9, "asked at the end, no answer")

    def _take(self, kind: str, part: parts.Said, at: int, strength: float, why: str) -> bool:
        """Keeps the sentence at this place; false where it is a heading or leads to something else."""
        start, end = _sentence_at(part.text, at)
        quote = cut(part.text, start, end)
        if len(quote) < _LEAST or quote.endswith((":", "**", "|")):
            return False
        kept = self.signals[kind]
        if kept and kept[-1].quote == quote:
            return True
        kept.append(
            Signal(
                kind, "agent", quote, part.line, uuid=part.uuid, source=part.source, time=part.time,
                strength=strength, why=why,
            )
        )  # fmt: skip
        if len(kept) > MOST[kind]:
            del kept[0]
        return True


def announces(text: str) -> bool:
    """Whether words say, in any language, that something is still to be done."""
    words = _find_words(text)
    lowered, known = _lower(text), _gather(words)
    return any(_find_all("intent", load_language(name), lowered, known) for name in LANGUAGES)


def _lower(text: str) -> str:
    # Lower case of the same length, so that a place in one is a place in the other.
    head = text[:_READ]
    lowered = head.lower()
    if len(lowered) != len(head):
        lowered = "".join([char.lower() if len(char.lower()) == 1 else char for char in head])
    return lowered if lowered.isascii() else lowered.replace("\u2019", "'")


def _sentence_at(text: str, at: int) -> tuple[int, int]:
    begin = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    sentences = find_sentences(text, begin, stop)
    for start, end in sentences:
        if end > at:
            mark = _BULLET.match(text[start:end])
            first = start + mark.end() if mark and mark.end() < end - start else start
            # "You're right." says little without what was right.
            _, after = next(sentences, (end, end)) if end - first < _SHORT else (end, end)
            return first, after if after - first <= LONGEST else end
    return begin, stop


def _language(text: str) -> Language:
    head = text[:160]
    return load_language("en") if is_english(head) else guess_language(head, split_words(head))


def _hold(sentences: list[tuple[int, int]], places: list[int]) -> list[tuple[int, int]]:
    # Few texts have many places, and all are in order.
    return [(start, end) for start, end in sentences if bisect_left(places, start) < bisect_left(places, end)]


def _find_words(text: str) -> list[bytes] | None:
    """The words of a text, as far as they are ASCII; None where it is written in a script that has few of those."""
    head = text[:_READ]
    if not head.isascii():
        head = head.lower()
        if _OTHER_SCRIPT.search(head):
            return None
    return split_ascii(head)


@cache
def _gate(kinds: tuple[str, ...]) -> frozenset[bytes]:
    """Words of which a text has one at least if it has a phrase of these kinds, whatever its language.

    Most texts have none, and need not be asked for their language.
    """
    phrases = [phrase for name in LANGUAGES for kind in kinds for phrase in load_agent(name).get(kind, ())]
    return frozenset(filter(None, map(_find_run, phrases)))


def _find_run(phrase: str) -> bytes:
    """The longest word of a phrase as far as it is ASCII, by which it is looked up; nothing where it has none."""
    return max(_ASCII_RUN.findall(phrase), key=len, default="").encode()


@cache
def _phrases(kind: str, name: str) -> dict[bytes, list[tuple[str, frozenset[bytes]]]]:
    """The phrases of this kind by what they are looked up by, each with all its words as far as they are ASCII."""
    grouped: dict[bytes, list[tuple[str, frozenset[bytes]]]] = {}
    for phrase in load_language(name).phrases["agent"].get(kind, ()):
        words = frozenset([run.encode() for run in _ASCII_RUN.findall(phrase)])
        grouped.setdefault(_find_run(phrase), []).append((phrase, words))
    return grouped


def _gather(words: list[bytes] | None) -> frozenset[bytes] | None:
    """The words to look phrases up by; one that has no word of ASCII is looked up by nothing."""
    return None if words is None else frozenset((*words, b""))


def _find_all(kind: str, language: Language, lowered: str, words: frozenset[bytes] | None) -> list[int]:
    """Where the phrases of this kind stand as whole words: the first place of each, in order."""
    grouped = _phrases(kind, language.name)
    if words is None or not language.spaced:
        held = [phrase for listed in grouped.values() for phrase, _ in listed if phrase in lowered]
    else:
        runs = grouped.keys() & words
        # A text that has all words of a phrase seldom has the phrase; but one that lacks a word is not looked through.
        held = [phrase for run in runs for phrase, need in grouped[run] if need <= words and phrase in lowered]
    if not held:
        return []
    places = [(lowered.find(phrase), len(phrase)) for phrase in held]
    return sorted(at for at, size in places if not language.spaced or _is_whole(lowered, at, at + size))


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (start and text[start - 1].isalnum()) and not (end < len(text) and text[end].isalnum())
