"""Whether what stands in a brief of the rules alone stands where the rules put such things.

True words mislead in another place: a dead end among the conclusions, what the session did below *git says*, an answer
under words that it did not answer. Only what the rules always do is asked; a model sorts its claims as it likes.
"""

from collections.abc import Iterator, Sequence

from thruline.brief.attempts.watch import TOPIC as ATTEMPTS
from thruline.brief.claims.labels import DISPROVED, OVERRULED, QUESTIONED, SUMMARY, find_topics
from thruline.brief.claims.stated import find_facts
from thruline.brief.document import Document, Stated
from thruline.brief.kept.terms import find_terms, is_small
from thruline.brief.proof.turns import Turns
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import GIT, HEADINGS, SESSION
from thruline.brief.wording import ANOTHER_WAY, FOUND_WANTING, RULED, TAKEN_BACK, WRONG_GUESS
from thruline.signals.confirming import is_confirmed

_LATER, _CONFLICTS = "Left for later by the user", "Conflicts"
# Which topics a section has; basics have all others.
_TOPICS = {
    "convergence": frozenset[str](),
    "dead_ends": frozenset((OVERRULED, QUESTIONED, DISPROVED)),
    "code_state": frozenset((GIT, SESSION)),
    "open_threads": frozenset((_LATER, _CONFLICTS, ATTEMPTS)),
}
_ELSEWHERE = frozenset[str]().union(*_TOPICS.values())
# All that the rules tell there stands under one; what the basics begin with has no heading.
_SORTED = frozenset(("dead_ends",))
# What leads to words that nobody stands by any more.
_REJECTING = (TAKEN_BACK, WRONG_GUESS, FOUND_WANTING, ANOTHER_WAY, RULED)


def check_places(document: Document, turns: Turns | None = None) -> Iterator[tuple[int, str]]:
    """What stands where the rules put nothing of the kind, each with its line and why.

    Without `turns` nobody can tell which words were answered.
    """
    # One without Sources is a piece of a brief, or made by hand: nothing says that the rules sorted it.
    if not document.is_brief or document.made_by != {"rules"} or not document.sources:
        return
    topics = find_topics(document)
    sorted_out = {claim.section for claim in document.claims if topics[claim.first]} & _SORTED
    for claim in document.claims:
        topic = topics[claim.first]
        if not topic and claim.section in sorted_out:
            yield claim.first, "stands under no topic, beside claims that do"
        elif not claim.marked:
            yield from ((claim.first, what) for what in _check_claim(document, claim, topic, turns))
    if not document.headings:
        yield from _find_empty(document)


def _check_claim(document: Document, claim: Stated, topic: str, turns: Turns | None) -> Iterator[str]:
    known = _TOPICS.get(claim.section)
    if topic and (topic not in known if known is not None else topic in _ELSEWHERE):
        yield f"stands under {topic}, which is no part of this section"
        return
    quotes = [placed.quote for placed in document.find_quotes(claim)]
    line = document.lines[claim.first]
    led = line.lstrip("-* ").startswith(_REJECTING)
    # The user's words stand there with one meaning: that what the agent reported works.
    rest = quotes[:-1] if len(quotes) > 1 and not _is_early(quotes) and is_confirmed(quotes[-1].text) else quotes
    if claim.section == "convergence" and (led or any(quote.by == "human" for quote in rest)):
        yield "stands among the conclusions, and is what somebody rejected or asked for"
    if topic == GIT and any(find_facts(line)):
        yield "stands under git says, and is what the session did"
    if topic == SUMMARY and any(quote.by != "client" for quote in quotes):
        yield "stands under the client's summary, and is not the client's"
    if topic in (OVERRULED, QUESTIONED) and _is_early(quotes):
        yield "the user said this before what it is said to answer"
    elif topic in (OVERRULED, QUESTIONED) and turns is not None and _is_stale(quotes, turns):
        yield "the user answered other words of the agent"


def _is_early(quotes: Sequence[Quote]) -> bool:
    """Whether words of the user's stand under words of the agent's that came later."""
    if [quote.by for quote in quotes[:2]] != ["agent", "human"]:
        return False
    first, answer = quotes[0].pointer, quotes[1].pointer
    return first.source == answer.source and answer.line < first.line


def _is_stale(quotes: Sequence[Quote], turns: Turns) -> bool:
    """Whether words of the agent's stand above an answer to later ones, and no word of it takes them up."""
    if [quote.by for quote in quotes[:2]] != ["agent", "human"]:
        return False
    first, answer = quotes[0].pointer, quotes[1].pointer
    if first.source or answer.source or turns.is_answered(first.line, answer.line):
        return False
    # A claim of before may be what fell: then the user or the reply speaks of the same.
    taken_up = {term for quote in quotes[1:] for term in find_terms(quote.text)}
    return not any(term in taken_up and not is_small(term) for term in find_terms(quotes[0].text))


def _find_empty(document: Document) -> Iterator[tuple[int, str]]:
    """The headings below which nothing stands: where there is nothing, the rules say so.

    What may not be left out of the open threads is asked for by itself (`frame.py`).
    """
    empty = -1
    for at, line in enumerate(document.lines):
        text = line.strip()
        if text in HEADINGS or text.startswith("## "):
            if empty >= 0:
                yield empty, "nothing stands below it, not even that there is nothing"
            empty = at if HEADINGS.get(text, "open_threads") != "open_threads" else -1
        elif text and not text.startswith("### "):
            empty = -1
    if empty >= 0:
        yield empty, "nothing stands below it, not even that there is nothing"
