"""Open-threads & conflicts, from structure: tasks not done, words not answered, work not run, not committed."""

import math
from collections.abc import Iterator

from thruline.brief.claims.names import render_path
from thruline.brief.pointer import place
from thruline.brief.proof.printed import shows_run
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.candidates.candidate import LIKELY, PERHAPS
from thruline.engines.rules.cues import WILL, find_plain_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import GONE, REVERTED, STASHED, WRITTEN, Touched, is_outside, shorten_path
from thruline.engines.rules.material import Failure, Message
from thruline.engines.rules.open_threads.doubted import build_doubted
from thruline.engines.rules.open_threads.failing import build_failing
from thruline.engines.rules.open_threads.listed import build_listed
from thruline.engines.rules.open_threads.planned import build_planned
from thruline.engines.rules.open_threads.set_aside import build_set_aside
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.settled import Since, share
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.gitfacts import NoAnswer
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.ledger import PROSE
from thruline.session.summary import INTERRUPTED, MID_TURN, UNANSWERED
from thruline.signals.signal import Signal

UNCOMMITTED = "not committed by the session:"
_ENDS = {
    UNANSWERED: "The last thing the user said was not answered.",
    INTERRUPTED: "The user interrupted the last step.",
    MID_TURN: "The session ends in the middle of a turn.",
}
# What was typed while the agent was at work may be several messages, none of which it came to.
_UNHEARD = "The last things the user said were not answered."
MOST, MOST_UNHEARD = 6, 4
# What such a claim says, whose quotations stand among dead ends or rules where they belong there.
UNANSWERED_WORDS = frozenset((_ENDS[UNANSWERED], _UNHEARD))
# Intents count in the last part of a session, and only the newest.
INTENT_LATE, MOST_INTENTS = 0.15, 3
# "I'll help you with that." announces nothing.
FEW_TERMS = 3
# What was asked for is quoted whole, if it is not longer.
LONGEST_WISH = 320
CONFLICTS = "Conflicts"
# The first words of an error; what stands between angle brackets is a tag around it.
# What is as it was, lies elsewhere, or is of a kind that git may ignore: what a command printed.
_NOT_OWED = frozenset((REVERTED, STASHED, GONE, WRITTEN))
_WHY = compile_later(r"(?:\A|[>\n])\s*([^\n<>]{8,160})")


def build_open_threads(facts: Facts, since: Since, touched: list[Touched], *, roomy: bool) -> list[Claim]:
    """The claims that structure tells, whatever anyone said of it; `touched` are the files that the session changed."""
    return [
        *_unanswered(facts),
        *build_planned(facts, since, roomy=roomy),
        *_tasks(facts, since),
        *_failed(facts, since),
        *_unproved(facts, touched),
        *build_set_aside(facts),
        *_questions(facts, since),
        *build_listed(facts, since, roomy=roomy),
        *build_doubted(facts),
        *_intents(facts, since, MOST_INTENTS if roomy else 1),
        *_conflicts(facts, since),
    ]


def _unanswered(facts: Facts) -> Iterator[Claim]:
    words = _ENDS.get(facts.summary.state)
    humans = facts.material.humans()
    if not words:
        return
    if facts.summary.state == UNANSWERED and humans:
        last = [*_find_unheard(facts), humans[-1]][-MOST_UNHEARD:]
        quotes = tuple(build_quote(one, [_head(one.text)]) for one in last)
        yield Claim(words if len(last) == 1 else _UNHEARD, quotes=quotes, weight=0.95, keep=True)
        return
    quotes = (*_last_wish(facts), *_last_step(facts))
    yield Claim(words, quotes, (place(facts.material.last_line),), weight=0.9)


def _find_unheard(facts: Facts) -> list[Message]:
    """What was said before the last words and not heard either, without what stands among dead ends or rules."""
    before = facts.material.unheard[:-1]
    return [one for one in before if one.kind != "rejection" and not _is_ruled(one, facts)]


def _is_ruled(message: Message, facts: Facts) -> bool:
    least = {"correction": PERHAPS, "constraint": LIKELY}
    mined = [one for one in facts.signals if (one.source, one.line) == (message.source, message.line)]
    return any(one.strength >= least.get(one.kind, math.inf) for one in mined)


