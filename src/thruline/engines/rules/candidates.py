"""What could be quoted: sentences of people and of the agent, each with the section it belongs to and its worth."""

from collections import Counter
from collections.abc import Sequence

from thruline.engines.rules.cues import SAID, TOLD, find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.terms import find_terms, is_bare
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.signals.own import find_own
from thruline.signals.signal import Signal
from thruline.value import dataclass

# Topics: the sub-headings of the sections.
OVERRULED = "Overruled by the user"
QUESTIONED = "Questioned or redirected by the user"
DISPROVED = "Disproved by evidence"
RULES = "Constraints, in the user's words"
ASKED = "Asked and decided"
CONTEXT = "Context"

# Only so much of the agent's words is weighed; the ends of turns come first.
MOST_WEIGHED = 120_000
# Of people's messages those that settle something, the first ones and the newest.
FIRST_TOLD, NEWEST_TOLD = 5, 120
LONGEST_UNIT = 420
# What is typed again is typed within so many messages; of long ones so much is compared.
SOON, MOST_COMPARED = 3, 2000

# What is said before the last part of a session is no open thread: later words have settled it or said it again.
LATE = 0.15
# Fewer letters than this in its terms: the sentence says nothing to somebody who was not there.
FEW_LETTERS, FEW_TERMS = 8, 4
# What the other sentences of a message are worth that settles something in one of them.
REST = 0.2
# What the agent's sentence that was overruled is worth, beside its terms: the correction is about it.
OVERRULED_WORTH = 0.1
CAUSE_WORTH = 0.05
# How the agent's last message begins says where the session ended, however little is new in it.
LAST_WORTH = 0.02
# A message of more sentences than this is taken for one that holds a document.
MANY = 8
# How much less the oldest words count than the newest.
FADE = 0.8
# How sure the miner must be before a message is called what it says.
SURE, LIKELY = 0.5, 0.4
# Below that it may be a correction all the same: it stands among the dead ends, under a name that says so.
PERHAPS = 0.36
# What a message of each kind is worth, times the strength of the signal.
# What the words of a rule or a refusal add to a sentence.
RULING = 0.45
# A list's item says as much alone as a sentence, but not one that only goes on with the line above the list; a table's
# row says less.
SCRAP, SCRAP_WORDS, ROW = 0.4, 6, 0.4
# How much the terms of a person's sentence count beside what it is worth by itself.
TOLD_QUALITY = 0.12
TOLD_WORTH = {"correction": 1.6, "constraint": 1.3, "decision": 0.8}


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
    # Said on the way, and says neither cause nor result: fit only where the session has little else.
    passing: bool = False
    order: int = 0
    size: int = 0
    # The message that this one was overruled by, where it was.
    overruled_by: Message | None = None

    def __post_init__(self) -> None:
        self.size = len(self.text.encode("utf-8", "surrogatepass"))

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
    humans = material.humans()
    number, newest = 0, len(humans) - NEWEST_TOLD
    repeated = _find_repeated(humans)
    for message in material.messages:
        if message.by == "agent":
            before = message.text
            continue
        number += 1
        signals = [one for one in by_place.get((message.source, message.line), []) if one.kind in TOLD_WORTH]
        if signals or (id(message) not in repeated and (number <= FIRST_TOLD or number > newest)):
            found += _told(message, before, signals, number == 1 and not before)
    return found


def _find_repeated(humans: list[Message]) -> set[int]:
    """Messages, by id, that were typed again soon after: as they were, or with more behind them."""
    words = [" ".join(message.text[:MOST_COMPARED].split()).casefold() for message in humans]
    found: set[int] = set()
    for at, mine in enumerate(words):
        if any(later.startswith(mine) for later in words[at + 1 : at + 1 + SOON]):
            found.add(id(humans[at]))
    return found


