"""Which sentence of the agent a correction overruled, and what it replied: a dead end is told in all three."""

from collections import Counter
from collections.abc import Iterator, Sequence

from thruline.engines.rules.candidates.candidate import (
    DISPROVED,
    OVERRULED,
    QUESTIONED,
    SURE,
    Candidate,
)
from thruline.engines.rules.candidates.outcome import Outcome, find_granting
from thruline.engines.rules.candidates.refused import find_announcing, find_looks, says
from thruline.engines.rules.candidates.typed import drop_marks, find_typed
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.session import parts
from thruline.signals.people import is_strongest
from thruline.signals.signal import Signal

# What the agent's sentence that was overruled is worth, beside its terms: the correction is about it.
OVERRULED_WORTH, OVERRULED_GAIN = 0.1, 1.5
# What a reply is worth: the user's words and what they overruled come first.
REPLY_WORTH = 0.0005, 0.8
# A message of no more sentences is about one thing.
FEW_SAID = 4
# Of a person's message: one of so few words settles nothing, and what was said before it stands.
FEW_WORDS = 3
# So many of the agent's messages before a correction may hold what it overruled; of a reply so much is read.
MOST_BACK, MOST_READ, MOST_UNITS = 16, 800, 12
# So many letters in a row are no chance; so much of an answer is looked through for them.
LEAST_PASTED, MOST_PASTED = 30, 4_000
# What a word counts that the reply shares, and a path: a folder is where the work is, not what was claimed of it.
REPLIED, PATH = 0.5, 0.3
# What the agent holds to be so, and what it lists as done.
HELD, DONE = 1.5, 0.6
# The user answers the last words first.
NEWEST = 2.0
# The sentence of a reply is no longer.
LONGEST_REPLY = 300

_HELD = frozenset(("cause", "means", "against"))
_SETTLING = ("cause", "settled", "rejected", "reason", "negated", "given_up")
_NO_REPLY = ("step", "narration", "announced", "root")
# The message that corrected each message of the agent, by the latter's id, and the topic it stands under.
Corrections = dict[int, tuple[Message, str]]


def find_corrections(
    material: Material, by_place: dict[tuple[str, int], list[Signal]], outcome: Outcome
) -> Corrections:
    """The message that corrected each message of the agent."""
    found: Corrections = {}
    looks = find_looks(material)
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
                found[id(before)] = message, QUESTIONED if message.line in looks else OVERRULED
            elif id(message) in outcome.granted or (
                id(message) not in outcome.requests and any(signal.strength >= SURE for signal in corrections)
            ):
                found[id(before)] = message, QUESTIONED
            before = None
    return found


def mark_overruled(made: list[Candidate], message: Message, answer: Message, topic: str) -> bool:
    """Of a corrected message all counts less; tells whether any of it is what was overruled, else that is elsewhere."""
    wanted = _find_wanted(answer, message.text)
    for candidate in made:
        candidate.quality *= 0.75
    meant = [
        each for each in made if each.topic != DISPROVED and not each.passing and wanted.keys() & each.terms.keys()
    ]
    # Of a long message one word in common is chance.
    return any(share(each.terms, wanted) for each in meant) if len(made) > FEW_SAID else bool(meant)


def pair_overruled(
    said: Sequence[Candidate], material: Material, outcome: Outcome, found: Corrections
) -> list[Candidate]:
    """Marks for each correction the sentence that it overruled; returns what the agent replied, to stand behind both.

    The sentence is the one since the user's last words that shares most with the correction, and then with the reply:
    what the agent held to be so rather than what it had done. Where nothing overlaps there is none. A refused change is
    told by the words that announced it: its call names no more than a file.
    """
    by_message: dict[int, list[Candidate]] = {}
    for each in said:
        by_message.setdefault(id(each.message), []).append(each)
    talk = material.messages
    refused = {
        one.line
        for one in material.failures
        if one.outcome == parts.REFUSED and one.action in ("edit", "write") and not one.source
    }
    replies: list[Candidate] = []
    for at, before in enumerate(talk):
        if id(before) not in found:
            continue
        answer, topic = found[id(before)]
        texts = outcome.texts.get(id(answer), ())
        wanted = _find_wanted(answer, before.text)
        announced = _find_announced(before, answer, topic) if answer.line in refused else None
        if announced is not None:
            replies.append(announced)
        else:
            window = [each for one in _find_window(talk, at) for each in by_message.get(id(one), ())]
            _mark(window, wanted, texts, answer, topic)
        replies += _find_reply(texts, wanted, answer, topic)
    return replies


def _find_announced(before: Message, answer: Message, topic: str) -> Candidate | None:
    span = find_announcing(before, answer.line)
    if answer.kind != "rejection" or span is None:
        return None
    made = Candidate(before, *span, "dead_ends", topic, OVERRULED_WORTH, 1.0, find_terms(before.text[slice(*span)]))
    made.overruled_by = answer
    return made


