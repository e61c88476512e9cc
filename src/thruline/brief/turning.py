"""Whether a cut in a quotation may turn what is left: "add a pause" is no honest piece of "don't add a pause".

A cut at the edge of a sentence or a clause leaves out a whole thought. One in the middle of a clause leaves the reader
with half of it, so the half that is gone must not be what denied or forbade the other. Errs on the side of doubt: some
words of these only limit ("only", "instead"), and turn a sentence as well.
"""

from functools import cache

from thruline.pattern import compile_later
from thruline.signals.cues import load_denials, load_partings

# What ends a clause: a stop or a comma with a blank behind it, a bracket, a dash between blanks, a line.
_EDGE = r"[.!?:,;](?=[\s*_`\"'”’»)\]]|\Z)|[。！？：；，、]|[()\[\]{}«»“”„—–…|\n]|\s-{1,2}\s|->|→|=>"
_EDGES = compile_later(_EDGE)
# Marks that stand around words and end no clause themselves.
_MARKS = " \t*_`~\"'‘’>#"
_WORD = compile_later(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# In scripts without blanks, and in Korean, where it is a part of a word.
_UNSPACED: tuple[str, ...] = ("不", "没", "沒", "無", "无", "别", "別", "勿", "未", "非", "禁止")
_UNSPACED += ("ない", "なく", "なし", "ません", "ぬ")
_UNSPACED += ("않", "못", "없", "아니", "말고", "말아", "금지")
_LONGEST = 2_000
_LONGEST_PARTING = 40


def turns(text: str) -> bool:
    """Whether words that are left out deny, forbid or limit something."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return any(word in _denials() or word.endswith("n't") for word in words) or any(map(text.__contains__, _UNSPACED))


@cache
def _denials() -> frozenset[str]:
    # Only apostrophes of "n't" are words' own; "l'exclure" is not looked for.
    return load_denials()


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
    last = first
    for match in _EDGES.finditer(text, first, at):
        last = match.end()
    return text[last:at] if last < start else ""


def find_left_behind(text: str, at: int, most: int) -> str:
    """What a cut right behind `at` leaves out of the clause that ends there; "" at the edge of one."""
    before = at
    while before > 0 and text[before - 1] in _MARKS:
        before -= 1
    if before == 0 or _EDGES.match(text, before - 1):
        return ""
    end = at
    while end < most and text[end] in _MARKS:
        end += 1
    found = _EDGES.search(text, end, min(most, end + _LONGEST))
    last = found.start() if found else min(most, end + _LONGEST)
    return text[at:last] if last > end else ""


def find_clause(text: str, at: int) -> int:
    """Where the clause begins that goes on at `at`: `at` itself at the edge of one, 0 in the text's first."""
    return at - len(find_left_before(text, at, 0))
