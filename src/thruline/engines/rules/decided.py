"""What was decided through the client: answers given in its dialog, plans that were approved there.

Nobody typed a word, so no message tells it, and yet nothing in a session is more surely decided. An answer is quoted
with its question, since "the second" or "yes" says nothing alone; a plan with what it calls itself.
"""

import re
from collections.abc import Iterator

from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.quotation.shorten import shorten
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import ASKED, LIKELY, SURE
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.signals.signal import Signal

# Which part of the room all of it may take: little where a brief is small, since people's own words come first.
SMALL_SHARE, ROOMY_SHARE, ROOMY = 9, 4, 6_000
# Which part of that one plan may take, and the most of it; in a small brief its name says it.
PLAN_PART, LONGEST_PLAN = 2, 400
LONGEST_QUESTION, LONGEST_ANSWER = 200, 300
# The most of a plan that was refused, and how many terms tell it from any other.
LONGEST_REFUSED, TELLING = 300, 2
# What a quotation costs beside its words.
LINE_COST = 31
# The oldest and the newest of it.
LEAST_WEIGHT, NEWER = 0.5, 0.1
# The verdicts of a plan.
PROPOSED, APPROVED, REFUSED = "proposed", "approved", "refused"

_TITLE = compile_later(r"^#+[ \t]+(\S.{3,200})$", re.MULTILINE)


def build_decided(facts: Facts, room: int) -> list[Claim]:
    """Every answer and every approved plan, as far as their share of the room goes: the newest first."""
    roomy = room > ROOMY
    left = room // (ROOMY_SHARE if roomy else SMALL_SHARE)
    found = [*_find_answers(facts), *_find_approved(facts, min(left // PLAN_PART, LONGEST_PLAN) if roomy else 0)]
    found.sort(key=lambda claim: -claim.shown)
    kept: list[Claim] = []
    for claim in found:
        cost = len(claim.text) + sum(len(quote.text.encode()) + LINE_COST for quote in claim.quotes)
        if cost <= left:
            left -= cost
            kept.append(claim)
    return kept[::-1]


def _find_answers(facts: Facts) -> Iterator[Claim]:
    """The last answer to each question; one that is a rule or a correction stands where those do."""
    settling = [one for one in facts.signals if one.by == "human" and _is_told_elsewhere(one)]
    last = {" ".join(asked.question.split()): asked for asked in facts.material.asked if asked.answer.strip()}
    for asked in last.values():
        answer = asked.answer.strip()
        if any((one.source, one.line) == (asked.source, asked.line) and one.quote in answer for one in settling):
            continue
        where = place(asked.line, source=asked.source, uuid=asked.uuid)
        quotes = (quote_question(asked.question, asked), shorten(Quote(answer, where), LONGEST_ANSWER))
        told = tuple(one for one in quotes if one.text)
        yield Claim("", told, topic=ASKED, weight=_weigh(facts, asked), shown=asked.line)


def _is_told_elsewhere(signal: Signal) -> bool:
    least = {"correction": SURE, "constraint": LIKELY}.get(signal.kind)
    return least is not None and signal.strength >= least


def quote_question(question: str, at: parts.Part | Message) -> Quote:
    """A question of the agent's at that place, without what leads to it: "" where nothing was asked."""
    units = [question[span.start : span.end] for span in split_units(question)]
    asking = [unit for unit in units if unit.endswith(("?", "？"))]
    words = asking[-1] if asking else question.strip()
    return shorten(Quote(words, place(at.line, source=at.source, uuid=at.uuid), "agent"), LONGEST_QUESTION)


def _find_approved(facts: Facts, most: int) -> Iterator[Claim]:
    """Plans that were approved and not refused later; what a session was begun with is told as that."""
    plans = facts.material.plans
    proposed = {plan.call_id: plan for plan in plans if plan.call_id and plan.verdict == PROPOSED and plan.text.strip()}
    refused = {proposed.get(plan.call_id, plan).text.strip(): plan.line for plan in plans if plan.verdict == REFUSED}
    begun = [part.text for part in facts.material.handed if part.kind == "plan"]
    # The words stand in the proposal; what the verdict's record repeats differs by version.
    approved = [(plan, proposed.get(plan.call_id, plan)) for plan in plans if plan.verdict == APPROVED]
    last = {told.text.strip(): (plan, told) for plan, told in approved if not told.source}
    for text, (plan, told) in last.items():
        if not text or refused.get(text, 0) > plan.line or any(text in one for one in begun):
            continue
        message = Message("agent", "plan", told.text, told.line, told.uuid, told.source, 0)
        quote = quote_plan(message, most)
        if quote.text:
            where = () if plan is told else (place(plan.line, source=plan.source, uuid=plan.uuid),)
            yield Claim("Approved plan:", (quote,), where, topic=ASKED, weight=_weigh(facts, plan), shown=plan.line)


def quote_plan(message: Message, most: int) -> Quote:
    """What a plan is called, and as much of its beginning as fits: what is wrong and what is to be done about it."""
    title = _TITLE.search(message.text)
    units = split_units(message.text)
    spans = [title.span(1)] if title else [(span.start, span.end) for span in units[:1]]
    for at, span in enumerate(units):
        most -= span.end - span.start
        if most < 0:
            break
        # What leads to a block of code leads to nothing here.
        leads = message.text[: span.end].endswith((":", "：")) and not (at + 1 < len(units) and units[at + 1].item)
        if spans and span.start > spans[0][1] and not leads:
            spans.append((span.start, span.end))
    return build_quote(message, spans, roomy=True)


def quote_refused(message: Message) -> Quote:
    """What a refused plan is called, unless that is what any is called ("Plan"), and the first that it says."""
    title = _TITLE.match(message.text.lstrip())
    spans = []
    if title is not None and len(find_terms(title[1])) >= TELLING:
        shift = len(message.text) - len(message.text.lstrip())
        spans = [(title.start(1) + shift, title.end(1) + shift)]
    units = [(one.start, one.end) for one in split_units(message.text)]
    says = [one for one in units if _says_something(message.text[slice(*one)])] or units
    spans += says[:1]
    if not spans:
        spans = [(0, len(message.text.rstrip()))]
    return shorten(build_quote(message, spans), LONGEST_REFUSED)


def _says_something(unit: str) -> bool:
    return not unit.endswith((":", "：")) and len(find_terms(unit)) >= TELLING


def _weigh(facts: Facts, part: parts.Part) -> float:
    return LEAST_WEIGHT + NEWER * part.line / max(1, facts.material.last_line)
