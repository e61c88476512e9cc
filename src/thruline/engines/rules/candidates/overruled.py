"""Which sentence of the agent a correction answers: it stands with the words that overruled it."""

from collections import Counter

from thruline.engines.rules.candidates.candidate import DISPROVED, OVERRULED, QUESTIONED, SURE, Candidate
from thruline.engines.rules.candidates.typed import find_typed
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.signals.people import is_strongest
from thruline.signals.signal import Signal

# What the agent's sentence that was overruled is worth, beside its terms: the correction is about it.
OVERRULED_WORTH, OVERRULED_GAIN = 0.1, 1.5
# A message of no more sentences is about one thing.
FEW_SAID = 4


def find_corrections(
    material: Material, by_place: dict[tuple[str, int], list[Signal]]
) -> dict[int, tuple[Message, str]]:
    """The message that corrected each message of the agent, by the latter's id, and the topic it stands under."""
    found: dict[int, tuple[Message, str]] = {}
    before: Message | None = None
    for message in material.messages:
        if message.by == "agent":
            before = message
        elif before is not None and before.line < message.line:
            # What was typed while the agent spoke, and delivered after it, answers none of that.
            signals = by_place.get((message.source, message.line), ())
            # What was taken back overrules nothing any more.
            corrections = [signal for signal in signals if signal.kind == "correction" and not signal.withdrawn]
            if message.kind == "rejection" or any(map(is_strongest, corrections)):
                found[id(before)] = message, OVERRULED
            elif any(signal.strength >= SURE for signal in corrections):
                found[id(before)] = message, QUESTIONED
            before = None
    return found


def mark_overruled(made: list[Candidate], message: Message, answer: Message, topic: str) -> bool:
    """One sentence of a corrected message is what was overruled: the one that shares most with the correction.

    False where none is: then the correction is about something else.
    """
    typed = find_typed(answer.text, message.text, first=False)
    wanted = find_terms("\n".join(answer.text[start:end] for start, end in typed)[:2000])
    counts = Counter(term for each in made for term in each.terms)
    shared = {id(each): sum(1 / counts[term] for term in each.terms if term in wanted) for each in made}
    for candidate in made:
        candidate.quality *= 0.75
    # What the agent itself calls wrong needs nobody to overrule it.
    meant = [each for each in made if each.topic != DISPROVED and not each.passing and shared[id(each)]]
    if len(made) > FEW_SAID:
        # Of a long message one word in common is chance.
        meant = [each for each in meant if share(each.terms, wanted)]
    if not meant:
        return False
    best = max(meant, key=lambda each: (shared[id(each)], each.quality))
    best.section, best.topic, best.overruled_by = "dead_ends", topic, answer
    best.quality *= OVERRULED_GAIN
    best.base, best.opens = OVERRULED_WORTH, False
    return True
