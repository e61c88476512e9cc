"""Dead-ends, from structure: plans refused, turns gone back on, edits undone, work put back."""

from collections.abc import Iterator

from thruline.brief.merge import build_withdrawn
from thruline.brief.names import render_name
from thruline.brief.pointer import place
from thruline.brief.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import DISPROVED, OVERRULED
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_path
from thruline.signals.signal import Signal

MOST = 3


def build_dead_ends(facts: Facts) -> list[Claim]:
    """The newest few of each kind."""
    found = [signal for signal in facts.signals if signal.kind == "dead_end" and not signal.source]
    claims: list[Claim] = [build_withdrawn(one) for one in facts.signals if one.withdrawn and one.kind == "correction"]
    for variety, build in _BUILDERS.items():
        # A plan that was refused twice is one dead end.
        newest = list({signal.quote: signal for signal in found if signal.variety == variety}.values())[-MOST:]
        claims += [claim for signal in newest for claim in build(signal, facts)]
    return claims


def _plan(signal: Signal, facts: Facts) -> Iterator[Claim]:
    quote = Quote(signal.quote, place(signal.line, uuid=signal.uuid), "agent")
    yield Claim("A plan, refused:", (quote,), topic=OVERRULED, weight=0.6)


def _rewind(signal: Signal, facts: Facts) -> Iterator[Claim]:
    quote = Quote(signal.quote, place(signal.line, uuid=signal.uuid), signal.by)
    yield Claim("Gone back on by the user, with all that followed:", (quote,), topic=OVERRULED, weight=0.55)


def _edit(signal: Signal, facts: Facts) -> Iterator[Claim]:
    name = render_name(shorten_path(signal.quote, facts.summary.cwd), 100)
    yield Claim(f"An edit of {name} was undone.", pointers=(place(signal.line),), topic=DISPROVED, weight=0.4)


def _reverted(signal: Signal, facts: Facts) -> Iterator[Claim]:
    words = f"Work was put back with {render_name(signal.quote, 90)}."
    yield Claim(words, pointers=(place(signal.line),), topic=DISPROVED, weight=0.35)


def _subagent(signal: Signal, facts: Facts) -> Iterator[Claim]:
    words = f"A subagent was given up: {render_name(signal.quote, 90)}."
    yield Claim(words, pointers=(place(signal.line),), topic=DISPROVED, weight=0.3)


_BUILDERS = {
    "plan": _plan,
    "rewind": _rewind,
    "edit_undone": _edit,
    "reverted": _reverted,
    "subagent": _subagent,
}
