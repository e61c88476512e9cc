"""What people said: each sentence of their own, with what it settles and what it is worth."""

from collections.abc import Iterable
from itertools import pairwise

from thruline.engines.rules.candidates.candidate import (
    ASKED,
    FEW_TERMS,
    LATER,
    LIKELY,
    OVERRULED,
    PERHAPS,
    QUESTIONED,
    RULES,
    SURE,
    Candidate,
)
from thruline.engines.rules.candidates.outcome import Outcome
from thruline.engines.rules.candidates.refused import find_looks, find_made_later
from thruline.engines.rules.candidates.shown import find_shown
from thruline.engines.rules.candidates.typed import find_typed
from thruline.engines.rules.cues import TOLD, find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import find_terms, is_bare
from thruline.pattern import compile_later
from thruline.signals.people import STRONGEST
from thruline.signals.signal import Signal

# Of people's messages those that settle something, the first ones and the newest.
FIRST_TOLD, NEWEST_TOLD = 5, 60
# What is typed again is typed within so many messages; of long ones so much is compared.
SOON, MOST_COMPARED = 3, 2000
# Shorter sentences are said again without meaning the same.
LEAST_AGAIN = 20
# So many terms say what a message is about, however short its sentences are.
ENOUGH_TERMS = 5
# Fewer letters than this in its terms: "run it", "thanks", "do it".
FEW_LETTERS = 8
# What the other sentences of a message are worth that settles something in one of them.
REST = 0.2
# The sentence before one that only points back to it goes with it, up to this length.
LONGEST_LEAD = 180
# What a session was begun for.
FIRST_WORTH = 0.3
# A message of more sentences than this is taken for one that holds a document.
MANY = 8
# So many sentences may be one rule.
FEW_RULES = 3
# What the words of a rule or a refusal add to a sentence.
RULING = 0.45
# How much the terms of a person's sentence count beside what it is worth by itself.
TOLD_QUALITY = 0.15
# From here on what a message settles is more than a guess.
TELLING = 0.5
# What a message of each kind is worth, times the strength of the signal.
TOLD_WORTH = {"correction": 1.6, "constraint": 1.3, "decision": 0.8}

# A bullet, a pointer of a menu, a letter: what stands before a line that was printed.
_MARKED = compile_later(r"(?:[^\W\d_]?\W+){1,3}")
# Nobody writes a small word in capitals without meaning it.
_STRESSED = compile_later(r"\b(?:NOT|ONLY|NEVER|MUST|ALWAYS|DON.?T|NO|BEFORE|AFTER|NICHT|NUR|NUNCA|JAMAIS|НЕ)\b")


def find_told(
    material: Material, by_place: dict[tuple[str, int], list[Signal]], since: Since, outcome: Outcome
) -> list[Candidate]:
    """The sentences of every message of a person that settles something, and of the first and the newest ones."""
    found: list[Candidate] = []
    before = ""
    humans = material.humans()
    number, newest = 0, len(humans) - NEWEST_TOLD
    repeated = _find_repeated(humans)
    looks, later = find_looks(material), find_made_later(material, since)
    for message in material.messages:
        if message.by == "agent":
            before = message.text
            continue
        number += 1
        signals = [one for one in by_place.get((message.source, message.line), []) if one.kind in TOLD_WORTH]
        if signals or (id(message) not in repeated and (number <= FIRST_TOLD or number > newest)):
            made = _told(message, before, signals, outcome, first=number == 1 and not before)
            for each in made if message.kind == "rejection" and message.line in looks else ():
                each.topic = QUESTIONED if each.topic == OVERRULED else each.topic
            for each in made if message.kind == "rejection" else ():
                each.made_later = later.get(message.line, 0)
            found += made
    return _drop_said_again(found)


