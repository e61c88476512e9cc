"""What the agent says of its own work: hypotheses and reversals anywhere, intents and conclusions where a turn ends.

A text in the middle of a turn announces the next step ("Let me read the file"), which is no intent worth keeping; what
stands at the end of a turn was meant for a reader.
"""

import re
from functools import cache

from thruline.session import parts
from thruline.signals.cues import Language, guess_language, load_language, split_words
from thruline.signals.quote import cut, find_sentences
from thruline.signals.signal import Signal

# Newest kept: of each kind a long session has hundreds, and later ones supersede earlier.
MOST = {"hypothesis": 300, "reversal": 300, "intent": 120, "conclusion": 120, "question": 60}
_READ = 6000
_BULLET = re.compile(r"^(?:[-*•#>]+|\d+[.)])\s*")


class AgentMiner:
    """Takes the agent's texts and the ends of turns; the signals are in `signals`."""

    __slots__ = ("_closing", "signals")

    def __init__(self) -> None:
        self.signals: dict[str, list[Signal]] = {kind: [] for kind in MOST}
        self._closing: parts.Said | None = None

    def see(self, part: parts.Said) -> None:
        """Takes in one text of the agent."""
        self._closing = part
        text = part.text
        language = _language(text)
        for kind in ("reversal", "hypothesis"):
            pattern = _pattern(kind, language)
            found = pattern.search(text, 0, _READ)
            if found is not None:
                self._take(kind, part, found.start(), 0.6 if kind == "reversal" else 0.5, found.group().strip())

    def worked(self) -> None:
        """The agent went on working after its last text: that text did not end the turn."""
        self._closing = None

    def end_turn(self, answered: bool) -> None:
        """A person spoke, or the session ended (`answered` is false): the last text was the turn's end."""
        part, self._closing = self._closing, None
        if part is None:
            return
        text = part.text
        language = _language(text)
        sentences = list(find_sentences(text[:_READ]))
        if not sentences:
            return
        intent, conclusion = _pattern("intent", language), _pattern("conclusion", language)
        taken = 0
        for start, end in sentences:
            if intent.search(text, start, end) and text[end - 1] != "?" and taken < 4:
                self._take("intent", part, start, 0.5, "told at the end of a turn")
                taken += 1
        said = [span for span in sentences if conclusion.search(text, *span) and len(text[span[0] : span[1]]) > 12]
        if said:
            self._take("conclusion", part, said[0][0], 0.7, "told at the end of a turn")
        elif not answered:
            self._take("conclusion", part, sentences[0][0], 0.4, "the last thing said")
        asked = [span for span in sentences[-3:] if text[span[1] - 1] in "?？"]
        if asked and not answered:
            self._take("question", part, asked[-1][0], 0.9, "asked at the end, no answer")

    def _take(self, kind: str, part: parts.Said, at: int, strength: float, why: str) -> None:
        start, end = _sentence_at(part.text, at)
        quote = cut(part.text, start, end)
        if len(quote) < 8:
            return
        kept = self.signals[kind]
        if kept and kept[-1].quote == quote:
            return
        kept.append(
            Signal(
                kind, "agent", quote, part.line, uuid=part.uuid, source=part.source, time=part.time,
                strength=strength, why=why,
            )
        )  # fmt: skip
        if len(kept) > MOST[kind]:
            del kept[0]


def _sentence_at(text: str, at: int) -> tuple[int, int]:
    begin = max(text.rfind("\n", 0, at) + 1, 0)
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    for start, end in find_sentences(text, begin, stop):
        if end > at:
            mark = _BULLET.match(text[start:end])
            return (start + mark.end() if mark and mark.end() < end - start else start), end
    return begin, stop


def _language(text: str) -> Language:
    head = text[:160]
    return (
        load_language("en")
        if head.isascii() and " the " in head
        else load_language(guess_language(head, split_words(head)))
    )


def _pattern(kind: str, language: Language) -> re.Pattern[str]:
    return _compile(kind, language.name)


@cache
def _compile(kind: str, name: str) -> re.Pattern[str]:
    language = load_language(name)
    phrases = sorted((phrase for phrase, kinds in language.tables["agent"].items() if kind in kinds), reverse=True)
    edge = r"\b" if language.spaced else ""
    joined = "|".join(re.escape(phrase).replace("'", "['’]") for phrase in phrases)
    return re.compile(f"{edge}(?:{joined}){edge}", re.IGNORECASE)
