"""What could be quoted: sentences of people (`told`) and of the agent (`said`), each with its section and its worth."""

from collections.abc import Sequence

from thruline.engines.rules.candidates.candidate import (
    ASKED,
    BEFORE,
    CONTEXT,
    DISPROVED,
    LATER,
    LIKELY,
    OVERRULED,
    QUESTIONED,
    RULES,
    SURE,
    Candidate,
)
from thruline.engines.rules.candidates.outcome import Outcome, find_outcome
from thruline.engines.rules.candidates.overruled import find_corrections, pair_overruled
from thruline.engines.rules.candidates.overtaken import mark_overtaken
from thruline.engines.rules.candidates.refuted import place_denials
from thruline.engines.rules.candidates.said import find_said
from thruline.engines.rules.candidates.told import find_told
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material
from thruline.engines.rules.reverted import Undoing
from thruline.engines.rules.settled import Since
from thruline.signals.signal import Signal

__all__ = [
    "ASKED",
    "BEFORE",
    "CONTEXT",
    "DISPROVED",
    "LATER",
    "LIKELY",
    "OVERRULED",
    "QUESTIONED",
    "RULES",
    "SURE",
    "Candidate",
    "find_candidates",
]


def find_candidates(
    material: Material,
    signals: Sequence[Signal],
    since: Since,
    undoings: Sequence[Undoing] = (),
    outcome: Outcome | None = None,
) -> list[Candidate]:
    """Every candidate of a session, people's first; what later words or deeds took the place of is `gone`."""
    outcome = outcome or find_outcome(material, signals)
    by_place: dict[tuple[str, int], list[Signal]] = {}
    for signal in signals:
        by_place.setdefault((signal.source, signal.line), []).append(signal)
    corrections = find_corrections(material, by_place, outcome)
    said = find_said(material, by_place, since, corrections)
    replies = pair_overruled(said, material, outcome, corrections)
    place_denials(said, material, signals)
    mark_overtaken(said, material, signals, since, undoings)
    found = find_told(material, by_place, since, outcome) + said + replies
    for each in found if material.rewinds else ():
        # What the user ruled or objected to holds all the same; what was asked for on a way that was left does not.
        ruled = each.topic == RULES or (each.message.by == "human" and find_cues(each.text, ("ruling",)))
        held = each.section == "dead_ends" or ruled
        each.gone = each.gone or (not held and material.is_left_behind(each.message))
    return found