def _drop_said_again(found: list[Candidate]) -> list[Candidate]:
    """Each sentence once: of the same words, or those that another message begins with, the weightiest or the fuller.

    A sentence that stands in another one behind a mark or two was pasted with what was printed around it.
    """
    words = [" ".join(each.text.split()).casefold() for each in found]
    best: dict[str, int] = {}
    for at, mine in enumerate(words):
        known = best.get(mine)
        if known is None or (found[at].keep, found[at].base) > (found[known].keep, found[known].base):
            best[mine] = at
    gone = {at: best[mine] for at, mine in enumerate(words) if best[mine] != at and len(mine) >= LEAST_AGAIN}
    ordered = sorted(mine for mine in best if len(mine) >= LEAST_AGAIN)
    for shorter, longer in pairwise(ordered):
        if longer.startswith(shorter) and found[best[shorter]].message is not found[best[longer]].message:
            gone[best[shorter]] = best[longer]
    for mine, at in best.items():
        mark = _MARKED.match(mine)
        rest = mine[mark.end() :].rstrip(" .…") if mark is not None else ""
        if len(rest) >= LEAST_AGAIN and any(rest.startswith(one.rstrip(" .…:")) for one in ordered if one != mine):
            gone.setdefault(at, at)
    _note_again(found, gone)
    return [each for at, each in enumerate(found) if at not in gone]


def _note_again(found: list[Candidate], gone: dict[int, int]) -> None:
    """Tells each sentence that stays which messages said the same; `gone` has what stands for each that does not."""
    for at in gone:
        stays, steps = gone[at], 0
        while stays in gone and gone[stays] != stays and steps < len(gone):
            stays, steps = gone[stays], steps + 1
        if stays not in gone and found[stays].message is not found[at].message:
            found[stays].again = (*found[stays].again, found[at].message)


def _find_repeated(humans: list[Message]) -> set[int]:
    """Messages, by id, that were typed again soon after: as they were, or with more behind them.

    Of those that are told without having settled anything: the first ones and the newest.
    """
    count = len(humans)
    asked = [at for at in range(count) if at < FIRST_TOLD or at >= count - NEWEST_TOLD]
    held = {at + more for at in asked for more in range(SOON + 1) if at + more < count}
    words = {at: " ".join(humans[at].text[:MOST_COMPARED].split()).casefold() for at in held}
    return {
        id(humans[at])
        for at in asked
        if any(words[later].startswith(words[at]) for later in range(at + 1, min(at + 1 + SOON, count)))
    }


def _told(message: Message, before: str, signals: list[Signal], outcome: Outcome, *, first: bool) -> list[Candidate]:
    strengths = _find_strengths(message, signals)
    made: list[Candidate] = []
    # Of a correction the sentence counts that corrects, not one that settles something beside it.
    corrects = strengths["correction"] >= SURE
    telling = [one for one in signals if one.quote and not (corrects and one.kind == "decision")]
    quoted = [_locate(message.text, one.quote) for one in telling]
    spans = find_typed(message.text, before, first=first)
    if spans and quoted and not any(low < end and start < high for low, high in quoted for start, end in spans):
        # What was mined stands in a paste: it was the words above it that meant something, if anything did.
        quoted = [spans[0]]
        strengths = {kind: strength if strength >= SURE else 0.0 for kind, strength in strengths.items()}
    if id(message) in outcome.granted:
        strengths["correction"] = max(strengths["correction"], SURE)
    section, topic = _place_told(strengths, first or id(message) in outcome.requests)
    worth = max(TOLD_WORTH[kind] * strength for kind, strength in strengths.items())
    # A request in short sentences says enough in all of them; what may be a correction is never said in passing.
    settled = first or max(strengths["decision"], strengths["constraint"]) >= SURE
    meant = first or worth >= TELLING or strengths["correction"] > 0
    named = [find_terms(message.text[start:end]) for start, end in spans]
    shown = find_shown(message.text, spans)
    little = not meant and len({term for terms in named[:MANY] for term in terms}) < ENOUGH_TERMS
    for number, (start, end) in enumerate(spans):
        text, terms = message.text[start:end], named[number]
        bare = is_bare(text)
        value = (0.0 if bare else _weigh_words(text)) + (FIRST_WORTH if first and number < 3 else 0.0)
        if any(low < end and start < high for low, high in quoted):
            value += worth
        elif worth:
            # The rest of a message that settles something; of a long one, most is not about it.
            value += worth * REST / (1 + len(spans) / 6)
        leads = text.endswith((":", "："))
        leading = leads and len(spans) > 1
        if bare or leading:
            value *= 0.3
        elif len(terms) < 3 and len(spans) > 2 and strengths["correction"] < STRONGEST:
            value *= 0.5
        # People speak before and after what they paste.
        if 2 < number < len(spans) - 2 and len(spans) > MANY and not first:
            value *= 0.4
        worded = "ruling" in find_cues(text, TOLD)
        put_off = topic == ASKED and not first and "put_off" in find_cues(text, ("put_off",))
        where = ("open_threads", LATER) if put_off else (section, topic)
        if (
            topic == RULES
            and len(spans) > FEW_RULES
            and not (worded or any(low < end and start < high for low, high in quoted))
        ):
            where = ("basics", ASKED)  # of a long message not every sentence is a rule
        value += RULING if put_off else 0.0
        candidate = Candidate(message, start, end, *where, value, TOLD_QUALITY, terms, order=number)
        # "Run it", "thanks"; "Excellent work, thank you!": nothing that the rules are sure of, and hardly a word that
        # says what about; "the log:", and no log below it.
        small = sum(map(len, terms)) < FEW_LETTERS and strengths["correction"] < STRONGEST
        small = small and not (settled and _says_more(text, terms))
        vague = little and len(terms) < FEW_TERMS and not any(terms.values())
        hollow = leads and len(terms) < FEW_TERMS and message.text[end:].strip() and strengths["correction"] < SURE
        leading = leading and strengths["correction"] < STRONGEST
        candidate.passing = small or vague or ((leading or bool(hollow)) and not first)
        before_it = spans[number - 1] if number else None
        if shown is not None and shown[0] == number:
            candidate.lead = shown[1]
            candidate.size += candidate.lead[1] - candidate.lead[0]
        elif before_it and where[0] == "dead_ends" and _needs(text, message.text, before_it, start):
            candidate.lead = before_it
        made.append(candidate)
    # What counts as a correction is cut last, also where it is not sure enough to be called one.
    if made and (strengths["correction"] >= SURE or topic == RULES):
        _keep(made)
    return made


