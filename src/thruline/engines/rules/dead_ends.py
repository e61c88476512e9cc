"""Dead-ends, from structure: plans refused, turns gone back on, what was undone (`undone`), commands replaced."""

from collections.abc import Iterator
from itertools import pairwise

from thruline.brief.claims.names import render_command, render_path
from thruline.brief.corrections import build_withdrawn
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.alike import find_core, is_within
from thruline.engines.rules.basics import is_work
from thruline.engines.rules.candidates import DISPROVED, OVERRULED, QUESTIONED, SURE
from thruline.engines.rules.candidates.refused import find_announcing
from thruline.engines.rules.decided import quote_question, quote_refused
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_path
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import JOINT, build_quote
from thruline.engines.rules.settled import Since
from thruline.engines.rules.undone import build_undone
from thruline.session import parts
from thruline.session.ledger import CommandFact
from thruline.signals.signal import Signal

MOST = 3
# What a shell answers that does not find the program.
NOT_FOUND = 127
# The verdicts of a plan.
APPROVED, REFUSED = "approved", "refused"


def build_dead_ends(facts: Facts, since: Since) -> list[Claim]:
    """The newest few of each kind."""
    found = [signal for signal in facts.signals if signal.kind == "dead_end" and not signal.source]
    # What was taken back, and may have been no more than a question, brought nothing down.
    corrections = [one for one in facts.signals if one.kind == "correction" and one.strength >= SURE]
    claims: list[Claim] = [build_withdrawn(one) for one in corrections if one.withdrawn]
    for variety, build in _BUILDERS.items():
        # A plan that was refused twice is one dead end.
        mine = [one for one in found if one.variety == variety and one.quote.strip()]
        newest = list({_find_plan(one, facts).text or one.quote: one for one in mine}.values())[-MOST:]
        claims += [claim for signal in newest for claim in build(signal, facts)]
    return [*claims, *build_undone(facts), *_replaced(facts), *_refused(facts, since), *_passed_over(facts)]


def _refused(facts: Facts, since: Since) -> Iterator[Claim]:
    """Changes refused without a word and not made since; a reason that was typed is quoted as what it is."""
    typed = {message.line for message in facts.material.humans() if message.kind == "rejection"}
    done = {path: fact.last for path, fact in facts.ledger.files.items() if fact.how != ["read"]}
    refused = {
        failure.target: failure.line
        for failure in facts.material.failures
        if failure.outcome == parts.REFUSED and failure.action in ("edit", "write") and not failure.source
    }
    left = [
        (render_path(shorten_path(path, facts.summary.cwd), 100), line)
        for path, line in refused.items()
        if path and line not in typed and done.get(path, 0) < line and since.has_spoken(line)
    ][-MOST:]
    by_words: dict[Quote | None, list[tuple[str, int]]] = {}
    for name, line in left:
        by_words.setdefault(_quote_announcing(facts, line), []).append((name, line))
    for quote, changes in by_words.items():
        words = f"Refused, and not made since: changes to {', '.join(name for name, _ in changes)}."
        where = tuple(place(line) for _, line in changes)
        yield Claim(words, (quote,) if quote is not None else (), where, topic=OVERRULED, weight=0.5)


def _quote_announcing(facts: Facts, line: int) -> Quote | None:
    """The words with which the agent announced what was refused at a line."""
    before = [one for one in facts.material.messages if one.line < line and not one.source][-1:]
    span = find_announcing(before[0], line) if before and before[0].by == "agent" else None
    return None if span is None else build_quote(before[0], [span])


def _passed_over(facts: Facts) -> Iterator[Claim]:
    """What was offered first in the client's dialog and not chosen, with what was asked and what was chosen instead.

    An agent names first what it thinks best.
    """
    last = {asked.question: asked for asked in facts.material.asked if asked.answer.strip()}
    for asked in [one for one in last.values() if one.answer.strip() in one.options[1:]][-MOST:]:
        where = place(asked.line, source=asked.source, uuid=asked.uuid)
        told = (quote_question(asked.question, asked), Quote(asked.answer.strip(), where))
        quotes = (Quote(asked.options[0], where, "agent"), *told)
        yield Claim("Offered, and not chosen:", quotes, topic=QUESTIONED, weight=0.4)


