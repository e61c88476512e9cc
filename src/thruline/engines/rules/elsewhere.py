"""Words that belong to two sections stand once: which of them quotes, and which only points there.

What the user said last and nobody answered is an open thread, and may be a correction or a rule as well. Those are told
where their kind is, with what they overruled; the open thread then points to them.
"""

from collections.abc import Container, Iterable, Sequence

from thruline.brief.dedupe import contains_quote
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import RULES, Candidate
from thruline.engines.rules.claims import RANKS
from thruline.engines.rules.open_threads import UNANSWERED_WORDS
from thruline.value import replace

# A message's source and line.
Place = tuple[str, int]


def find_moved(candidates: Sequence[Candidate], claims: Iterable[Claim]) -> list[Candidate]:
    """The pieces of unanswered words that stand among dead ends or rules, of messages that hold any."""
    heads = {
        (quote.pointer.source, quote.pointer.line): quote.text
        for claim in claims
        if claim.text in UNANSWERED_WORDS
        for quote in claim.quotes
    }
    if not heads:
        return []
    there = [each for each in candidates if each.message.by == "human" and _place(each) in heads]
    ruled = {_place(each) for each in there if each.topic in RANKS or each.topic == RULES}
    quoted = [each for each in there if each.text in heads[_place(each)] or heads[_place(each)] in each.text]
    return [each for each in quoted if _place(each) in ruled]


def settle(
    claims: list[Claim], said: list[tuple[str, Claim]], moved: Iterable[Candidate]
) -> tuple[list[Claim], list[tuple[str, Claim]]]:
    """Both with unanswered words quoted once: an open thread points where `said` has them, `moved` or beside others.

    What is pointed to must be kept like the thread itself.
    """
    places = frozenset(_place(each) for each in moved)
    settled, held = list(claims), list(said)
    for number, claim in enumerate(claims):
        if claim.text not in UNANSWERED_WORDS:
            continue
        pointers = []
        for quote in claim.quotes:
            where = (quote.pointer.source, quote.pointer.line)
            for at, (section, other) in enumerate(held):
                same = [one for one in other.quotes if (one.pointer.source, one.pointer.line) == where]
                if same and (where in places or any(contains_quote(one, quote) for one in same)):
                    weight = max(other.weight, claim.weight)
                    held[at] = section, replace(other, keep=True, weight=weight)
                    pointers.append(quote.pointer)
        quotes = tuple(quote for quote in claim.quotes if quote.pointer not in pointers)
        settled[number] = replace(claim, quotes=quotes, pointers=(*claim.pointers, *dict.fromkeys(pointers)))
    return settled, held


def drop_unanswered(
    candidates: Iterable[Candidate], taken: Iterable[Candidate], quoted: Container[Place], *, replies: bool = True
) -> list[Candidate]:
    """Without what was overruled by words that are neither `taken` nor `quoted`: alone it is no dead end.

    Nor is a reply without the words that it answers, or one that other claims quote; without `replies` there is none.
    """
    told: set[int] = set()
    corrected: set[int] = set()
    for each in taken:
        if each.topic in RANKS or each.topic == RULES:
            told.update(id(one) for one in (each.message, *each.again))
        if each.topic in RANKS and each.message.by == "human":
            corrected.add(id(each.message))
    corrected = corrected if replies else set()
    return [each for each in candidates if _stands(each, told, corrected, quoted)]


def _stands(each: Candidate, told: Container[int], corrected: Container[int], quoted: Container[Place]) -> bool:
    if each.reply_to is not None:
        return id(each.reply_to) in corrected and _place(each) not in quoted
    answer = each.overruled_by
    return answer is None or id(answer) in told or (answer.source, answer.line) in quoted


def _place(candidate: Candidate) -> Place:
    return candidate.message.source, candidate.message.line
