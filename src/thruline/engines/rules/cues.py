"""What a sentence does, from `cues.toml`: phrases of every language in one table, looked up word by word."""

import os
from functools import cache, lru_cache

from thruline.datafile import read_data
from thruline.pattern import Signs, compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Of the agent's sentences, and of people's.
SAID = (
    "cause",
    "settled",
    "rejected",
    "dismissed",
    "against",
    "open",
    "deferred",
    "closed",
    "question",
    "step",
    "narration",
    "means",
    "praise",
)
TOLD = ("ruling", "steering")
# Of thoughts and subagents' words: what was given up, unless it is only weighed.
GIVEN_UP = ("given_up", "weighed")
# Of what the agent states: whether it may stand still.
STANDING = ("guess", "negated", "removal", "unpushed", "uncommitted", "lasting", "versioned", "advice")
# What the agent says of something that does not work.
FAILING = ("failing",)
# What the agent only supposes.
GUESSED = ("guess",)
# What the agent grants the user.
CONCEDED = ("conceded",)
# What tells that another way was taken, and why.
TURNED = (
    "turned",
    "contrast",
    "shifted",
    "meant",
    "looking",
    "remedy",
    "reason",
    "own",
    "mended",
    "cause",
    "negated",
    "rejected",
    "guess",
    "question",
)
# What the agent says it will do, and what it only offers to do.
WILL = ("announced", "offered", "closed", "question")
# What says that something is to be done: a name in code, or a denial, says nothing of the kind.
_DUE = frozenset(("open", "deferred", "announced"))

# A name is one word: `next.js` is not what comes next, `blocked_rows` are not blocked.
_WORD = compile_later(r"[^\W_](?:[\w'.-]*[^\W_])?")
# The same for text of ASCII alone, which is most of it, in a third of the time: lower case, blanks for all that no word
# has, and marks that may stand only within one.
_MARKS = "_'.-"
_ENDS = _MARKS + " "
_LOWERING = bytes(
    ord(chr(code).lower()) if code < 128 and (chr(code).isalnum() or chr(code) in _MARKS) else 32 for code in range(256)
)
_UNSPACED = Signs("\u2e80-\u9fff")
_CODE = compile_later(r"`[^`]*`")
# The languages whose cues are looked up anywhere in a sentence, since they put no blanks between words.
_RUNNING = ("ja", "zh")

# So many words are remembered, and so many sentences: several rules ask for the same one.
MOST_WORDS, MOST_SENTENCES = 16_384, 8_192


@cache
def _read_table() -> "dict[str, dict[str, Any]]":
    return read_data(os.path.join(os.path.dirname(__file__), "cues.toml"))


@cache
def _read_phrases() -> dict[str, list[tuple[tuple[str, ...], str, bool]]]:
    """Every phrase by its first word: the other words, the class, and whether it opens the sentence."""
    phrases: dict[str, list[tuple[tuple[str, ...], str, bool]]] = {}
    for language, classes in _read_table().items():
        for name, cues in classes.items() if language not in _RUNNING else ():
            for cue in cues:
                opens = cue[0] == "^"
                for phrase in expand(cue[opens:]):
                    first, *rest = phrase.split()
                    phrases.setdefault(first, []).append((tuple(rest), name, opens))
    return phrases


@cache
def _read_running() -> tuple[tuple[str, str], ...]:
    table = _read_table()
    return tuple(
        (cue.lstrip("^"), name) for language in _RUNNING for name, cues in table[language].items() for cue in cues
    )


def expand(cue: str) -> list[str]:
    """The phrases of a cue: `(a|b) c` is two of them, `(a|) c` one with and one without."""
    end = cue.find(")")
    if end < 0:
        return [cue]
    start = cue.rfind("(", 0, end)  # a choice within a choice is made first
    choices, after = cue[start + 1 : end].split("|"), cue[end + 1 :]
    phrases = [cue[:start] + choice + after for choice in choices]
    return [each for phrase in phrases for each in expand(phrase)] if ")" in after else phrases


def find_cues(sentence: str, names: tuple[str, ...]) -> frozenset[str]:
    """The classes among `names` whose cues stand in the sentence."""
    return _find_all(sentence).intersection(names)


def may_tell(text: str, name: str) -> bool:
    """Whether a text has what some phrase of this class begins with; one that has not has no such cue.

    For a text of which only one class is asked: a tenth of what it takes to find all of them.
    """
    lowered = text.lower()
    return any(stem in lowered for stem in _read_stems(name))


@cache
def _read_stems(name: str) -> tuple[str, ...]:
    # Up to an apostrophe, which people write in two ways.
    firsts = {
        first.rstrip("*").partition("'")[0]
        for first, told in _read_phrases().items()
        for each in told
        if each[1] == name
    }
    return (*firsts, *(cue for cue, told in _read_running() if told == name))


