"""What a sentence does, from `cues.toml`: phrases of every language in one table, looked up word by word."""

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from thruline.datafile import read_data
from thruline.pattern import compile_later

# Of the agent's sentences, and of people's.
SAID = (
    "cause",
    "settled",
    "rejected",
    "against",
    "open",
    "deferred",
    "closed",
    "question",
    "step",
    "narration",
    "means",
)
TOLD = ("ruling", "steering")
# Of thoughts and subagents' words: what was given up, unless it is only weighed.
GIVEN_UP = ("given_up", "weighed")
# What the agent says it will do, and what it only offers to do.
WILL = ("announced", "offered", "closed", "question")
# What says that something is to be done: a name in code, or a denial, says nothing of the kind.
_DUE = frozenset(("open", "deferred", "announced"))

_WORD = compile_later(r"[^\W_](?:[\w'-]*[^\W_])?")
_UNSPACED = compile_later("[\u2e80-\u9fff]")
_CODE = compile_later(r"`[^`]*`")
_GROUP = compile_later(r"\(([^()]*)\)")
# The languages whose cues are looked up anywhere in a sentence, since they put no blanks between words.
_RUNNING = ("ja", "zh")

# First word -> (the words after it, class, whether it opens the sentence). A word that ends in * is a beginning.
Phrases = dict[str, list[tuple[tuple[str, ...], str, bool]]]


@cache
def _read_table() -> dict[str, dict[str, Any]]:
    return read_data(os.path.join(os.path.dirname(__file__), "cues.toml"))


@cache
def _read_phrases() -> tuple[Phrases, frozenset[int]]:
    """The phrases by their first word, and the lengths of those first words that are beginnings."""
    phrases: Phrases = {}
    lengths: set[int] = set()
    for language, classes in _read_table().items():
        if language in _RUNNING:
            continue
        for name, cues in classes.items():
            for cue in cues:
                opens = cue.startswith("^")
                cue = cue.removeprefix("^")
                for phrase in dict.fromkeys(expand(cue)) if "(" in cue else (cue,):
                    first, *rest = phrase.split()
                    phrases.setdefault(first, []).append((tuple(rest), name, opens))
                    if first.endswith("*"):
                        lengths.add(len(first) - 1)
    return phrases, frozenset(lengths)


@cache
def _read_running() -> tuple[tuple[str, str], ...]:
    table = _read_table()
    return tuple(
        (cue.lstrip("^"), name) for language in _RUNNING for name, cues in table[language].items() for cue in cues
    )


def expand(cue: str) -> Iterator[str]:
    """The phrases of a cue: `(a|b) c` is two of them, `(a|) c` one with and one without."""
    group = _GROUP.search(cue)
    if group is None:
        yield " ".join(cue.split())
        return
    for choice in group[1].split("|"):
        yield from expand(cue[: group.start()] + choice + cue[group.end() :])


def find_cues(sentence: str, names: tuple[str, ...]) -> frozenset[str]:
    """The classes among `names` whose cues stand in the sentence."""
    words = _WORD.findall(sentence.lower().replace("’", "'"))
    found: set[str] = set()
    for at, word in enumerate(words):
        alone, longer = _look_up(word, at == 0)
        if alone:
            found.update(alone)
        for rest, name in longer:
            if name not in found and _follows(rest, words, at + 1):
                found.add(name)
    if not sentence.isascii() and _UNSPACED.search(sentence):
        found.update(name for cue, name in _read_running() if cue in sentence)
    return frozenset(found.intersection(names))


def find_plain_cues(sentence: str, names: tuple[str, ...]) -> frozenset[str]:
    """The same, but nothing is to be done where the words for it stand in code, or are denied."""
    found = find_cues(sentence, names)
    if not found & _DUE:
        return found
    plain = find_cues(_CODE.sub(" ", sentence), names) if "`" in sentence else found
    return found - _DUE if "closed" in plain else (found - _DUE) | plain


@lru_cache(maxsize=16_384)
def _look_up(word: str, first: bool) -> tuple[frozenset[str], tuple[tuple[tuple[str, ...], str], ...]]:
    """The classes that a word tells alone, and what must follow it for others; `first` where a sentence begins."""
    phrases, lengths = _read_phrases()
    firsts = [word, *(word[:length] + "*" for length in lengths if len(word) >= length)]
    known = [each for begin in firsts for each in phrases.get(begin, ()) if first or not each[2]]
    alone = frozenset(name for rest, name, _ in known if not rest)
    return alone, tuple((rest, name) for rest, name, _ in known if rest and name not in alone)


def _follows(rest: tuple[str, ...], words: list[str], at: int) -> bool:
    if at + len(rest) > len(words):
        return False
    for want in rest:
        word = words[at]
        if want != word and not (want[-1] == "*" and word.startswith(want[:-1])):
            return False
        at += 1
    return True
