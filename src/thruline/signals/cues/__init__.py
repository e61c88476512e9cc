"""Cues: phrases by class and language, as data. A phrase is looked up, never searched: a message costs one dictionary
access per run of words.

English is always there; another language joins when a text is written in it, told by script or by its commonest words.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "ja", "pt", "ru", "zh")
TABLES = ("cues", "answer", "before", "agent", "withdraw", "standing")
LONGEST = 5  # words of a phrase

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[🤔🤯😅😂😬🙈✅]|([.!?;:\n]+)")
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)


class Language:
    """The cues of one language: table name (see TABLES) -> phrase -> classes."""

    __slots__ = ("common", "measured", "name", "spaced", "tables")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.name: str = fields["language"]
        self.measured: bool = fields["measured"]
        self.common = frozenset(fields["common"])
        self.spaced: bool = fields.get("spaced", True)
        self.tables: dict[str, dict[str, tuple[str, ...]]] = {}
        for table in TABLES:
            phrases: dict[str, list[str]] = {}
            for name, listed in fields.get(table, {}).items():
                for phrase in listed:
                    phrases.setdefault(phrase, []).append(name)
            self.tables[table] = {phrase: tuple(names) for phrase, names in phrases.items()}


@cache
def load_language(name: str) -> Language:
    """The cues of one language from the package's data."""
    return Language(tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8")))


def split_words(text: str) -> list[str]:
    """The words of a text, lower case; a sentence's end is the empty word."""
    lowered = text.lower().replace("\u2019", "'")
    return ["" if found.group(1) else found.group() for found in _WORD.finditer(lowered)]


@cache
def _latin() -> tuple[Language, ...]:
    return tuple(load_language(name) for name in LANGUAGES if name not in ("en", "ja", "ru", "zh"))


def guess_language(text: str, words: list[str]) -> str:
    """Which of our languages a text is written in; English where nothing tells."""
    if not text.isascii():
        for name, script in _SCRIPTS:
            if len(script.findall(text)) * 3 > len(words):
                return name
    known = set(words)
    english = len(known & load_language("en").common)
    if english * 6 >= len(known) or len(words) < 2:
        return "en"
    best, most = "en", english
    for language in _latin():
        count = len(known & language.common)
        if count > most:
            best, most = language.name, count
    return best


def find_cues(words: list[str], table: str, language: Language, text: str = "") -> dict[str, int]:
    """Class -> the index of the first word (or character, where words are not spaced) that tells it."""
    phrases = language.tables[table]
    found: dict[str, int] = {}
    if not language.spaced:
        for phrase, names in phrases.items():
            at = text.find(phrase)
            if at >= 0:
                for name in names:
                    found[name] = min(at, found.get(name, at))
        return found
    count = len(words)
    begins = True
    for at in range(count):
        word = words[at]
        if not word:
            begins = True
            continue
        phrase = word
        for end in range(at + 1, min(at + LONGEST, count) + 1):
            names = phrases.get(phrase, ())
            for name in names:
                found.setdefault(name, at)
            if begins:
                names = phrases.get("^" + phrase, ())
                for name in names:
                    found.setdefault(name, at)
            if end >= count or not words[end]:
                break
            phrase = f"{phrase} {words[end]}"
        begins = False
    return found