def _plan(signal: Signal, facts: Facts) -> Iterator[Claim]:
    plan = _find_plan(signal, facts)
    quote = quote_refused(plan) if plan.text else Quote(signal.quote, place(signal.line, uuid=signal.uuid), "agent")
    if signal.withdrawn or _is_taken_up(signal, quote.text, facts):
        return
    yield Claim("A plan, refused:", (quote,), topic=OVERRULED, weight=0.6)


def _find_plan(signal: Signal, facts: Facts) -> Message:
    """The whole of a plan, as words of the agent's; without any for what is none."""
    plans = facts.material.plans if signal.variety == "plan" else ()
    text = next((one.text for one in plans if one.line == signal.line and not one.source and one.text.strip()), "")
    return Message("agent", "plan", text, signal.line, signal.uuid, "", 0)


def _is_taken_up(signal: Signal, quoted: str, facts: Facts) -> bool:
    """Whether a refused plan was approved after all, as it was, or the user's next words tell to go on with it."""
    plans = facts.material.plans
    texts = {plan.call_id: plan.text for plan in plans if plan.text}
    approved = [plan.call_id for plan in plans if plan.verdict == APPROVED and plan.line > signal.line]
    called = quoted.split("\n")[0].split(JOINT)[0]
    if any(called in texts.get(call, "") for call in approved):
        return True
    refused = [plan.line for plan in plans if plan.verdict == REFUSED and plan.line >= signal.line]
    answer = next((one for one in facts.material.humans() if refused and one.line > refused[0]), None)
    if answer is None or answer.kind == "rejection":
        return False
    kinds = {one.kind for one in facts.signals if one.line == answer.line and one.source == answer.source}
    return "decision" in kinds and "correction" not in kinds


def _rewind(signal: Signal, facts: Facts) -> Iterator[Claim]:
    """What the user asked for first on the way that was left: the rest of it goes without saying."""
    left = [one for one in facts.signals if one.variety == "rewind" and one.about == signal.about]
    if any(one.line < signal.line for one in left if one.source == signal.source):
        return
    quote = Quote(signal.quote, place(signal.line, uuid=signal.uuid), signal.by)
    yield Claim("Gone back on by the user, with all that followed:", (quote,), topic=OVERRULED, weight=0.55)


def _replaced(facts: Facts) -> Iterator[Claim]:
    """Commands that build, run or test, failed for good, and the other way that worked, with no change in between.

    After a change it may be the change that helped; and a command that passed later is no dead end.
    """
    commands = facts.ledger.commands
    here = facts.summary.cwd.rstrip("/") + "/"
    pairs = {one.quote: one.about for one in facts.signals if one.kind == "dead_end" and one.variety == "command"}
    ran = sorted((each for each in commands.values() if not each.source), key=lambda each: each.line)
    pairs |= {one.command: after.command for one, after in pairwise(ran) if one.exit_status == NOT_FOUND}
    changed = [line for fact in facts.ledger.files.values() if fact.changes for line in (fact.first, fact.last)]
    found: list[tuple[CommandFact, CommandFact]] = []
    for failed, worked in pairs.items():
        first, after = commands.get(failed), commands.get(worked)
        if first is None or after is None or (first.outcome, after.outcome) != (parts.ERROR, parts.OK):
            continue
        if is_within(find_core(failed.replace(here, "")), worked.replace(here, "")):
            continue  # the same, with more around it, or from another folder
        if is_work(failed) and is_work(worked) and not any(first.line < line < after.line for line in changed):
            found.append((first, after))
    for first, after in sorted(found, key=lambda pair: pair[0].line)[-MOST:]:
        words = f"{render_command(first.command, 90)} failed; {render_command(after.command, 90)} worked instead."
        where = (place(first.line), place(after.line))
        yield Claim(words, pointers=where, topic=DISPROVED, weight=0.35)


def _subagent(signal: Signal, facts: Facts) -> Iterator[Claim]:
    quote = Quote(signal.quote, place(signal.line, uuid=signal.uuid), "agent")
    yield Claim("A subagent was given up:", (quote,), topic=DISPROVED, weight=0.3)


_BUILDERS = {
    "plan": _plan,
    "rewind": _rewind,
    "subagent": _subagent,
}
