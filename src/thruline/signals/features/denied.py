"""A fault denied is praise: "not bad at all", "no problem, take your time" read as the "ok" that they mean.

The judges go by single words, and of these only "not" and "bad" are left. The fact this rests on: said for itself,
between marks, such a phrase means one thing in every situation. The side it errs on: one that goes on ("no problem in
the first file") or is asked ("not bad?") stays as it is.
"""

import re
from functools import cache

from thruline.signals.cues import load_denied, load_language, split_words
from thruline.signals.features.text import Text, read_text

OK = r"\g<1>ok"
# So many phrases before it only frame it ("hmm, that's not bad").
MOST_BEFORE = 3
_MARKS = r"[.!,;:。！、，…]"


def read_denied(text: str) -> Text:
    """The text, read with "ok" where a fault or a hurry is denied."""
    read = read_text(text)
    telling, spaced = _find_telling(), read.language.spaced
    if spaced and telling.keys().isdisjoint(read.plain):
        return read
    names = {telling[word] for word in read.plain if word in telling} if spaced else {read.language.name}
    said = text.replace("\u2019", "'")
    count = 0
    for name in sorted(names):
        said, changes = _compile(name).subn(OK, said)
        count += changes
    return read_text(said) if count else read


@cache
def _find_telling() -> dict[str, str]:
    """The last word of each phrase, with the language it is of: most messages have none of these words."""
    return {
        split_words(phrase)[-1]: name
        for name, listed in reversed(load_denied().items())
        if load_language(name).spaced
        for phrase in listed["denied"]
    }


@cache
def _compile(name: str) -> re.Pattern[str]:
    listed = load_denied()[name]
    works = {work: "|".join(sorted(map(re.escape, phrases), key=len, reverse=True)) for work, phrases in listed.items()}
    before = rf"(?:(?:{works['before']})\s*,?\s+){{0,{MOST_BEFORE}}}" if listed["before"] else ""
    behind = rf"(?:\s+(?:{works['behind']}))*" if listed["behind"] else ""
    on = rf"|\s+(?:{works['on']})\b" if listed["on"] else ""
    return re.compile(
        rf"(\A\s*|\n\s*|[.!?,;:。！？、，…]\s*){before}(?:{works['denied']}){behind}"
        rf"(?=\s*(?:{_MARKS}|\n|\Z)|\s+[-–—]\s{on})",
        re.IGNORECASE,
    )
