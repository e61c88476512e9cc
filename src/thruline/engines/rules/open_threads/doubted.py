"""What the agent said must be verified first, and of which nobody said later that it was.

Work goes on upon such a supposition and settles in files, which proves nothing about it: only later words that
something was verified, or that speak of it to the user or by them, take it from here.
"""

from collections.abc import Iterator

from thruline.brief.section import Claim
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.settled import share_most
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import Span, split_units

# Of the agent's reports so many are read, the newest; so many doubts are told.
MOST_READ, MOST = 40, 2
# So much of a person's message is held against a doubt.
MOST_COMPARED = 2_000


def build_doubted(facts: Facts) -> Iterator[Claim]:
    """The claims about doubts that stand, the newest first."""
    finals = [message for message in facts.material.agents() if message.final][-MOST_READ:]
    found = [(message, span) for message in reversed(finals) for span in _find_doubts(message)]
    told = 0
    for message, span in found:
        if told == MOST or _is_settled(message, span, facts):
            continue
        told += 1
        quote = build_quote(message, [(span.start, span.end)])
        yield Claim("To be verified, as the agent told; nobody said that it was:", (quote,), weight=0.5)


def _find_doubts(message: Message) -> Iterator[Span]:
    for span in split_units(message.text):
        if find_cues(message.text[span.start : span.end], ("unproved",)):
            yield span


def _is_settled(message: Message, span: Span, facts: Facts) -> bool:
    mine = find_terms(message.text[span.start : span.end])
    for one in facts.material.messages:
        if one.line <= message.line:
            continue
        if one.by == "human":
            if share_most(mine, find_terms(one.text[:MOST_COMPARED])):
                return True
        elif find_cues(one.text, ("proved",)):
            sentences = [one.text[unit.start : unit.end] for unit in split_units(one.text)]
            if any(find_cues(each, ("proved",)) and share_most(mine, find_terms(each)) for each in sentences):
                return True
    return False
