"""The words of a text that can be found again in other words: names, numbers, and whatever is no small word."""

from functools import lru_cache

from thruline.pattern import Signs, compile_later
from thruline.signals.cues import load_function_words

_TERM = compile_later(r"(?:(?<![\w-])--?)?[^\W_](?:[\w./:@#\\+'’-]*[^\W_])?")
_NAME = compile_later(r"[_./:@#\\]|\d|[a-z][A-Z]|^-")
# Words that were only put together: `step/checkpoint`, `per-file`, `366-367`, `15-minute`, `45s`.
_JOINED = compile_later(r"[^\W\d_]{2,}(?:[/-][^\W\d_]{2,})+|\d+-(?:\d+|[^\W\d_]+)|\d+[a-z]{1,3}")
_JOINT = compile_later("[/-]|(?<=\\d)(?=[a-z])")
_APOSTROPHE = compile_later("['’]")
_UNSPACED = Signs("\u2e80-\u9fff", "\uac00-\ud7af", "\uf900-\ufaff")
_CHOICE = compile_later("[B-HJ-Z]")
_CHOSEN = compile_later(r"\b\d\b")
_SHORT = 3
_SMALL = load_function_words()


def find_terms(text: str) -> dict[str, bool]:
    """The words of a text, lower case; the value tells whether it is a name: a path, an identifier, a number."""
    found: dict[str, bool] = {}
    for word in _TERM.findall(text):
        if _UNSPACED.search(word):
            found.update((word[at : at + 2], False) for at in range(max(1, len(word) - 1)))
            continue
        for each in _JOINT.split(word) if _JOINED.fullmatch(word) else (word,):
            # A number of one digit counts things or points into a list; a capital alone names one of several.
            found[each.lower()] = is_name(each) if len(each) > 1 else _CHOICE.fullmatch(each) is not None
    return found


def is_name(word: str) -> bool:
    """Whether it is written as names are: with a sign, a digit or a capital inside."""
    return _NAME.search(word) is not None


@lru_cache(1 << 16)
def is_small(word: str) -> bool:
    """Whether a word, in lower case, only holds a sentence together; short ones mostly do."""
    if _UNSPACED.search(word):
        return False
    return len(word) <= _SHORT or all(part in _SMALL for part in _APOSTROPHE.split(word))


def count_content(text: str) -> int:
    """How much a text says when it stands alone: one for each word that is not small, two for a name."""
    said = sum(2 if name else not is_small(term) for term, name in find_terms(text).items())
    return said + (_CHOSEN.search(text) is not None)  # option 4


def flatten(text: str) -> str:
    """The words of a text with single blanks between them and around them, lower case: for looking up a phrase."""
    return f" {' '.join(_TERM.findall(text.lower()))} "
