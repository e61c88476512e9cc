"""How sure it is, by its opening alone, that a message refuses what the agent did or said.

The judge of corrections leans on the agent's answer; in a session that runs there is none yet, and who is told in so
many words need not grant it. The fact this rests on: people who call something wrong, want it undone or say no to it
say so first. The side it errs on: silence; a question, a no that answers one, and a no that thanks refuse nothing.
"""

from functools import cache

from thruline.pattern import compile_later
from thruline.signals.cues import Language, load_language, load_refusing, split_words
from thruline.signals.features import Features
from thruline.signals.own.opening import find_opening

# What a plain refusal counts for at least; what may be an answer, or is known by its first word alone, is told and is
# not among the strongest. All ten labelled messages of either kind are corrections.
REFUSING, DECLINING = 0.8, 0.5
# What a plain no to a question counts for at most.
ANSWERING = 0.4
# So much of a message is its opening.
OPENING = 300
# What tells that a no refuses nothing stands among so many words.
FIRST_WORDS = 8

_END = compile_later(r"[.!?\n。！？]")
_MARKS = compile_later(r"[\s,;:.!–—…、，。！-]*")
_STOP = compile_later(r"\s*(?:[,;:.!–—…、，。！\n]|\s-\s|\Z)")
_DELIVERED = ("wrote", "before.delivered", "committed")


def is_thanks(features: Features) -> bool:
    """Whether a message is nothing but thanks or praise."""
    text, phrases = _read_opening(features), _load(features.own.language)
    rest = _drop(_drop(text, phrases, "before"), phrases, "thanks")
    return bool(text) and not rest.strip()


def find_floor(features: Features) -> float:
    """What a message counts for at least, as a correction; 0 where its opening refuses nothing."""
    there = features.situations
    if "unheard" in there:
        return 0.0
    if _is_told_not_to(features):
        return REFUSING
    manner = find_manner(features)
    delivered = not there.isdisjoint(_DELIVERED) or any(name.startswith("before.did.") for name in there)
    if manner == "change":
        manner = "undo" if delivered else ""
    if manner in ("wrong", "undo"):
        # What no labelled message confirms is never among the strongest.
        return REFUSING if features.own.language.measured and "asked" not in there else DECLINING
    if not manner or "asked" in there or "asked.near" in there:
        return 0.0
    # Without a word of what was done a "no" may be said to anything; only English tells that by its verbs.
    return DECLINING if delivered or manner == "dont" or features.own.language.name != "en" else 0.0


def is_plain_answer(features: Features) -> bool:
    """Whether a message is nothing but a no to the agent's question: that answers it and corrects nothing."""
    text, phrases = _read_opening(features), _load(features.own.language)
    said = _drop(text, phrases, "before")
    rest = _drop(said, phrases, "no")
    return "asked" in features.situations and rest != said and not rest.strip()


def _read_opening(features: Features) -> str:
    text = features.own.text
    return text[find_opening(text) :][:OPENING].lower().replace("\u2019", "'")


def find_manner(features: Features) -> str:
    """How a message refuses in its first words: `wrong`, `undo`, `dont`, a bare `no`; empty where it does not.

    `change` is an undoing that is one only where a change was made.
    """
    own, text = features.own, _read_opening(features)
    found = _tell_manner(text, _load(own.language)) if text else ""
    if found in ("", "no") and own.language.name != "en" and text.isascii():
        # A name or a link is enough to misread the language of a short text.
        found = _tell_manner(text, _load(load_language("en"))) or found
    return found


def _tell_manner(text: str, phrases: "Phrases") -> str:
    said = _drop(text, phrases, "before")
    rest = _drop(said, phrases, "no")
    first = _drop(_drop(rest, phrases, "before"), phrases, "no")
    if any((stop := _END.search(each)) is not None and stop.group() in "?？" for each in (text, first)):
        return ""
    denied = rest != said
    if any(phrases.opens(each, "whole") or _is_called_wrong(each, phrases, denied=denied) for each in (said, first)):
        return "wrong"
    undoing = _tell_undoing(first, phrases)
    if undoing:
        return undoing
    mild = phrases.tells(text, "mild")
    if phrases.opens(first, "dont") and not mild:
        return "dont"
    return "no" if denied and not mild and _STOP.match(_cut(said, phrases, "no")) is not None else ""


def _is_called_wrong(text: str, phrases: "Phrases", *, denied: bool) -> bool:
    """Whether a text begins with "that is wrong", or with "wrong" and a mark behind it."""
    behind = _cut(text, phrases, "wrong")
    if behind != text:
        return denied or _STOP.match(behind) is not None
    behind = _cut(text, phrases, "it")
    if behind == text:
        return False
    while (after := _cut(behind.lstrip(), phrases, "lightly")) != behind.lstrip():
        behind = after
    told = _cut(behind.lstrip(), phrases, "wrong")
    # "It's wrong to charge twice" speaks of the world; "you're wrong to assume that" does not.
    general = phrases.opens(text, "impersonal") and phrases.opens(told.lstrip(), "general")
    return told != behind.lstrip() and not general


