"""The corrections that the rules mined, quoted among the dead ends as sure as the rules are of them.

Apart from what merges a model's claims: the rules' own brief is made without any of that.
"""

from collections.abc import Iterable, Mapping

from thruline.brief.dedupe import contains_quote
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim, Section
from thruline.brief.wording import TAKEN_BACK
from thruline.signals.people import is_strongest
from thruline.signals.signal import Signal
from thruline.value import replace

_SURE, _DOUBTED = "Overruled by the user", "Questioned or redirected by the user"


def add_corrections(sections: Mapping[str, Section], signals: Iterable[Signal]) -> dict[str, Section]:
    """The sections with each of these corrections quoted in one of them; those that are missing go to the dead ends.

    They stand there as the rules sort them: what may be none is not said to be one.
    """
    told = [quote for section in sections.values() for claim in section.claims for quote in claim.quotes]
    added = []
    for signal in signals:
        if signal.kind != "correction" or not signal.quote.strip():
            continue
        quote = Quote(signal.quote, place(signal.line, source=signal.source, uuid=signal.uuid), signal.by)
        if not any(contains_quote(one, quote) for one in told):
            topic = _SURE if is_strongest(signal) else _DOUBTED
            plain = Claim(quotes=(quote,), topic=topic, weight=signal.strength, keep=True)
            added.append(build_withdrawn(signal) if signal.withdrawn else plain)
    ends = sections.get("dead_ends", Section("dead_ends"))
    claims = [claim for claim in ends.claims if not (added and claim.statement)]
    return {**sections, "dead_ends": replace(ends, claims=(*claims, *added))}


def build_withdrawn(signal: Signal) -> Claim:
    """A correction that was taken back: the user's words all the same, and where they were taken back."""
    quote = Quote(signal.quote, place(signal.line, source=signal.source, uuid=signal.uuid), signal.by)
    return Claim(
        TAKEN_BACK,
        (quote,),
        (place(signal.withdrawn, source=signal.source),),
        topic=_SURE if is_strongest(signal) else _DOUBTED,
        weight=signal.strength,
        keep=True,
    )
