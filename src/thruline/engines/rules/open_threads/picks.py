"""Which items of a numbered list an answer takes up, which it leaves out, and whether it speaks of a class of them.

People pick by number ("fix 2 and 3", "#4", "item 5"), leave out by number ("all but 2"), or name a class ("each
critical one", "both"), of which the items are not known. A number that counts something, or that is denied, picks
nothing.
"""

from collections.abc import Iterator

from thruline.engines.rules.cues import find_cues
from thruline.pattern import compile_later

# A number with the marks of a list around it: "3", "#3", "3.", "(3)"; and what stands between two of them.
_PICK = compile_later(r"[#(]{0,2}(\d{1,2})[).,:;?!]*")
_JOINS = ("and", "&", "+", "or", "und", "et", "y", "e", "и")
# What ends a part of a sentence.
_ENDS = (",", ".", ";", ":", "!", "?")
# What is numbered elsewhere.
_OTHERS = ("pr", "mr", "request", "ticket", "step", "phase", "option")
# The first words of a message say what it is about; one of numbers alone is short.
MOST_WORDS, MOST_BARE = 40, 14


def find_picks(text: str, known: set[int]) -> set[int]:
    """Those of a list's numbers that a message takes up."""
    taken, left_out = read_numbers(text)
    if left_out & known and find_cues(_read_first(text), ("the_rest",)):
        return known - left_out
    return known & taken - left_out


def takes_class(text: str) -> bool:
    """Whether a message takes up a class of items and not each by its number: "both", "the critical ones"."""
    if len(text.split()) > MOST_WORDS or any(read_numbers(text)):
        return False
    cues = find_cues(text, ("takes_class", "ranked", "several"))
    return "takes_class" in cues or cues == {"ranked", "several"}


def read_numbers(text: str) -> tuple[set[int], set[int]]:
    """The numbers that a message picks ("fix 3 too", "#2 and 4", nothing but numbers), and those it leaves out."""
    words = _read_first(text).split()
    bare = len(words) < MOST_BARE and all(
        _PICK.fullmatch(word) or find_cues(word, ("choice", "granted")) or word in _JOINS for word in words
    )
    taken: set[int] = set()
    left_out: set[int] = set()
    for number, denied in _find_named(words, bare=bare):
        (left_out if denied else taken).add(number)
    return taken, left_out


def _read_first(text: str) -> str:
    return " ".join(text.strip().split("\n", 1)[0].split()[:MOST_WORDS])


def _find_named(words: list[str], *, bare: bool) -> Iterator[tuple[int, bool]]:
    """Each number that names an item, and whether it is denied."""
    named = denied = False
    before = ("", "")
    for word, after in zip(words, [*words[1:], ""], strict=True):
        number = _PICK.fullmatch(word)
        pair = f"{before[1]} {word}"
        if number is not None:
            named = named or bare or _names(word, before, after)
            if named:
                yield int(number[1]), denied
        elif (find_cues(word, ("denial",)) and not word.endswith(_ENDS)) or find_cues(pair, ("skips",)):
            named, denied = bool(find_cues(pair, ("skips",))), True
        elif find_cues(word, ("takes",)) and not find_cues(before[1], ("denial",)) and before[1] != "to":
            named = denied = False
        else:
            named = named and word in _JOINS
            denied = denied and not word.endswith(_ENDS) and word != "but"
        before = (before[1], word)


def _names(word: str, before: tuple[str, str], after: str) -> bool:
    """Whether a number names an item by what stands around it: "item 3" does, "fix 3 tests" counts."""
    if before[1].lower().strip("(") in _OTHERS:
        return False
    if word[0] == "#" or find_cues(before[1], ("numbered",)):
        return True
    if not find_cues(before[1], ("takes",)) and not find_cues(" ".join(before), ("takes_with",)):
        return False
    return word.endswith(_ENDS) or not after or after in _JOINS or bool(find_cues(after, ("after_pick",)))
