"""What of a name would read as a sentence, told by its form: how many plain words stand in a row.

A folder, a file, a branch or a session may be called anything, also by somebody who wants to be obeyed. One word is a
name, however it is put together (`delete_the_tests.py`), and so are two; three with blanks between them can say
something. Such a part of a name is written in numbers: it can be decoded, and it does not read.
"""

import re

from thruline.pattern import compile_later

# Scripts that are written without blanks: South and South-East Asia, Chinese, Japanese; and Korean, which has few.
# As pairs, since a pattern of them takes longer to compile than a whole brief's names to look at.
_UNSPACED = (
    ("\u0e00", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u2e80", "\ud7af"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)
# Blanks, and what stands for one in an address.
_BLANK = compile_later(r"(?:\s|%20|%C2%A0|%E3%80%80)+", re.IGNORECASE)
_WORD = compile_later(r"[^\W\d_]{2,}")
_PARTS = compile_later(r"(/+|\\+(?!\s))")  # a blank behind a backslash is escaped by it
_ENDING = compile_later(r"\.[A-Za-z0-9]{1,5}\Z")
_MOST_WORDS = 2
_MOST_LETTERS = 11


def is_prose(part: str) -> bool:
    """Whether a part of a name has more words than a name needs."""
    if part.isascii() and "%" not in part and len(part.split()) <= _MOST_WORDS:
        return False  # nearly all are
    if len([word for word in _BLANK.split(part) if _WORD.search(word)]) > _MOST_WORDS:
        return True
    return count_unspaced(part) > _MOST_LETTERS


def count_unspaced(text: str) -> int:
    """How many signs of a text are of a script that is written without blanks."""
    if text.isascii():
        return 0
    return sum(any(first <= sign <= last for first, last in _UNSPACED) for sign in text if sign >= _UNSPACED[0][0])


def split_parts(name: str) -> list[str]:
    """The parts of a path, and at odd places what stands between them."""
    return _PARTS.split(name)


def percent(text: str) -> str:
    """Every byte of `text` as `%XX`."""
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


def percent_prose(part: str) -> str:
    """A part that reads as a sentence, as numbers; its ending, which tells what kind of file it is, stays."""
    ending = _ENDING.search(part)
    return percent(part[: ending.start()]) + ending[0] if ending and ending.start() else percent(part)