def _find_wanted(answer: Message, before: str) -> dict[str, bool]:
    typed = find_typed(answer.text, before, first=False)
    return find_terms("\n".join(answer.text[start:end] for start, end in typed)[:2000])


def _find_window(talk: Sequence[Message], at: int) -> list[Message]:
    """What the agent said up to `at` since a person last said more than yes."""
    window: list[Message] = []
    for message in reversed(talk[: at + 1]):
        if message.by == "agent":
            window.append(message)
        elif len(message.text.split()) > FEW_WORDS:
            break
    return window[:MOST_BACK]


def _mark(
    window: Sequence[Candidate], wanted: dict[str, bool], texts: Sequence[Message], answer: Message, topic: str
) -> None:
    replied = find_terms("\n".join(one.text[:MOST_READ] for one in texts))
    counts = Counter(term for each in window for term in each.terms)
    newest = max((each.message.line for each in window), default=0)

    def weigh(each: Candidate) -> tuple[float, float]:
        shared = sum(_weigh(term) / counts[term] for term in each.terms if term in wanted)
        shared += REPLIED * sum(_weigh(term) / counts[term] for term in each.terms if term in replied)
        held = HELD if each.cues & _HELD else DONE if each.item and "settled" in each.cues else 1.0
        held *= NEWEST if each.message.line == newest else 1.0
        return shared * held, each.quality

    meant = [each for each in window if each.topic != DISPROVED and not each.passing]
    meant = [each for each in meant if each.overruled_by is None]
    pasted = [each for each in meant if _is_pasted(each.text, answer.text)]
    if not pasted:
        meant = [each for each in meant if wanted.keys() & each.terms.keys()]
    if not pasted and len(window) > FEW_SAID:
        # Of many sentences one word in common is chance.
        meant = [each for each in meant if share(each.terms, {**replied, **wanted})]
    meant = pasted or meant
    if not meant:
        return
    best = max(meant, key=weigh)
    best.section, best.topic, best.overruled_by = "dead_ends", topic, answer
    best.quality *= OVERRULED_GAIN
    best.base, best.opens = OVERRULED_WORTH, False


def _is_pasted(text: str, answer: str) -> bool:
    """Whether a person pasted a sentence to speak about it, or a line of it."""
    bare = drop_marks(text)
    lines = [drop_marks(line.lstrip("> ")) for line in answer[:MOST_PASTED].split("\n")]
    return (len(bare) >= LEAST_PASTED and bare in drop_marks(answer[:MOST_PASTED])) or any(
        len(line) >= LEAST_PASTED and line in bare for line in lines
    )


def _weigh(term: str) -> float:
    return PATH if "/" in term else 1.0


def _find_reply(texts: Sequence[Message], wanted: dict[str, bool], answer: Message, topic: str) -> Iterator[Candidate]:
    """The sentence that grants the point and the one that says why, else the first that says what was wrong."""
    for message in texts:
        granting = find_granting(message.text)
        if granting is None:
            continue
        if says(message.text[slice(*granting)]):
            yield _build_reply(message, granting, None, answer, topic)
            return
        later = [span for span in split_units(message.text)[:MOST_UNITS] if span.start > granting[0]]
        told = [one for one in later if _states(message.text[one.start : one.end])]
        best = next((one for one in told if _settles(message.text[one.start : one.end], wanted)), None)
        best = best if best is not None else next((one for one in told if one is later[0]), None)
        if best is not None and best.end - best.start <= LONGEST_REPLY:
            yield _build_reply(message, (best.start, best.end), granting, answer, topic)
            return
    for message in texts:
        for span in split_units(message.text)[:MOST_UNITS]:
            text = message.text[span.start : span.end]
            if span.end - span.start <= LONGEST_REPLY and _states(text) and _settles(text, wanted):
                yield _build_reply(message, (span.start, span.end), None, answer, topic)
                return


def _settles(text: str, wanted: dict[str, bool]) -> bool:
    """Whether a sentence says how it is, of what the correction is about."""
    return bool(find_cues(text, _SETTLING)) and share(find_terms(text), wanted)


def _states(text: str) -> bool:
    """Whether a sentence says something: it leads to nothing, asks nothing and announces no step.

    What lay at the root of it all is where the session landed, and is told there.
    """
    if text.rstrip("*_`) ").endswith((":", "：", "?", "？")) or find_cues(text, _NO_REPLY):
        return False
    return says(text)


def _build_reply(
    message: Message, span: tuple[int, int], granting: tuple[int, int] | None, answer: Message, topic: str
) -> Candidate:
    terms = find_terms(message.text[slice(*span)])
    made = Candidate(message, *span, "dead_ends", topic, *REPLY_WORTH, terms)
    made.reply_to, made.lead = answer, granting
    made.size += granting[1] - granting[0] if granting is not None else 0
    return made
