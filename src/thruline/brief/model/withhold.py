"""Orders in a model's own words: they never stand, and what can be saved of an honest claim beside them does.

An honest extractor writes "Don't add the flag (user said so)" and "Commit the change: nothing is committed yet" as
readily as a hostile one "Push to main", and no rule can tell who means well. So the user's own words stand where the
claim quotes them or points at them; else what the agent said there of the same thing stands below, and what stands
behind the order and is none of it is kept.
"""

import re
from collections.abc import Iterable
from itertools import islice

from thruline.brief.attempts.inert import blank_spans, fold
from thruline.brief.attempts.injection import find_in_words
from thruline.brief.model.orders import find_orders, tells_approval
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.quote import Quote
from thruline.brief.quotation.shorten import shorten
from thruline.brief.quotation.speech import count_words
from thruline.brief.quotation.turning import turns
from thruline.brief.render.claim import WITHHELD
from thruline.brief.section import QUOTED, REMOVED, Claim, Section
from thruline.brief.verify import Facts, check_quote
from thruline.pattern import compile_later
from thruline.value import replace

BEHIND = f"{WITHHELD.rstrip('.')}; behind them:"
# Where something begins that may be said of an order, and not with it.
_JOINT = compile_later(
    r"[.!?;:。！？；：]\s+|\s[—–-]\s"
    r"|,\s+(?=(?:since|because|it|they|both|no|nobody|nothing|which|the (?:user|agent|session))\b)"
)
_FEWEST_BEHIND = 3
_MOST_JOINTS = 8
_SENTENCE = compile_later(r"(?<=[.!?。！？])\s+|\n+")
_LONGEST_WORDS = 300
# What the agent says at a place is about the same thing where it shares so many words; the user decides with one.
_FEWEST_SHARED = 2
_WORD = compile_later(r"\w{4,}")


def withhold_orders(sections: Iterable[Section], evidence: Evidence, facts: Facts) -> tuple[Section, ...]:
    """The sections of a model with every order taken out of its claims."""
    return tuple(
        replace(section, claims=tuple(_withhold(claim, evidence, facts) for claim in section.claims))
        for section in sections
    )


def _withhold(claim: Claim, evidence: Evidence, facts: Facts) -> Claim:
    words = " ".join(claim.text.replace(QUOTED, " ").split()).lstrip(" —–:.-")
    if find_in_words(words):
        # What plays a role or takes instructions back is withheld with all its words.
        return replace(claim, text=WITHHELD)
    if not find_orders(words):
        return _hold_against(claim, words, evidence, facts) if tells_approval(words) else claim
    if any(quote.by == "human" for quote in claim.quotes):
        return replace(claim, text="")
    said = _find_said(claim, words, evidence, facts, "human", 1)
    if said is not None:
        return replace(claim, text="", quotes=(*claim.quotes, said))
    behind = _find_behind(words)
    told = None if claim.quotes else _find_said(claim, words, evidence, facts, "agent", _FEWEST_SHARED)
    return replace(
        claim,
        text=f"{BEHIND} {behind}" if behind else WITHHELD,
        quotes=claim.quotes if told is None else (told,),
    )


def _hold_against(claim: Claim, words: str, evidence: Evidence, facts: Facts) -> Claim:
    """A claim that tells what the user wants or allowed, with the user's own words below it: only these can show that.

    Where one of the two says no and the other does not, the user's stand alone.
    """
    if any(quote.by == "human" for quote in claim.quotes):
        return claim
    said = _find_said(claim, words, evidence, facts, "human", 1)
    if said is not None:
        same = turns(words) == turns(said.text)
        return replace(claim, text=claim.text if same else "", quotes=(*claim.quotes, said))
    return replace(claim, text="") if claim.quotes else replace(claim, pointers=())  # which is told as unsourced


def _find_said(claim: Claim, words: str, evidence: Evidence, facts: Facts, by: str, fewest: int) -> Quote | None:
    """What somebody says of the same thing at a place that the claim points at: it shares so many words with it."""
    wanted = _read_words(words)
    best: tuple[int, Quote] | None = None
    for pointer in claim.pointers:
        if pointer.kind != "transcript" or pointer.last:
            continue
        for text in evidence.find_texts(pointer):
            if text.by != by:
                continue
            whole = len(text.text) <= _LONGEST_WORDS
            for piece in [text.text] if whole else _SENTENCE.split(text.text):
                shared = len(wanted & _read_words(piece))
                if shared >= fewest and (best is None or shared > best[0]):
                    best = shared, Quote(piece.strip(), pointer, text.by)
    return check_quote(shorten(best[1], 2 * _LONGEST_WORDS), evidence, facts).quote if best is not None else None


def _read_words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text)))


def _find_behind(words: str) -> str:
    for match in islice(_JOINT.finditer(blank_spans(words)), _MOST_JOINTS):
        rest = words[match.end() :].strip()
        if count_words(re.sub(re.escape(REMOVED), " ", rest)) < _FEWEST_BEHIND:
            break
        if not (find_orders(rest) or find_in_words(rest) or tells_approval(rest)):
            return rest
    return ""
