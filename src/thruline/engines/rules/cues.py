"""What a sentence does, from `cues.toml`: phrases of every language in one table, looked up word by word."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

# Of the agent's sentences, and of people's.
SAID = ("cause", "settled", "rejected", "against", "open", "question", "step", "narration", "means")
TOLD = ("ruling", "steering")

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_UNSPACED = re.compile("[\u2e80-\u9fff]")
_GROUP = re.compile(r"\(([^()]*)\)")
# The languages whose cues are looked up anywhere in a sentence, since they put no blanks between words.
_RUNNING = ("ja", "zh")

# First word -> (the words after it, class, whether it opens the sentence). A word that ends in * is a beginning.
Phrases = dict[str, list[tuple[tuple[str, ...], str, bool]]]


@cache
def _read_table() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files(__package__) / "cues.toml").read_text(encoding="utf-8"))


def read_function_words() -> frozenset[str]:
    """The words of every language that say nothing alone."""
    return frozenset(word for words in _read_table()["function"].values() for word in words.split())


@cache
def _read_phrases() -> tuple[Phrases, frozenset[int]]:
    """The phrases by their first word, and the lengths of those first words that are beginnings."""
    phrases: Phrases = {}
    lengths: set[int] = set()
    for language, classes in _read_table().items():
        if language in (*_RUNNING, "function"):
            continue
        for name, cues in classes.items():
            for cue in cues:
                opens = cue.startswith("^")
                for phrase in dict.fromkeys(expand(cue.lstrip("^"))):
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
        for known in _look_up(word):
            found.update(_match(known, words, at))
    if _UNSPACED.search(sentence):
        found.update(name for cue, name in _read_running() if cue in sentence)
    return frozenset(found.intersection(names))


@lru_cache(maxsize=16_384)
def _look_up(word: str) -> tuple[list[tuple[tuple[str, ...], str, bool]], ...]:
    phrases, lengths = _read_phrases()
    firsts = [word, *(word[:length] + "*" for length in lengths if len(word) >= length)]
    return tuple(phrases[first] for first in firsts if first in phrases)


def _match(known: list[tuple[tuple[str, ...], str, bool]], words: list[str], at: int) -> Iterator[str]:
    for rest, name, opens in known:
        if opens and at:
            continue
        after = words[at + 1 : at + 1 + len(rest)]
        if len(after) == len(rest) and all(_fits(want, word) for want, word in zip(rest, after, strict=True)):
            yield name


def _fits(want: str, word: str) -> bool:
    return word.startswith(want[:-1]) if want.endswith("*") else want == word