def has_cue(text: str, name: str) -> bool:
    """Whether a cue of this class stands in the text: for one of which nothing else is asked, in half the time."""
    if text.isascii():
        firsts, begun = _read_firsts(name)
        words = _split_plain(text)
        if firsts.isdisjoint(words) and not (begun and any(word.startswith(begun) for word in words)):
            return False
    return bool(find_cues(text, (name,)))


@cache
def _read_firsts(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words that phrases of this class begin with, and the beginnings of words."""
    told = [first for first, phrases in _read_phrases().items() if any(each[1] == name for each in phrases)]
    begun = tuple(first[:-1] for first in told if first.endswith("*"))
    return frozenset(told), begun


@lru_cache(maxsize=MOST_SENTENCES)
def _find_all(sentence: str) -> frozenset[str]:
    """All classes at once: several rules ask for the same sentence, each for its own."""
    words = _split_plain(sentence) if sentence.isascii() else _WORD.findall(sentence.lower().replace("’", "'"))
    found: set[str] = set()
    opening, later = _read_lookups()
    told = [*map(opening.__getitem__, words[:1]), *map(later.__getitem__, words[1:])]
    for at, known in enumerate(told, 1) if any(told) else ():
        if known is not None:
            alone, tables, begun = known
            found.update(alone)
            for distance, after in tables:
                if at + distance < len(words):
                    for rest, name in after.get(words[at + distance], ()):
                        if _follows(rest, words, at):
                            found.add(name)
            for rest, name in begun:
                if _follows(rest, words, at):
                    found.add(name)
    if _UNSPACED.search(sentence):
        found.update(name for cue, name in _read_running() if cue in sentence)
    return frozenset(found)


def _split_plain(sentence: str) -> list[str]:
    plain = sentence.encode().translate(_LOWERING).decode().strip(_ENDS)
    for mark in _MARKS:
        if mark in plain:
            return [word for each in plain.split() if (word := each.strip(_MARKS))]
    return plain.split()  # as of most sentences: a stop at the end is all they have


def find_plain_cues(sentence: str, names: tuple[str, ...]) -> frozenset[str]:
    """The same, but nothing is to be done where the words for it stand in code, or are denied."""
    found = find_cues(sentence, names)
    if not found & _DUE:
        return found
    plain = find_cues(_CODE.sub(" ", sentence), names) if "`" in sentence else found
    return found - _DUE if "closed" in plain else (found - _DUE) | plain


def is_praise(text: str, cues: frozenset[str]) -> bool:
    """Whether the agent only says what is good about its work: that tells nobody what was done."""
    return "praise" in cues and "`" not in text and "cause" not in cues


Phrases = list[tuple[tuple[str, ...], str]]
# What a word tells alone; what it tells with others behind it, by the last whole word among those and its distance: of
# a hundred phrases that begin with "let me" most have one more; and what follows it in phrases of parts of words alone.
# None of a word that tells nothing, as most.
Known = tuple[frozenset[str], list[tuple[int, dict[str, Phrases]]], Phrases]


class _Lookup(dict[str, Known | None]):
    """What each word tells, found out when it is first asked for."""

    def __init__(self, *, opening: bool) -> None:
        super().__init__()
        self._opening = opening
        # A word that ends in * is a beginning.
        self._lengths = sorted({len(first) - 1 for first in _read_phrases() if first.endswith("*")})

    def __missing__(self, word: str) -> Known | None:
        if len(self) > MOST_WORDS:
            self.clear()
        phrases = _read_phrases()
        listed = phrases.get(word, [])
        for length in self._lengths:
            if len(word) < length:
                break
            listed = listed + phrases.get(word[:length] + "*", [])
        told = [(rest, name) for rest, name, opens in listed if self._opening or not opens]
        self[word] = known = _sort_phrases(told) if told else None
        return known


def _sort_phrases(told: Phrases) -> Known:
    tables: dict[int, dict[str, Phrases]] = {}
    begun: Phrases = []
    for rest, name in told:
        distance = max([at for at, word in enumerate(rest) if "*" not in word], default=-1)
        if distance >= 0:
            tables.setdefault(distance, {}).setdefault(rest[distance], []).append((rest, name))
        elif rest:
            begun.append((rest, name))
    return frozenset(name for rest, name in told if not rest), list(tables.items()), begun


@cache
def _read_lookups() -> tuple[_Lookup, _Lookup]:
    """For the word that begins a sentence, and for the others."""
    return _Lookup(opening=True), _Lookup(opening=False)


def _follows(rest: tuple[str, ...], words: list[str], at: int) -> bool:
    if at + len(rest) > len(words):
        return False
    for want in rest:
        word = words[at]
        if want != word and not _fits(want, word):
            return False
        at += 1
    return True


def _fits(want: str, word: str) -> bool:
    if want[-1] == "*":
        return word.startswith(want[:-1])
    return want[0] == "*" and word.endswith(want[1:])