def _last_wish(facts: Facts) -> tuple[Quote, ...]:
    """What the user asked for in a turn that was not ended, unless that stands among dead ends or rules."""
    humans = [one for one in facts.material.humans() if one.kind != "rejection"]
    if not humans or _is_ruled(humans[-1], facts) or len(find_terms(humans[-1].text)) < FEW_TERMS:
        return ()
    text = humans[-1].text
    whole = len(text) - len(text.lstrip()), len(text.rstrip())
    return (build_quote(humans[-1], [whole if whole[1] - whole[0] <= LONGEST_WISH else _head(text)]),)


def _last_step(facts: Facts) -> tuple[Quote, ...]:
    """What the agent said last in a turn that it did not end: what it was about to do."""
    last = facts.material.messages[-1] if facts.material.messages else None
    spans = split_units(last.text) if last is not None and last.by == "agent" else []
    return (build_quote(last, [(spans[-1].start, spans[-1].end)]),) if last is not None and spans else ()


def _head(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return start, len(text.rstrip()) if end < 0 else end


def _tasks(facts: Facts, since: Since) -> Iterator[Claim]:
    tasks = facts.material.tasks
    if tasks is None:
        return
    left = [(text, status) for text, status in tasks.items if status in ("pending", "in_progress") and text.strip()]
    # Agents forget to tick off what they did last: it is not owed once they worked on and the user took the turn's end.
    over = since.has_spoken(tasks.line) and not since.is_idle(tasks.line)
    left = [one for one in left if one[1] == "pending" or not (over or since.is_done(one[0], tasks.line))]
    for text, status in left[:MOST]:
        words = "Begun, not finished:" if status == "in_progress" else "Not begun:"
        where = place(tasks.line, source=tasks.source, uuid=tasks.uuid)
        yield Claim(words, quotes=(Quote(text.strip(), where, "agent"),), weight=0.75)
    if len(left) > MOST:
        yield Claim(f"{len(left) - MOST} more tasks are not done.", pointers=(place(tasks.line),), weight=0.4)


def _failed(facts: Facts, since: Since) -> Iterator[Claim]:
    done = {path: fact.last for path, fact in facts.ledger.files.items() if fact.how != ["read"]}
    told: dict[str, None] = {}
    refused: list[tuple[str, int]] = []
    for failure in reversed(facts.material.failures):
        if failure.source or failure.target in told or len(told) >= MOST:
            continue
        told[failure.target] = None
        if failure.action not in ("edit", "write") or done.get(failure.target, 0) >= failure.line:
            continue
        name = render_path(shorten_path(failure.target, facts.summary.cwd), 100)
        # Where the user spoke after it, the refusal is their last word on it: a dead end, nothing owed.
        if failure.outcome == parts.REFUSED and not since.has_spoken(failure.line):
            refused.append((name, failure.line))
        elif failure.outcome == parts.ERROR:
            words = f"A change to {name} failed and was not made again."
            yield Claim(words, _why(failure), (place(failure.line),), weight=0.7)
    if refused:
        names = ", ".join(name for name, _ in refused)
        words = f"Refused by the user and not made since: changes to {names}."
        yield Claim(words, pointers=tuple(place(line) for _, line in refused[:3]), weight=0.65)
    yield from build_failing(facts)


def _why(failure: Failure) -> tuple[Quote, ...]:
    found = _WHY.search(failure.text)
    return (
        (Quote(found[1].strip(), place(failure.line, source=failure.source, uuid=failure.uuid), "tool"),)
        if found
        else ()
    )


def _unproved(facts: Facts, every: list[Touched]) -> Iterator[Claim]:
    touched = [each for each in every if not each.source and each.how not in _NOT_OWED]
    if not touched:
        return
    last = max(each.line for each in touched)
    ran = max((each.begun for each in facts.ledger.commands.values() if not each.source), default=0)
    unproved = [each.line for each in touched if each.line > ran and not each.name.lower().endswith(PROSE)]
    if unproved and not _was_tried(facts, max(unproved)):
        yield _flag_always("untested: nothing ran after the last edit.", last)
    committed = max((made.line for made in facts.ledger.commits if not made.source), default=0)
    after = [each for each in touched if each.line > committed and not is_outside(each.name)]
    after.sort(key=lambda each: -each.line)
    if after and (committed or facts.ledger.commits_elsewhere):
        names = ", ".join(render_path(each.name, 80) for each in after[:5])
        more = f" and {len(after) - 5} more" if len(after) > 5 else ""
        words = f"{UNCOMMITTED} {names}{more}."
        yield _flag_always(words, committed or last, last)
    elif after and not facts.ledger.commits and not facts.aside.ledger.commits:
        yield _flag_always("uncommitted: the session made no commit.", last)


def _was_tried(facts: Facts, line: int) -> bool:
    """Whether the user ran it after a line, and showed what came of it."""
    return any(shows_run(one.text) for one in facts.material.humans() if one.line > line and not one.source)


def _flag_always(words: str, first: int, last: int = 0) -> Claim:
    """A flag that no brief of any size leaves out, below what else is open: `verify` asks for it (docs/formats)."""
    where = place(first, last if last != first else 0)
    return Claim(words, pointers=(where,), weight=0.96, shown=1, keep=True, flag=True)


def _questions(facts: Facts, since: Since) -> Iterator[Claim]:
    for asked in facts.material.asked[-3:]:
        # Whoever closes the dialog and types instead has answered, or left the question behind.
        if not asked.answer and asked.question.strip() and not since.has_spoken(asked.line):
            where = place(asked.line, source=asked.source, uuid=asked.uuid)
            yield Claim("Asked, not answered:", quotes=(Quote(asked.question, where, "agent"),), weight=0.7)


def _intents(facts: Facts, since: Since, most: int) -> Iterator[Claim]:
    """What the agent said it will do near the end, with no change by the session after it, and git shows nothing."""
    humans = [message.line for message in facts.material.humans()]
    # The last turn and the one before it; what was announced earlier was done, or overtaken by what the user said.
    turn = humans[-2] if len(humans) > 1 else 0
    late = max(turn, facts.material.last_line * (1 - INTENT_LATE), _find_last_change(facts))
    intents = [s for s in facts.signals if s.kind == "intent" and s.by == "agent" and not s.source and s.line >= late]
    asked = "git" if not facts.git.absent and not isinstance(facts.git.status, NoAnswer) else "the session"
    intents = [one for one in intents if _is_announced(one.quote)]
    told = [one for one in intents if len(terms := find_terms(one.quote)) > FEW_TERMS or any(terms.values())]
    open_ = [one for one in told if not (since.is_done(one.quote, one.line) or _is_in_git(one, facts))]
    for signal in open_[-most:]:
        words = f"announced; {asked} shows no such change:"
        where = place(signal.line, uuid=signal.uuid)
        yield Claim(words, quotes=(Quote(signal.quote, where, "agent"),), weight=0.55, flag=True)


def _find_last_change(facts: Facts) -> int:
    files = [fact.last for fact in facts.ledger.files.values() if fact.how != ["read"] and not fact.source]
    return max([*files, *(made.line for made in facts.ledger.commits if not made.source)], default=0)


def _is_announced(text: str) -> bool:
    return find_plain_cues(text, WILL) == {"announced"}


def _is_in_git(signal: Signal, facts: Facts) -> bool:
    made: list[str] = []
    if facts.git.status is not None and not isinstance(facts.git.status, NoAnswer):
        made += [change.path for change in facts.git.status.changes] + list(facts.git.status.untracked)
    if not isinstance(facts.git.log, NoAnswer):
        made += [commit.subject for commit in facts.git.log if commit.authored_at >= signal.time]
    return share(find_terms(signal.quote), find_terms(" ".join(made).replace("/", " ")))


def _conflicts(facts: Facts, since: Since) -> Iterator[Claim]:
    done = {path: fact for path, fact in facts.ledger.files.items() if fact.how != ["read"]}
    refused = {failure.target: failure for failure in facts.material.failures if failure.outcome == parts.REFUSED}
    later = [(each, done[path]) for path, each in refused.items() if path in done and done[path].last > each.line]
    # Refused with a reason and made again is how people and agents work; refused and made all the same is not.
    later = [(each, fact) for each, fact in later if not since.has_spoken(each.line, fact.last)]
    for failure, fact in later[-2:]:
        name = render_path(shorten_path(failure.target, facts.summary.cwd), 100)
        words = f"a change to {name} was refused, and the file was changed after that."
        yield Claim(words, pointers=(place(failure.line), place(fact.last)), topic=CONFLICTS, weight=0.25, flag=True)
