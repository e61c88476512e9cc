"""What came of a person's messages: which of them the agent granted, and which only asked for something.

It tells a correction that is worded as a question from a question, and both from a request. The facts this rests on:
who grants a point says so in the first sentences of a text, perhaps after a look at what the person spoke of; who only
answers a question changes nothing; what adds to the work begins so and denies nothing of it. The strongest corrections
stay what they are. Erring side: a message that may be a correction is one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from thruline.engines.rules.candidates.typed import find_typed
from thruline.engines.rules.cues import CONCEDED, find_cues, has_cue
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.units import split_units
from thruline.signals.people import STRONGEST
from thruline.signals.signal import Signal
from thruline.value import dataclass

# A point is granted in one of so many texts, in one of so many sentences of it.
NEAR, FIRST = 3, 2
# These sentences end within so many letters.
MOST_GRANTING = 240
# A longer message is a paste, as a rule: whose point was granted is not its sender.
LONGEST_POINT = 300
_ASKS = ("?", "？")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The messages, by id, that made a point which the agent granted, and those that brought nothing down.

    `texts` are what the agent said first after each.
    """

    granted: frozenset[int]
    requests: frozenset[int]
    texts: dict[int, tuple[Message, ...]]


def find_outcome(material: Material, signals: Iterable[Signal]) -> Outcome:
    """All of it; what people said before the agent first spoke brought nothing down, and is no request either."""
    by_place: dict[tuple[str, int], list[Signal]] = {}
    for one in signals:
        if one.kind == "correction":
            by_place.setdefault((one.source, one.line), []).append(one)
    edits = sorted(line for line, _ in material.edits)
    granted: set[int] = set()
    requests: set[int] = set()
    near: dict[int, tuple[Message, ...]] = {}
    texts: list[Message] = []
    end = 1 << 62
    befores = _find_before(material)
    for message in reversed(material.messages):
        if message.source:
            continue
        if message.by != "human":
            texts.append(message)
            continue
        found = by_place.get((message.source, message.line), ())
        before = "" if any(one.withdrawn for one in found) else befores.get(id(message), "")
        changed = bisect_right(edits, message.line) < bisect_left(edits, end)
        near[id(message)] = tuple(texts[::-1][:NEAR])
        if before and _is_granted(message, near[id(message)]):
            granted.add(id(message))
        elif before and message.kind != "rejection":
            strength = max((one.strength for one in found), default=STRONGEST)
            if strength < STRONGEST and _brings_nothing_down(message, before, changed=changed, answered=bool(texts)):
                requests.add(id(message))
        texts, end = [], message.line
    return Outcome(frozenset(granted), frozenset(requests), near)


def _find_before(material: Material) -> dict[int, str]:
    """What the agent had said last before each message of a person, by the latter's id."""
    found: dict[int, str] = {}
    before = ""
    for message in material.messages:
        if message.by == "agent":
            before = message.text
        else:
            found[id(message)] = before
    return found


def _is_granted(message: Message, texts: Sequence[Message]) -> bool:
    # What was typed while the agent spoke is answered by something else.
    if message.kind == "queued" or len(message.text) > LONGEST_POINT:
        return False
    return any(find_granting(one.text) is not None for one in texts)


def find_granting(text: str) -> tuple[int, int] | None:
    """The sentence of a text that grants somebody's point."""
    if not has_cue(text[:MOST_GRANTING], CONCEDED[0]):
        return None  # as most: a long session has thousands, and to split them is dear
    spans = split_units(text)[:FIRST]
    return next(((one.start, one.end) for one in spans if find_cues(text[one.start : one.end], CONCEDED)), None)


def _brings_nothing_down(message: Message, before: str, *, changed: bool, answered: bool) -> bool:
    typed = [message.text[start:end] for start, end in find_typed(message.text, before)]
    if not typed:
        return False
    if not changed:
        return answered and all(one.endswith(_ASKS) and find_cues(one, ("asks",)) for one in typed)
    return bool(find_cues(typed[0], ("adds",))) and not any(find_cues(one, ("ruling",)) for one in typed)
