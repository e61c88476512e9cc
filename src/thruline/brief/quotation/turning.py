"""Whether a cut in a quotation may turn what is left: "add a pause" is no honest piece of "don't add a pause".

A cut at the edge of a sentence or a clause leaves out a whole thought. One in the middle of a clause leaves the reader
with half of it, so the half that is gone must not be what denied, forbade or only offered the other. Errs on the side
of doubt: some words of these only limit ("only", "instead"), and turn a sentence as well.
"""

import re
from collections.abc import Iterator

from thruline.pattern import compile_later
from thruline.signals.cues import load_conditions, load_denials, load_doubts, load_partings

# What ends a clause: a stop or a comma with a blank behind it, a bracket, a dash between blanks, a line.
_EDGE = r"[.!?:,;](?=[\s*_`\"'”’»)\]]|\Z)|[。！？：；，、]|[()\[\]{}«»“”„—–…|\n]|\s-{1,2}\s|->|→|=>"
_EDGES = compile_later(_EDGE)
_ASKED = compile_later(r"[?？](?=[\s*_`\"'”’»)\]]|\Z)")
_STOPS = compile_later(r"[.!?](?=[\s*_`\"'”’»)\]]|\Z)|[。！？\n]")
# Marks that stand around words and end no clause themselves.
_MARKS = " \t*_`~\"'‘’>#"
_WORD = compile_later(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# In scripts without blanks, and in Korean, where it is a part of a word.
_UNSPACED: tuple[str, ...] = ("不", "没", "沒", "無", "无", "别", "別", "勿", "未", "非", "禁止")
_UNSPACED += ("ない", "なく", "なし", "ません", "ぬ")
_UNSPACED += ("않", "못", "없", "아니", "말고", "말아", "금지")
_LONGEST = 2_000
_LONGEST_PARTING = 40
# Clauses that commas join are one sentence: "If it fails, …", "…, but only if …".
_COMMA_BEFORE = compile_later(r"[,，、][\s*_`\"'”’»)\]]*\Z")
_COMMA_BEHIND = compile_later(r"[\s*_`\"'”’»)\]]*[,，、]")
_JOINING = frozenset(("and", "but", "or", "und", "aber", "y", "pero", "et", "mais", "e", "mas", "и", "но"))
_NEAR = 120
# I'll, I'd.
_SHORT = ("'ll", "'d")


def turns(text: str) -> bool:
    """Whether words that are left out deny, forbid or limit something."""
    words = _find_words(text)
    denied = not load_denials().isdisjoint(words) or any(word.endswith("n't") for word in words)
    return denied or any(map(text.__contains__, _UNSPACED))


def _find_words(text: str) -> list[str]:
    # Only apostrophes of "n't" and its kin are words' own; "l'exclure" is not looked for.
    return _WORD.findall(text.lower().replace("’", "'"))


def turns_before(text: str, at: int, least: int = 0) -> bool:
    """Whether what a cut right before `at` leaves out of its sentence turns what stands behind it.

    In its own clause that is a denial, a condition, a doubt or an offer ("I could …"); in those that commas join to it,
    a condition.
    """
    gone = find_left_before(text, at, least)
    words = _find_words(gone)
    unsure = load_conditions() | load_doubts()
    if turns(gone) or not unsure.isdisjoint(words) or any(word.endswith(_SHORT) for word in words):
        return True
    start = at - len(gone)
    while (comma := _COMMA_BEFORE.search(text, max(least, start - _NEAR), start)) is not None:
        start = comma.start() - len(find_left_before(text, comma.start(), least))
        if _opens_condition(text[start : comma.start()]):
            return True
        if start == comma.start():
            break
    return False


def turns_behind(text: str, at: int, most: int) -> bool:
    """Whether what a cut right behind `at` leaves out of its sentence turns what stands before it.

    A question without its mark is a statement. What stands behind "instead of …" is what is refused: nothing in it
    turns what stands before.
    """
    if _ASKED.match(text, at, most):
        return True
    if ends_in_denial(text, at):
        return False
    gone = find_left_behind(text, at, most)
    if turns(gone) or not load_conditions().isdisjoint(_find_words(gone)):
        return True
    # The comma may have stayed.
    comma = _COMMA_BEFORE.search(text, max(0, at - _NEAR), at) or _COMMA_BEHIND.match(text, at + len(gone), most)
    return comma is not None and _opens_condition(text[comma.end() : min(most, comma.end() + _NEAR)])


def _opens_condition(clause: str) -> bool:
    words = _find_words(clause)
    first = next((word for word in words if word not in _JOINING), "")
    return first in load_conditions()


def ends_in_denial(text: str, at: int) -> bool:
    """Whether the words before `at` end in one that denies: what follows is what they deny, as in `instead of …`."""
    before = text[max(0, at - _LONGEST_PARTING) : at].rstrip(_MARKS).lower()
    return any(before == one or before.endswith((f" {one}", f"\n{one}")) for one in load_partings())


def find_left_before(text: str, at: int, least: int) -> str:
    """What a cut right before `at` leaves out of the clause that goes on there; "" at the edge of one."""
    start = at
    while start > least and text[start - 1] in _MARKS:
        start -= 1
    first = max(least, start - _LONGEST)
    last = max((match.end() for match in _find_edges(text, first, at)), default=first)
    return text[last:at] if last < start else ""


def find_left_behind(text: str, at: int, most: int) -> str:
    """What a cut right behind `at` leaves out of the clause that ends there; "" at the edge of one."""
    before = at
    while before > 0 and text[before - 1] in _MARKS:
        before -= 1
    if before == 0 or (_EDGES.match(text, before - 1) and not _wraps(text, before - 1)):
        return ""
    end = at
    while end < most and text[end] in _MARKS and not _EDGES.match(text, end):  # " - " begins with a blank
        end += 1
    found = next(_find_edges(text, end, min(most, end + _LONGEST)), None)
    last = found.start() if found else min(most, end + _LONGEST)
    return text[at:last] if last > end else ""


def _find_edges(text: str, start: int, end: int) -> "Iterator[re.Match[str]]":
    return (match for match in _EDGES.finditer(text, start, end) if not _wraps(text, match.start()))


def _wraps(text: str, at: int) -> bool:
    """Whether a line that ends in a word is only wrapped there: the next goes on with a small letter."""
    if text[at] != "\n":
        return False
    return text[max(0, at - _NEAR) : at].rstrip()[-1:].isalnum() and text[at : at + _NEAR].lstrip()[:1].islower()


def find_sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the whole sentences that `start` and `end` stand in."""
    first = max(0, start - _LONGEST)
    stops = [match.end() for match in _STOPS.finditer(text, first, start) if not _wraps(text, match.start())]
    begins = max(stops, default=first)
    last = end
    while last > start and text[last - 1] in _MARKS:
        last -= 1
    most = min(len(text), end + _LONGEST)
    later = _STOPS.finditer(text, max(start, last - 1), most)
    ends = next((match.end() for match in later if not _wraps(text, match.start())), most)
    return begins, max(end, ends)


def begins_clause(text: str, at: int) -> bool:
    """Whether a clause begins at `at`: no word of it stands before, or only one that joins it; a line begins one."""
    gone = find_left_before(text, at, 0).rpartition("\n")[2]
    return not any(map(str.isalnum, gone)) or gone.strip(_MARKS).lower() in _JOINING


def ends_clause(text: str, at: int) -> bool:
    """Whether a clause ends at `at`."""
    return not any(map(str.isalnum, find_left_behind(text, at, len(text)).partition("\n")[0]))


def find_clause(text: str, at: int) -> int:
    """Where the clause begins that goes on at `at`: `at` itself at the edge of one, 0 in the text's first."""
    return at - len(find_left_before(text, at, 0))
