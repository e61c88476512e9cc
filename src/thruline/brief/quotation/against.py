"""Whether a text says no, and to what: "tabs, not spaces" is kept by who says tabs, and lost by who says spaces.

A summary that says what was refused, in nearly the same words, must not count as having kept the refusal.
"""

import re
from functools import cache

from thruline.pattern import compile_later
from thruline.signals.cues import load_denials, load_partings

_WORD = compile_later(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# The word of somebody who answers; what follows it is what they want.
_ANSWER = compile_later(r"^\W*(?:no|nope|nein|non|não|нет)\b[\s,.:;!-]+", re.IGNORECASE)


def denies(text: str) -> bool:
    """Whether a text says of something that it is not so, or shall not be; a question says neither."""
    if text.rstrip().endswith(("?", "？")):
        return False
    words = _WORD.findall(_ANSWER.sub("", text, 1).lower())
    denials = load_denials()
    return any(word in denials or word.endswith(("n't", "n’t")) for word in words)


def find_wanted(text: str) -> str:
    """The text without what it refuses beside what it wants; whole where it does only one of both."""
    answer = _ANSWER.match(text)
    begins = answer.end() if answer else 0
    found = _parting().search(text, begins)
    return text[: found.start()] if found and _WORD.search(text[begins : found.start()]) else text


@cache
def _parting() -> "re.Pattern[str]":
    phrases = "|".join(sorted(map(re.escape, load_partings()), key=len, reverse=True))
    return re.compile(rf"\s*(?:[,;(—–]\s*(?:and\s+)?(?:{phrases})|\b(?:instead of|rather than))\s", re.IGNORECASE)
