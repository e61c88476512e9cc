"""Corrections that no sentence tells: a word, a number, a place in a file, what was pasted without a word of one's own.

They say little and count as much: who refuses an edit with "no" has refused it. What is told of them is what was mined.
"""

from collections.abc import Iterable, Sequence

from thruline.brief.claims.names import render_call
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import OVERRULED, Candidate
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_call
from thruline.signals.people import is_strongest
from thruline.signals.signal import Signal


def build_curt(facts: Facts, signals: Sequence[Signal], candidates: Iterable[Candidate]) -> list[Claim]:
    """A claim for each correction that the miner is sure of and none of `candidates` would quote."""
    told = {(one.message.source, one.message.line) for one in candidates if not one.passing}
    left = [one for one in signals if is_strongest(one) and not one.withdrawn and (one.source, one.line) not in told]
    if not left:
        return []
    about = {
        (message.source, message.line): message.about
        for message in facts.material.humans()
        if message.kind == "rejection"
    }
    found = []
    for signal in left:
        if signal.kind != "correction" or not signal.quote.strip():
            continue
        call = about.get((signal.source, signal.line), "")
        words = f"Refused {render_call(shorten_call(call, facts.summary.cwd), 80)}:" if call else ""
        quote = Quote(signal.quote, place(signal.line, source=signal.source, uuid=signal.uuid), signal.by)
        found.append(Claim(words, (quote,), topic=OVERRULED, weight=signal.strength, keep=True))
    return found
