"""What became of each claim that a model wrote on its way into a brief, so that nothing of it is lost unsaid.

The words themselves are not told again: who runs `handoff finalize` may be a model, and what was withheld must not
reach it by another door. A place and a reason are enough to write the claim anew.
"""

from collections.abc import Iterable, Mapping

from thruline.brief.model.withhold import BEHIND
from thruline.brief.render import Rendered
from thruline.brief.render.claim import WITHHELD, render_claim
from thruline.brief.section import NAMES, REMOVED, Claim, Section
from thruline.value import dataclass, replace

KEPT = "kept"
MOVED = "moved"
SAID, PARTLY, ORDER = "said", "partly", "withheld"
UNPROVED, STRUCK, DROPPED = "unsourced", "struck", "dropped"
REPEATED, CUT = "repeated", "cut"
# What each means for whoever wrote the claim; how a brief says that all is well is not told.
MEANING = {
    MOVED: "copied from the transcript word for word: stands as a quotation",
    SAID: "reads like an order: the user's own words stand in its place",
    PARTLY: "reads like an order: only what stands behind it is kept",
    ORDER: "reads like an order and is withheld: tell what is missing or who wants it, not what to do",
    UNPROVED: "nothing proves it: marked [unsourced]",
    STRUCK: "a quotation or a place in it is not in the transcript: struck",
    DROPPED: "its quotation is not in the transcript, or what it says was not done: dropped",
    REPEATED: "said already, by the rules or another claim",
    CUT: "no room in the budget",
}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the claim of this number (from 1) in a section of a model, and the places that it names."""

    section: str
    claim: int
    what: str
    places: tuple[str, ...] = ()


def number_claims(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections with their claims numbered."""
    return tuple(
        replace(
            section,
            claims=tuple(replace(claim, numbers=(number,)) for number, claim in enumerate(section.claims, 1)),
        )
        for section in sections
    )


def judge_fates(
    written: Iterable[Section],
    lifted: Iterable[Section],
    proved: Iterable[Section],
    spoken: Iterable[Section],
    rendered: Rendered,
) -> tuple[Fate, ...]:
    """What became of each claim, in the brief's order: as it was written, lifted, proved, freed of orders, rendered."""
    stages = [_find_claims(stage) for stage in (lifted, proved, spoken)]
    fates = []
    for (name, number), claim in _find_claims(written).items():
        key = name, number
        what = _judge(claim, [stage.get(key) for stage in stages], key in rendered.shown, key in rendered.cut)
        places = dict.fromkeys(pointer.render() for pointer in claim.pointers)
        fates.append(Fate(name, number, what, tuple(places)))
    return tuple(fates)


def _find_claims(sections: Iterable[Section]) -> dict[tuple[str, int], Claim]:
    order = sorted(sections, key=lambda section: NAMES.index(section.name))
    return {(section.name, number): claim for section in order for claim in section.claims for number in claim.numbers}


def _judge(written: Claim, stages: list[Claim | None], shown: bool, cut: bool) -> str:
    lifted, proved, spoken = stages
    if proved is None or spoken is None:
        return DROPPED
    order = _judge_order(proved, spoken)
    if order or cut or not shown:
        return order or (CUT if cut else REPEATED)
    if spoken.unsourced and not written.statement:
        return UNPROVED
    if REMOVED in spoken.text or (set(spoken.pointers) < set(written.pointers) and not spoken.quotes):
        return STRUCK
    return MOVED if lifted is not None and len(lifted.quotes) > len(written.quotes) else KEPT


def _judge_order(proved: Claim, spoken: Claim) -> str:
    if spoken.text.startswith(BEHIND):
        return PARTLY
    if proved.text and not spoken.text and any(quote.by == "human" for quote in spoken.quotes):
        return SAID
    return ORDER if any(WITHHELD in line for line in render_claim(spoken)[:1]) else ""


def tell_fates(fates: Iterable[Fate]) -> tuple[str, ...]:
    """One line for each section and fate but that all is well, with the claims' numbers and places."""
    grouped: dict[tuple[str, str], list[Fate]] = {}
    for fate in fates:
        if fate.what in MEANING:
            grouped.setdefault((fate.section, fate.what), []).append(fate)
    lines = []
    for (section, what), each in grouped.items():
        named = ", ".join(f"{one.claim} ({one.places[0]})" if one.places else str(one.claim) for one in each)
        lines.append(f"{section}: {'claim' if len(each) == 1 else 'claims'} {named}: {MEANING[what]}")
    return tuple(lines)


def count_fates(fates: Iterable[Fate]) -> Mapping[str, int]:
    """How many claims became what."""
    counts = dict.fromkeys((KEPT, *MEANING), 0)
    for fate in fates:
        counts[fate.what] += 1
    return counts