def _says_more(text: str, terms: Iterable[str]) -> bool:
    """Whether a few words say more than every yes does: "2, but not in /tmp"."""
    rest = sum(not find_cues(term, ("choice", "granted")) for term in terms)
    return rest > (find_cues(text, ("granted", "denial")) == {"granted"})


def _needs(text: str, whole: str, before: tuple[int, int], start: int) -> bool:
    """Whether a sentence speaks of the one before it, and says little without it: "That line stays as it is."."""
    short = before[1] - before[0] <= LONGEST_LEAD and not whole[before[1] : start].strip()
    return short and "points_back" in find_cues(text, ("points_back",))


def _keep(made: list[Candidate]) -> None:
    """Marks the sentence that must be kept, and its neighbour where it says little ("that is not the right place")."""
    best = max(made, key=lambda candidate: candidate.base)
    best.keep = True
    beside = [each for each in made if abs(each.order - best.order) == 1 and len(each.terms) >= len(best.terms)]
    if best.lead is None and len(best.terms) < FEW_TERMS and beside:
        max(beside, key=lambda candidate: (candidate.base, len(candidate.terms))).beside = True


def _find_strengths(message: Message, signals: list[Signal]) -> dict[str, float]:
    found = {
        kind: max((s.strength for s in signals if s.kind == kind and _may_settle(s)), default=0.0)
        for kind in TOLD_WORTH
    }
    if message.kind == "rejection":
        found["correction"] = max(found["correction"], 0.9)
    return found


def _may_settle(signal: Signal) -> bool:
    """Whether a signal may be what it is mined as: a question without the words of a rule is none."""
    asks = signal.kind == "constraint" and signal.quote.rstrip().endswith(("?", "？"))
    return not asks or "ruling" in find_cues(signal.quote, TOLD)


def _locate(text: str, quote: str) -> tuple[int, int]:
    at = text.find(quote)
    return (at, at + len(quote)) if at >= 0 else (0, 0)


def _weigh_words(text: str) -> float:
    """What a sentence is worth by its own words: a rule or a refusal says how, a request only what."""
    classes = find_cues(text, TOLD)
    worth = 0.1 + (RULING if "ruling" in classes else 0.0) + (RULING / 2 if "steering" in classes else 0.0)
    return worth + (0.4 if _STRESSED.search(text) else 0.0)


def _place_told(strengths: dict[str, float], asks: bool) -> tuple[str, str]:
    if strengths["correction"] >= STRONGEST:
        return "dead_ends", OVERRULED
    if strengths["constraint"] >= LIKELY:
        return "basics", RULES
    if strengths["correction"] >= PERHAPS and not asks:
        return "dead_ends", QUESTIONED
    return "basics", ASKED