def _told(message: Message, before: str, signals: list[Signal], first: bool) -> list[Candidate]:
    own = find_own(message.text, before)
    strengths = _find_strengths(message, signals)
    section, topic = _place_told(strengths, first)
    worth = max(TOLD_WORTH[kind] * strength for kind, strength in strengths.items())
    made: list[Candidate] = []
    spans = [
        (span.start, span.end)
        for span in split_units(message.text)
        if any(start <= span.start and span.end <= end + 1 for start, end in own)
        and not _is_pasted(message.text[span.start : span.end], before)
    ]
    quoted = [_locate(message.text, signal.quote) for signal in signals if signal.quote]
    for number, (start, end) in enumerate(spans):
        text = message.text[start:end]
        terms = find_terms(text)
        bare = is_bare(text)
        value = (0.0 if bare else _weigh_words(text)) + (0.3 if first and number < 3 else 0.0)
        if any(low < end and start < high for low, high in quoted):
            value += worth
        elif worth:
            # The rest of a message that settles something; of a long one, most is not about it.
            value += worth * REST / (1 + len(spans) / 6)
        if bare or (text.endswith(":") and len(spans) > 1):
            value *= 0.3
        elif len(terms) < 3 and len(spans) > 2 and strengths["correction"] < SURE:
            value *= 0.5
        if sum(map(len, terms)) < FEW_LETTERS and strengths["correction"] < SURE:
            continue  # "run it", "thanks", "do it"
        # People speak before and after what they paste.
        if 2 < number < len(spans) - 2 and len(spans) > MANY and not first:
            value *= 0.4
        candidate = Candidate(message, start, end, section, topic, value, TOLD_QUALITY, terms, order=number)
        # "Excellent work, thank you!": nothing that the rules know, and hardly a word that says what about.
        candidate.passing = not (worth or first) and len(terms) < FEW_TERMS and not any(terms.values())
        made.append(candidate)
    if made and strengths["correction"] >= SURE:
        max(made, key=lambda candidate: candidate.base).keep = True
    return made


def _is_pasted(text: str, before: str) -> bool:
    # People paste what the agent said to speak about it, without its markdown, and what their shell said.
    return _PROMPT.search(text) is not None or (len(text) > 40 and _MARKS.sub("", text) in _MARKS.sub("", before))


_MARKS = compile_later(r"[`*_\s]+")
_PROMPT = compile_later(r"^(?:[$%>❯➜λ#]|>>>)\s|^[\w~/.@:-]+\s+[$%❯]\s")


def _find_strengths(message: Message, signals: list[Signal]) -> dict[str, float]:
    found = {kind: max((s.strength for s in signals if s.kind == kind), default=0.0) for kind in TOLD_WORTH}
    if message.kind == "rejection":
        found["correction"] = max(found["correction"], 0.9)
    return found


def _locate(text: str, quote: str) -> tuple[int, int]:
    at = text.find(quote)
    return (at, at + len(quote)) if at >= 0 else (0, 0)


def _weigh_words(text: str) -> float:
    """What a sentence is worth by its own words: a rule or a refusal says how, a request only what."""
    classes = find_cues(text, TOLD)
    worth = 0.1 + (RULING if "ruling" in classes else 0.0) + (RULING / 2 if "steering" in classes else 0.0)
    return worth + (0.4 if _STRESSED.search(text) else 0.0)


# Nobody writes a small word in capitals without meaning it.
_STRESSED = compile_later(r"\b(?:NOT|ONLY|NEVER|MUST|ALWAYS|DON.?T|NO|BEFORE|AFTER|NICHT|NUR|NUNCA|JAMAIS|НЕ)\b")


def _place_told(strengths: dict[str, float], first: bool) -> tuple[str, str]:
    if strengths["correction"] >= SURE:
        return "dead_ends", OVERRULED
    if strengths["constraint"] >= LIKELY:
        return "basics", RULES
    if strengths["correction"] >= PERHAPS and not first:
        return "dead_ends", QUESTIONED
    return "basics", ASKED


# --- the agent ----------------------------------------------------------------------------------------------------


def _find_said(material: Material, by_place: dict[tuple[str, int], list[Signal]]) -> list[Candidate]:
    agents = material.agents() or material.summarised()
    chosen = _choose_messages(agents)
    corrections = _find_corrections(material, by_place)
    found: list[Candidate] = []
    for at in chosen:
        message = agents[at]
        age = (len(agents) - 1 - at) / len(agents)
        made = _said(message, age, at == len(agents) - 1, by_place.get((message.source, message.line), []))
        answer = corrections.get(id(message))
        if answer is not None and made:
            _mark_overruled(made, answer)
        found += made
    return found


def _choose_messages(agents: list[Message]) -> list[int]:
    """Which of the agent's messages are weighed: all, or the ends of turns and the newest of a long session."""
    ranked = sorted(range(len(agents)), key=lambda at: (not agents[at].final, -at))
    weighed = 0
    chosen: list[int] = []
    for at in ranked:
        weighed += len(agents[at].text)
        if weighed > MOST_WEIGHED and chosen:
            break
        chosen.append(at)
    return sorted(chosen)


def _find_corrections(material: Material, by_place: dict[tuple[str, int], list[Signal]]) -> dict[int, Message]:
    """The message that corrected each message of the agent, by the latter's id."""
    found: dict[int, Message] = {}
    before: Message | None = None
    for message in material.messages:
        if message.by == "agent":
            before = message
        elif before is not None:
            signals = by_place.get((message.source, message.line), ())
            if message.kind == "rejection" or any(s.kind == "correction" and s.strength >= SURE for s in signals):
                found[id(before)] = message
            before = None
    return found


