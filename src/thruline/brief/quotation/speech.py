"""What is speech in a line: the marks that words are quoted with, and how many words a sentence has in any script."""

import re
from collections.abc import Iterator
from functools import cache

from thruline.brief.claims.saying import load_saying
from thruline.pattern import compile_later

# Fewer quoted words are a term, not somebody's sentence; where the line tells who said them, one fewer will do.
SENTENCE = 3
SAID = 2
# Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese are written without blanks; Korean is not.
_UNSPACED = compile_later("[\u0e00-\u109f\u1780-\u17ff\u2e80-\uabff\uf900-\ufaff\U00020000-\U0003ffff]")
_LETTERS_A_WORD = 2
_LONGEST = 2_000


def count_words(text: str) -> int:
    """How many words a text has; of a script without blanks two letters count as one."""
    letters = [letter for letter in _UNSPACED.findall(text) if letter.isalnum()]
    spaced = _UNSPACED.sub(" ", text) if letters else text
    return len([word for word in spaced.split() if any(map(str.isalnum, word))]) + -(-len(letters) // _LETTERS_A_WORD)


def find_quoted(text: str) -> Iterator[tuple[int, int, str]]:
    """What stands between two quotation marks of one family: from, to (the marks included), and the words."""
    for match in _pairs().finditer(text):
        yield match.start(), match.end(), match[0][1:-1]


def drop_marks(text: str) -> str:
    """The text without quotation marks, so that nothing in it looks quoted."""
    return text.translate(_every_mark())


@cache
def _pairs() -> "re.Pattern[str]":
    families = [re.escape(marks) for marks in load_saying().marks]
    opens, closes = map(re.escape, load_saying().single)
    every = "".join(families)
    pairs = [rf"[{marks}][^{marks}\n]{{1,{_LONGEST}}}[{marks}]" for marks in families]
    # An apostrophe stands within a word, or behind one of which no opening mark was seen.
    pairs.append(rf"(?<![\w{opens}])[{opens}](?=\S)[^\n{opens}]{{1,{_LONGEST}}}?(?<=\S)[{closes}](?!\w)")
    # Opened with a mark of one family and closed with one of another.
    pairs.append(rf"[{every}][^{every}\n]{{1,{_LONGEST}}}[{every}]")
    return re.compile("|".join(pairs))


@cache
def _every_mark() -> dict[int, None]:
    return dict.fromkeys(map(ord, "".join(load_saying().marks)))