def _tell_undoing(text: str, phrases: "Phrases") -> str:
    """`undo` or `change` where a text begins by wanting undone what was done; empty where it may ask for new work."""
    if not phrases.spaced:
        said = _drop_all(text, phrases, "before", "object", "changes")
        behind = _cut(said, phrases, "undo") if phrases.opens(said, "undo") else _cut(said, phrases, "bare")
        rest = _drop_all(behind, phrases, "object", "changes", "behind")
        return "undo" if behind != said and _STOP.match(rest) is not None else ""
    if phrases.opens(text, "undo"):
        return "undo"
    behind = _cut(text, phrases, "bare")
    if behind == text:
        return ""
    rest = _drop_all(behind, phrases, "object")
    if rest == behind.lstrip():
        found = _STOP.match(behind)
        return "undo" if found is not None and not found.group().strip(" .!\n") else ""
    if _ends_there(rest, phrases):
        return "undo"
    named = _cut(rest, phrases, "changes")
    return "change" if named != rest and _ends_there(named, phrases) else ""


def _ends_there(text: str, phrases: "Phrases") -> bool:
    """Whether nothing stands here that would be the thing to undo."""
    return _STOP.match(text) is not None or phrases.measure(text.lstrip(), "behind") > 0


def _is_told_not_to(features: Features) -> bool:
    """Whether a message begins with a refusal and goes on at once with what to do or not to do.

    "No, don't …", "no, revert …", "don't add …": "no, this is fine" is none. Where the agent had asked, a "no" is the
    answer to that, and only a "don't" behind it refuses. It knows English alone: other languages' files tell no verbs.
    """
    own, language = features.own, features.own.language
    words = split_words(own.text[find_opening(own.text) :][:OPENING])
    if language.find("cues", words, own.text).get("no", 99) > 1:
        return False
    negations, fillers, refusals = language.words("negations"), language.words("fillers"), language.words("refusals")
    words = [word for word in words if word[0].isalnum()][:8]
    while words and words[0] in fillers and words[0] not in refusals:
        del words[0]
    first, *rest = [word for word in words if word not in language.words("helping")] or [""]
    if first not in refusals:
        return first in negations and bool(rest) and rest[0] in language.verbs
    rest = [word for word in rest if word not in fillers] + ["", ""]
    if "asked" in features.situations:
        return rest[0] in negations and rest[1] in language.verbs
    return rest[0] in negations or rest[0] in language.verbs


class Phrases:
    """The phrases of one language by their work, the longest first."""

    __slots__ = ("_listed", "spaced")

    def __init__(self, listed: dict[str, list[str]], spaced: bool) -> None:
        self._listed = {work: sorted(phrases, key=len, reverse=True) for work, phrases in listed.items()}
        self.spaced = spaced

    def measure(self, text: str, work: str) -> int:
        """The length of the phrase that a text begins with."""
        for phrase in self._listed[work]:
            if text.startswith(phrase) and not (self.spaced and text[len(phrase) : len(phrase) + 1].isalnum()):
                return len(phrase)
        return 0

    def opens(self, text: str, work: str) -> bool:
        """Whether a text begins with such a phrase; where words are not spaced a "don't" may also end a sentence."""
        if self.measure(text, work) > 0 or self.spaced or work != "dont":
            return self.measure(text, work) > 0
        if (behind := _drop_all(text, self, "before")) != text:
            return self.opens(behind, work)
        stop = _END.search(text)
        sentence = text[: stop.start()] if stop is not None else text
        return _ends_with(sentence.rstrip(), self._listed[work], self._listed["behind"])

    def tells(self, text: str, work: str) -> bool:
        """Whether the first sentence of a text, or the beginning of a long one, has such a phrase."""
        stop = _END.search(text)
        sentence = text[: stop.start()] if stop is not None else text
        if not self.spaced:
            return any(phrase in sentence for phrase in self._listed[work])
        words = f" {' '.join(split_words(sentence)[:FIRST_WORDS])} "
        return any(f" {phrase} " in words for phrase in self._listed[work])


def _ends_with(text: str, phrases: list[str], behind: list[str]) -> bool:
    """Whether a text ends with one of some phrases, or with one and what may stand behind it."""
    return any(text.endswith((phrase, *[phrase + each for each in behind])) for phrase in phrases)


def _cut(text: str, phrases: Phrases, work: str) -> str:
    return text[phrases.measure(text, work) :]


def _drop(text: str, phrases: Phrases, work: str) -> str:
    """The text without such phrases at its beginning, and without the marks behind them."""
    while (size := phrases.measure(text, work)) and (phrases.spaced or _STOP.match(text, size) is not None):
        found = _MARKS.match(text, size)
        text = text[found.end() if found is not None else size :]
    return text


def _drop_all(text: str, phrases: Phrases, *works: str) -> str:
    """The text without any phrases of these works at its beginning."""
    text = text.lstrip()
    while size := max(phrases.measure(text, work) for work in works):
        text = text[size:].lstrip()
    return text


@cache
def _load(language: Language) -> Phrases:
    return Phrases(load_refusing(language.name), language.spaced)
