"""What could be quoted: sentences of people and of the agent, each with the section it belongs to and its worth."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.signals.own import find_own
from thruline.signals.signal import Signal

# Topics: the sub-headings of the sections.
OVERRULED = "Overruled by the user"
DISPROVED = "Disproved by evidence"
ASKED = "What was asked"
RULES = "Constraints and decisions of the user"
CONTEXT = "Context"

# Only so much of the agent's words is weighed; the ends of turns come first.
MOST_WEIGHED = 260_000
LONGEST_UNIT = 420


@dataclass(slots=True)
class Candidate:
    """A piece of a message that may be quoted. `base` is its worth alone, `quality` multiplies what its terms add."""

    message: Message
    start: int
    end: int
    section: str
    topic: str
    base: float
    quality: float
    terms: dict[str, bool]
    keep: bool = False
    order: int = 0
    tags: frozenset[str] = field(default_factory=frozenset)

    @property
    def text(self) -> str:
        return self.message.text[self.start : self.end]


def find_candidates(material: Material, signals: Sequence[Signal]) -> list[Candidate]:
    """Every candidate of a session, people's first."""
    by_place: dict[tuple[str, int], list[Signal]] = {}
    for signal in signals:
        by_place.setdefault((signal.source, signal.line), []).append(signal)
    return _find_told(material, by_place) + _find_said(material, by_place)


# --- people -------------------------------------------------------------------------------------------------------


def _find_told(material: Material, by_place: dict[tuple[str, int], list[Signal]]) -> list[Candidate]:
    found: list[Candidate] = []
    before = ""
    first = True
    for message in material.messages:
        if message.by == "agent":
            before = message.text
            continue
        signals = by_place.get((message.source, message.line), [])
        found += _told(message, before, signals, first)
        first = first and message.kind != "turn"
    return found


def _told(message: Message, before: str, signals: list[Signal], first: bool) -> list[Candidate]:
    own = find_own(message.text, before)
    strongest = {kind: max((s.strength for s in signals if s.kind == kind), default=0.0) for kind in _TOLD}
    if message.kind == "rejection":
        strongest["correction"] = max(strongest["correction"], 0.9)
    made = []
    for span in split_units(message.text):
        if not any(start <= span.start and span.end <= end + 1 for start, end in own):
            continue
        text = message.text[span.start : span.end]
        terms = find_terms(text)
        cues = find_cues(text)
        worth = 0.15 + 1.6 * strongest["correction"] + 1.2 * strongest["constraint"] + 0.7 * strongest["decision"]
        if strongest["correction"] and any(
            text in s.quote or s.quote in text for s in signals if s.kind == "correction"
        ):
            worth += 0.6
        if len(terms) < 2:
            worth *= 0.4
        section, topic = _place_told(strongest, first)
        made.append(Candidate(message, span.start, span.end, section, topic, worth, 0.5, terms, tags=cues))
    for number, candidate in enumerate(made):
        candidate.order = number
        # The first sentences of a long prompt say what it is about; a pasted specification goes on for pages.
        candidate.base /= 1 + 0.15 * max(0, number - 1)
        candidate.keep = strongest["correction"] >= 0.5 and number == 0
    return made


_TOLD = ("correction", "constraint", "decision", "refusal")


def _place_told(strongest: dict[str, float], first: bool) -> tuple[str, str]:
    if strongest["correction"] >= 0.5:
        return "dead_ends", OVERRULED
    if strongest["constraint"] >= 0.4 or strongest["decision"] >= 0.4:
        return "basics", RULES
    return "basics", ASKED


# --- the agent ----------------------------------------------------------------------------------------------------


def _find_said(material: Material, by_place: dict[tuple[str, int], list[Signal]]) -> list[Candidate]:
    agents = material.agents()
    count = len(agents)
    ranked = sorted(range(count), key=lambda at: (not agents[at].final, -at))
    weighed = 0
    chosen: set[int] = set()
    for at in ranked:
        weighed += len(agents[at].text)
        if weighed > MOST_WEIGHED and chosen:
            break
        chosen.add(at)
    corrected = {
        message.turn
        for message in material.humans()
        if any(s.kind == "correction" and s.strength >= 0.5 for s in by_place.get((message.source, message.line), ()))
    }
    found: list[Candidate] = []
    last_turn = agents[-1].turn if agents else 0
    for at in sorted(chosen):
        age = (count - 1 - at) / max(1, count)
        found += _said(agents[at], age, at == count - 1, last_turn, corrected)
    return found


def _said(message: Message, age: float, last: bool, last_turn: int, corrected: set[int]) -> list[Candidate]:
    made = []
    spans = split_units(message.text)
    for number, span in enumerate(spans):
        text = message.text[span.start : span.end]
        if len(text) < 12:
            continue
        cues = find_cues(text)
        quality = 1.15 - 0.55 * age
        quality *= 1.35 if message.final else 0.75
        quality *= 1.5 if last else 1.0
        quality *= 1.25 if message.commits else 1.0
        if "cause" in cues:
            quality *= 1.5
        elif "settled" in cues or "rejected" in cues:
            quality *= 1.25
        if "narration" in cues:
            quality *= 0.45
        closing = "question" in cues or text.rstrip("*_` ").endswith(("?", "？"))
        if closing and not last:
            continue  # asked and since answered, or passed over
        if text.rstrip("*_` ").endswith((":", "：")):
            quality *= 0.3
        if number == 0:
            quality *= 1.15
        # What the next message corrected was given up: it says what was rejected, not where the work landed.
        given_up = message.final and (message.turn + 1) in corrected
        section, topic = _place_said(cues, closing, last or message.turn >= last_turn - 1, age, given_up)
        if given_up:
            quality *= 0.8
        if len(text) > LONGEST_UNIT:
            quality *= 0.6
        made.append(
            Candidate(
                message, span.start, span.end, section, topic, 0.0, quality, find_terms(text), order=number, tags=cues
            )
        )
    return made


def _place_said(cues: frozenset[str], closing: bool, late: bool, age: float, given_up: bool) -> tuple[str, str]:
    if closing or ("open" in cues and late):
        return "open_threads", ""
    if given_up or "rejected" in cues:
        return "dead_ends", DISPROVED
    if "means" in cues and age > 0.5 and "cause" not in cues and "settled" not in cues:
        return "basics", CONTEXT
    return "convergence", ""