def _mark_overruled(made: list[Candidate], answer: Message) -> None:
    """One sentence of a corrected message is what was overruled: the one that shares most with the correction."""
    wanted = find_terms(answer.text[:2000])
    counts = Counter(term for each in made for term in each.terms)
    shared = {id(each): sum(1 / counts[term] for term in each.terms if term in wanted) for each in made}
    for candidate in made:
        candidate.quality *= 0.75
    # What the agent itself calls wrong needs nobody to overrule it.
    meant = [each for each in made if each.topic != DISPROVED and not each.passing and shared[id(each)]]
    if not meant:
        return
    best = max(meant, key=lambda each: (shared[id(each)], each.quality))
    best.section, best.topic, best.overruled_by = "dead_ends", OVERRULED, answer
    best.quality *= 1.5
    best.base = OVERRULED_WORTH


def _said(message: Message, age: float, last: bool, signals: list[Signal]) -> list[Candidate]:
    made = []
    for number, span in enumerate(split_units(message.text)):
        text = message.text[span.start : span.end]
        cues = find_cues(text, SAID)
        closing = "question" in cues or text.rstrip("*_` ").endswith(("?", "？"))
        # A question that was answered since, a step that was announced and taken: neither is open any more.
        if len(text) < 12 or ((closing or "step" in cues) and not last) or text.rstrip("*_` ").endswith((":", "：")):
            continue
        kinds = {signal.kind for signal in signals if _is_same(signal.quote, text)}
        quality = (1 - FADE * age) * (1.35 if message.final else 0.75) * (1.5 if last else 1.0)
        quality *= 1.25 if message.commits else 1.0
        quality *= 1.15 if number == 0 else 1.0
        quality *= SCRAP if span.item and _is_scrap(text) else 1.0
        quality *= ROW if text.startswith("|") else 1.0
        quality *= _weigh_cues(cues, len(text)) * (1.2 if kinds & _TELLING else 1.0)
        # A guess that was made long ago has been proved or given up since, in other words.
        if len(text) > LONGEST_UNIT or ("hypothesis" in kinds and age > LATE):
            quality *= 0.4
        section, topic = _place_said(cues, kinds, closing, age)
        terms = find_terms(text)
        # A cause told where a turn ends is worth its line, also where its words stand elsewhere already.
        base = CAUSE_WORTH if "cause" in cues and message.final else LAST_WORTH if last and number == 0 else 0.0
        candidate = Candidate(message, span.start, span.end, section, topic, base, quality, terms, order=number)
        if section == "convergence" and not last:
            # "Everything looks correct.": a result, and nobody can tell of what.
            empty = len(terms) < FEW_TERMS and not any(terms.values())
            # In the middle of a turn "tests pass" is true for a minute; a cause stays one.
            telling = message.final or message.commits or cues & _LASTING
            candidate.passing = empty or "narration" in cues or not telling
        made.append(candidate)
    return made


def _is_scrap(text: str) -> bool:
    """Whether an item is a piece of a sentence: few words, and no name among them."""
    return len(text.split()) < SCRAP_WORDS and not any(mark in text for mark in "`/_=")


def _is_same(quote: str, text: str) -> bool:
    """Whether a signal's quote and a sentence are the same words, give or take a neighbour."""
    if quote in text:
        return 2 * len(quote) >= len(text)
    return text in quote and 3 * len(text) >= 2 * len(quote)


_LASTING = frozenset(("cause", "rejected", "against", "means"))
_TELLING = frozenset(("conclusion", "reversal", "dead_end"))


def _weigh_cues(cues: frozenset[str], length: int) -> float:
    weight = 1.5 if "cause" in cues else 1.25 if cues & {"settled", "rejected", "against"} else 1.0
    # "Good. Let me look at the tests." and "Done: the export asks for rows after the last key." begin alike.
    return weight * ((0.45 if length < 70 else 0.75) if "narration" in cues else 1.0)


def _place_said(cues: frozenset[str], kinds: set[str], closing: bool, age: float) -> tuple[str, str]:
    if closing or (("open" in cues or "intent" in kinds) and age < LATE):
        return "open_threads", ""
    if "rejected" in cues or "dead_end" in kinds:
        return "dead_ends", DISPROVED
    if "means" in cues and age > 0.5 and not cues & {"cause", "settled"} and "hypothesis" not in kinds:
        return "basics", CONTEXT
    return "convergence", ""
