"""Whole sentences: where the one begins and ends that words of a record stand in.

"add a pause" stands in "No, don't add a pause." and says the opposite. What a model quotes or copies is shown as the
sentence it was said in, and where the part that was left out turns it, what the model says of it goes.
"""

import re
from collections.abc import Iterable

from thruline.brief.quotation.evidence import Evidence, Text
from thruline.brief.quotation.quote import CUT, Quote, join_lines, split_cuts
from thruline.brief.quotation.turning import find_left_before, find_left_behind, turns
from thruline.brief.section import QUOTED, Claim, Section
from thruline.pattern import compile_later
from thruline.redact import redact
from thruline.value import dataclass, replace

_BORDER = compile_later(r"[.!?。！？]+[\"'”’»)\]*_`]*(?:\s+|\Z)|(?<=[。！？])|\n+")
_SEVERAL = compile_later(rf"{re.escape(QUOTED)}(?:\s+{re.escape(QUOTED)})+")
# A sentence that is longer is a page; of it the words stand as they were quoted.
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class _Widened:
    """A quotation as a whole sentence; `turned` where what was left out of it turns what was quoted."""

    quote: Quote
    turned: bool = False


def find_whole(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From where to where the sentences go that `start` and `end` stand in; None where that is very far."""
    first = max(0, start - _LONGEST)
    before = [match.end() for match in _BORDER.finditer(text, first, start + 1) if match.end() <= start]
    behind = _BORDER.search(text, max(start, end - 1), min(len(text), end + _LONGEST))
    if (not before and first) or (behind is None and end + _LONGEST < len(text)):
        return None
    last = behind.start() + len(behind[0].rstrip()) if behind is not None else len(text)
    return before[-1] if before else 0, max(end, last)


def widen_quotes(sections: Iterable[Section], evidence: Evidence) -> tuple[Section, ...]:
    """The sections with every quotation that a model cut out of a sentence made that sentence."""
    return tuple(
        replace(section, claims=tuple(_widen_claim(claim, evidence) for claim in section.claims))
        for section in sections
    )


def _widen_claim(claim: Claim, evidence: Evidence) -> Claim:
    widened = [_widen(quote, evidence) for quote in claim.quotes]
    # What leads to "add a pause" is not true of "don't add a pause".
    text = "" if any(one.turned for one in widened) else _SEVERAL.sub(QUOTED, claim.text)
    return replace(claim, text=text, quotes=tuple(dict.fromkeys(one.quote for one in widened)))


def _widen(quote: Quote, evidence: Evidence) -> _Widened:
    if quote.pointer.kind != "transcript":
        return _Widened(quote)
    texts = [text for text in evidence.find_held(quote.pointer) if text.by == quote.by]
    found = (_widen_in(quote, text) for text in texts)
    return next((one for one in found if one is not None), _Widened(quote))


def _widen_in(quote: Quote, text: Text) -> _Widened | None:
    source = redact(join_lines(text.text)).text
    pieces = [piece for piece in split_cuts(quote.text) if piece]
    if not pieces:
        return None
    start = source.find(pieces[0])
    end = start
    for piece in pieces:
        at = source.find(piece, end)
        if at < 0:
            return None
        end = at + len(piece)
    opens, closes = quote.text.startswith(CUT), quote.text.endswith(CUT)
    whole = find_whole(source, start, end)
    if whole is None:
        return _Widened(quote)
    left = ("" if opens else find_left_before(source, start, 0)) + "\n"
    left += "" if closes else find_left_behind(source, end, len(source))
    head = "" if opens else source[whole[0] : start].lstrip()
    tail = "" if closes else source[end : whole[1]].rstrip()
    return _Widened(replace(quote, text=f"{head}{quote.text}{tail}"), turns(left))
