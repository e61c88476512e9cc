"""What a sentence does, from `cues.toml`: one expression a class over all languages, looked up once a sentence."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

# Of the agent's sentences, and of people's.
SAID = ("cause", "settled", "rejected", "against", "open", "question", "narration", "means")
TOLD = ("ruling", "steering")
# A letter before a word ends it in scripts that put blanks between words, and nowhere else.
_SPACED = re.compile(r"[\w'’-]*[a-zа-яß-ÿ]", re.IGNORECASE)


@cache
def _read_table() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files(__package__) / "cues.toml").read_text(encoding="utf-8"))


def read_function_words() -> frozenset[str]:
    """The words of every language that say nothing alone."""
    return frozenset(word for words in _read_table()["function"].values() for word in words.split())


@cache
def read_cues() -> dict[str, re.Pattern[str]]:
    """The expression of each class."""
    made = {}
    for name in (*SAID, *TOLD):
        cues = [cue for language in _read_table().values() for cue in language.get(name, ())]
        made[name] = re.compile("|".join(map(_build, dict.fromkeys(cues))), re.IGNORECASE)
    return made


def _build(cue: str) -> str:
    start, body = (r"\A[\W_]*", cue[1:]) if cue.startswith("^") else (r"\b", cue)
    if not _SPACED.match(body.lstrip("(?:¿")):
        return (r"\A[\W_]*" if cue.startswith("^") else "") + body
    return f"{start}(?:{body})" + ("" if body.endswith(" ") else r"\b")


def find_cues(sentence: str, names: tuple[str, ...]) -> frozenset[str]:
    """The classes among `names` whose cues stand in the sentence."""
    plain = sentence.replace("’", "'")
    cues = read_cues()
    return frozenset(name for name in names if cues[name].search(plain))
