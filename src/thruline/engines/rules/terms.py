"""Which words of a session carry it: names, numbers and whatever it keeps coming back to.

No list of a language decides this but a short one of function words; what is said in most messages is function too.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from thruline.pattern import Signs, compile_later
from thruline.signals.cues import load_function_words

_TERM = compile_later(r"#?[^\W_](?:[\w./:@#\\-]*[^\W_])?")
# The same for text of ASCII alone, which is most of it, in a third of the time: blanks for all that no term has, and
# marks that may stand only within one.
_MARKS = "_./:@#\\-"
_BLANKING = bytes(code if code < 128 and (chr(code).isalnum() or chr(code) in _MARKS) else 32 for code in range(256))
_NAME = compile_later(r"[_./:@#\\]|\d|[a-z][A-Z]|^[A-Z]{2,}")
# What can be looked up elsewhere: a ticket, a pull request, a commit, a version, a port.
_REFERENCE = compile_later(
    r"#\d+|[a-z][a-z\d]+-\d+|(?=\w*\d)(?=\w*[a-f])[\da-f]{7,40}|v?\d+\.\d+(?:\.\d+)*"
    r"|https?://\S+/(?:pull|pulls|issues?|merge_requests|commit|browse)/\S+|(?:https?://)?(?:localhost|127\.0\.0\.1):\d+\S*"
)
_BOLD = compile_later(r"\*\*([^\W\d_][\w-]*(?: [\w-]+){1,3})\*\*")
_UNSPACED = Signs("\u2e80-\u9fff", "\uac00-\ud7af", "\uf900-\ufaff")
_FUNCTION = load_function_words()
# So many words are remembered, and so many texts.
MOST_WORDS, MOST_TEXTS = 16_384, 4_096


def find_terms(text: str) -> dict[str, bool]:
    """The terms of a text, lower case; the value tells whether it is a name (a path, an identifier, a number)."""
    return _find_all(text).copy()


# Several rules ask of the same sentence.
@lru_cache(maxsize=MOST_TEXTS)
def _find_all(text: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    words = split_plain(text) if text.isascii() else _TERM.findall(text)
    for told in map(_WORDS_READ.__getitem__, words):
        for term, name in told:
            if name or term not in found:
                found[term] = name
    for phrase in _BOLD.findall(text) if "**" in text else ():
        # What somebody set in bold is a term of the session's own vocabulary.
        found[" ".join(phrase.lower().split())] = True
    return found


@lru_cache(maxsize=2048)
def read_terms(text: str) -> tuple[str, ...]:
    """The terms alone, in order, remembered: a claim's words are weighed for every size of a brief that is tried."""
    return tuple(_find_all(text))


def split_plain(text: str) -> list[str]:
    """What stands between blanks in a text of ASCII; `trim_plain` takes off what is no part of a term."""
    return text.encode().translate(_BLANKING).decode().split()


def trim_plain(word: str) -> str:
    """The term without the marks around it, but for one # before it: "" of marks alone."""
    word = word.rstrip(_MARKS)
    bare = word.lstrip(_MARKS)
    return word[-len(bare) - 1 :] if word[: -len(bare)].endswith("#") and bare else bare


class _Words(dict[str, tuple[tuple[str, bool], ...]]):
    """The terms of each word, found out when it is first asked for."""

    def __missing__(self, word: str) -> tuple[tuple[str, bool], ...]:
        if len(self) > MOST_WORDS:
            self.clear()
        self[word] = told = _read_word(word)
        return told


_WORDS_READ = _Words()


def _read_word(word: str) -> tuple[tuple[str, bool], ...]:
    word = trim_plain(word) if word.isascii() else word
    if _UNSPACED.search(word):
        return tuple((word[at : at + 2], False) for at in range(max(1, len(word) - 1)))
    lowered = word.lower()
    if lowered in _FUNCTION or (len(lowered) < 2 and not lowered.isdigit()):
        return ()
    name = _NAME.search(word) is not None
    return ((lowered if name or "-" in word else stem(lowered), name),)


def is_function(word: str) -> bool:
    """Whether a word is one of the small ones of some language, which name nothing."""
    return word.lower() in _FUNCTION


def is_bare(text: str) -> bool:
    """Whether a longer line has none of the small words of a sentence: output, a heading, a list of names."""
    words = _WORDS.findall(text)
    return len(words) > 5 and not any(word.lower() in _FUNCTION for word in words) and not _UNSPACED.search(text)


_WORDS = compile_later(r"[^\W\d_]+")


def is_reference(term: str) -> bool:
    """Whether a term names something that can be looked up elsewhere."""
    # Each of them has a digit or a sign; most terms are words.
    return not term.isalpha() and _REFERENCE.fullmatch(term) is not None


def stem(word: str) -> str:
    """A plain word without the endings that do not change what it names."""
    for ending in ("ing", "ed", "es"):
        if len(word) - len(ending) >= 4 and word.endswith(ending):
            return word[: -len(ending)]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


class Weights:
    """How much each term of a session weighs. `texts` are all messages, `told` those of people."""

    __slots__ = ("_unknown", "_weights")

    def __init__(self, texts: Sequence[dict[str, bool]], told: Iterable[dict[str, bool]], extra: Iterable[str]) -> None:
        counts: dict[str, int] = {}
        names: set[str] = set()
        for terms in texts:
            for term, name in terms.items():
                counts[term] = counts.get(term, 0) + 1
                if name:
                    names.add(term)
        human: dict[str, int] = {}
        for terms in told:
            for term in terms:
                human[term] = human.get(term, 0) + 1
        many = max(4, 0.4 * len(texts))
        self._weights: dict[str, float] = {}
        for term, count in counts.items():
            weight = math.log2(1 + min(count, 12))
            if is_reference(term):
                weight = max(5.0, 1.6 * weight)
            elif term in names:
                weight *= 1.6
            elif count == 1:
                weight *= 0.5
            elif count > many:
                weight *= 0.3
            if term in human:
                weight *= 1.4
            self._weights[term] = weight
        for term in extra:
            self._weights[term] = 1.5 * self._weights.get(term, 1.0)
        self._unknown = 0.5

    def weigh(self, term: str) -> float:
        """The weight of one term."""
        return self._weights.get(term, self._unknown)

    def total(self, terms: Iterable[str]) -> float:
        """The weight of several."""
        weigh, unknown = self._weights.get, self._unknown
        return sum([weigh(term, unknown) for term in terms])
