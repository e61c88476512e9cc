"""Names of definitions in a claim's words: which may stand there, and which beside each other.

Whoever writes a file chooses them, and a brief tells several in a row outside any quotation. A name of many words, or
one that reads like an order, is left out: its file is told anyway. A list of plain words would spell a sentence, so a
list has two of them at most, as a name may have two words (`prose.py`), one name with a small word such as `the` or
`and` in it, without which no sentence gets far, and its own order instead of the file's.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from thruline.brief.attempts.prose import count_unspaced
from thruline.brief.claims.names import encode_name, reads_like_order
from thruline.pattern import compile_later

_WORD = compile_later(r"[^\W\d_]+")
_CAMEL = compile_later(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SMALL = frozenset(("a", "all", "always", "an", "and", "any", "are", "as", "at", "before", "but", "by", "do", "dont"))
_SMALL |= {"every", "everything", "for", "from", "have", "i", "if", "in", "instead", "into", "is", "it", "its", "must"}
_SMALL |= {"my", "never", "no", "not", "now", "of", "on", "only", "or", "our", "please", "should", "so", "than", "that"}
_SMALL |= {"the", "them", "then", "these", "this", "those", "to", "until", "us", "we", "when", "with", "without"}
_SMALL |= {"you", "your"}
# What an order begins with, whatever comes; and with what where a small word comes. Without patterns: those for a
# claim's own words take longer to compile than all of this takes.
_URGING = frozenset(("always", "dont", "kindly", "must", "never", "please"))
_VERBS = frozenset(("accept", "add", "allow", "answer", "approve", "ask", "bypass", "change", "commit", "continue"))
_VERBS |= {"delete", "deploy", "disable", "disregard", "download", "drop", "email", "enable", "erase", "execute"}
_VERBS |= {"fetch", "follow", "force", "forget", "give", "grant", "ignore", "install", "kill", "leave", "make", "merge"}
_VERBS |= {"obey", "open", "post", "pretend", "print", "publish", "push", "read", "release", "remove", "reply", "reset"}
_VERBS |= {"respond", "reveal", "revert", "rewrite", "run", "say", "send", "skip", "stop", "tell", "trust", "upload"}
_VERBS |= {"use", "visit", "wipe", "write"}
# So many words a name may have; from so many on it can order.
_MOST_WORDS, _ORDERED = 4, 3
# Longer ones are several that were run together.
_LONGEST_WORD = 16
_MOST_UNSPACED = 4
_MOST_PLAIN, _MOST_SMALL = 2, 1


def choose_symbols(names: Iterable[str]) -> list[str]:
    """Those of the names, the weightiest first, that may stand in one list; in the order of the alphabet."""
    kept: list[str] = []
    plain = small = 0
    for name in names:
        words = _split(name)
        if not is_symbol(name):
            continue
        plain += len(words) < 2
        small += not _SMALL.isdisjoint(words)
        if (len(words) < 2 and plain > _MOST_PLAIN) or (not _SMALL.isdisjoint(words) and small > _MOST_SMALL):
            continue
        if not _orders([*kept, name]):
            kept = sorted([*kept, name], key=str.lower)
    return kept


@lru_cache(maxsize=1024)
def is_symbol(name: str) -> bool:
    """Whether a definition's name may be told at all: short, and no words to its reader."""
    words = _split(name)
    if not 0 < len(words) <= _MOST_WORDS or max(map(len, words)) > _LONGEST_WORD:
        return False
    if encode_name(name) != name or count_unspaced(name) > _MOST_UNSPACED:
        return False
    return not _orders([name])


def _split(name: str) -> list[str]:
    return _WORD.findall(_CAMEL.sub(" ", name).lower())


def _orders(names: list[str]) -> bool:
    """Whether names read one after another, in the order that they would be told in, say what to do."""
    words = [word for name in sorted(names, key=str.lower) for word in _split(name)]
    if len(names) < 2 and len(words) < _ORDERED:
        return False
    if any(first in _URGING or (first in _VERBS and second in _SMALL) for first, second in pairwise(words)):
        return True
    return len(names) > 1 and reads_like_order(" ".join(words))
