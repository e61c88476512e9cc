"""What the agent said: of its messages those that count, each sentence with the section it belongs to and its worth."""

from itertools import chain

from thruline.engines.rules.candidates.answered import asks, find_answered, find_answers, find_question, is_granted
from thruline.engines.rules.candidates.candidate import (
    CONTEXT,
    DISPROVED,
    FADE,
    FEW_TERMS,
    LONGEST_UNIT,
    OVERRULED,
    Candidate,
)
from thruline.engines.rules.candidates.hidden import find_hidden
from thruline.engines.rules.candidates.last_word import LAST_WORTH, raise_last
from thruline.engines.rules.candidates.overruled import FEW_SAID, Corrections, mark_overruled
from thruline.engines.rules.candidates.proposed import find_plans
from thruline.engines.rules.cues import FAILING, SAID, STANDING, find_cues, find_plain_cues, is_praise
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import Span, find_options, is_link, split_units
from thruline.signals.signal import Signal

# Only so much of the agent's words is weighed; the ends of turns come first.
MOST_WEIGHED = 80_000
# What is said before the last part of a session is no open thread: later words have settled it or said it again.
LATE = 0.15
# Nor is it before the agent's last few messages, where a session has few.
NEWEST = 3
# Shorter sentences are said again without meaning the same.
LEAST_AGAIN = 20
# A turn that ends with so many letters ends with a report of it.
SHORTEST_REPORT = 80
CAUSE_WORTH = 0.05
# What is still to be done is worth its line, however short it is said.
OPEN_WORTH = 0.004
# The question that a session ends with waits for an answer: it comes before whatever else is open.
ASKED_WORTH = 15.0
# So is each thing that may be chosen, where the session ends with the question which.
OFFERED_WORTH, MOST_OFFERED = 0.02, 4
# How the agent's last message begins says where the session ended, however little is new in it: its first sentence
# that speaks of something. One with a single word that counts is a courtesy anywhere.
FEW_OPENING, LEAST_TERMS = 3, 2
# So does any report that ends a turn, if less the older it is.
OPENED_WORTH = 0.04
# A list's item says as much alone as a sentence, but not one that only goes on with the line above the list; a table's
# row says less.
SCRAP, SCRAP_WORDS, ROW = 0.4, 6, 0.4
# The line above a list goes with an item that says little alone.
LONGEST_LEAD, SHORTEST_LEAD = 120, 40
# A sentence of a long message is a detail more often than one of a short one.
BROAD, SHORTEST_BROAD = 1_000, 200

_READ = (*SAID, "announced", "root", *STANDING)
_OPEN = frozenset(("open", "deferred"))
_LEFT = frozenset(("rejected", "dismissed"))
_LASTING = frozenset(("cause", "rejected", "against", "means"))
_TELLING = frozenset(("conclusion", "reversal", "dead_end"))


def find_said(
    material: Material, by_place: dict[tuple[str, int], list[Signal]], since: Since, corrections: Corrections
) -> list[Candidate]:
    """The sentences of the agent's messages; where one was corrected, what was overruled is marked."""
    agents = material.agents() or material.summarised()
    chosen = _choose_messages(agents)
    answers = find_answers(material)
    reported = {message.turn for message in agents if message.final and len(message.text) >= SHORTEST_REPORT}
    found: list[Candidate] = []
    for at in chosen:
        message = agents[at]
        age = (len(agents) - 1 - at) / len(agents)
        last, late = at == len(agents) - 1, age < LATE or at >= len(agents) - NEWEST
        made = _said(message, age, late, last, by_place.get((message.source, message.line), []))
        if not last:
            made = [each for each in made if each.section != "open_threads" or _is_owed(each, since)]
            _mark_superseded(message, made, since, answers.get(id(message)))
        answer = corrections.get(id(message))
        overruled = answer is not None and made and mark_overruled(made, message, *answer) and answer[1] == OVERRULED
        # Of a long message it was one thing among others.
        overruled = overruled and len(made) <= FEW_SAID
        # A session did not land on what the user overruled, nor in the midst of a turn that ended in a report; what lay
        # at the root of it all may be said there.
        passed = not message.final and message.turn in reported
        if passed:
            # What failed meanwhile was seen to before the turn ended, or the report says that it was not.
            made = [each for each in made if "cause" in each.cues or not find_cues(each.text, FAILING)]
        for each in made if overruled or passed else ():
            each.midway = passed and not overruled and not each.superseded and not each.rooted
            each.superseded = bool(overruled) or not each.rooted
        found += made
    raise_last(found)
    found = _drop_said_again(found) + find_hidden(material)
    return found + list(find_answered(material, answers, by_place))


def _drop_said_again(found: list[Candidate]) -> list[Candidate]:
    """Each sentence once, where it was said last; one that was overruled stands with what overruled it."""
    told: set[str] = set()
    kept = []
    for each in reversed(found):
        words = each.text.casefold()
        if each.overruled_by is None and len(words) >= LEAST_AGAIN and words in told:
            continue
        told.add(words)
        kept.append(each)
    return kept[::-1]


def _choose_messages(agents: list[Message]) -> list[int]:
    """Which of the agent's messages are weighed: all, or the ends of turns and the newest of a long session."""
    newest = range(len(agents) - 1, -1, -1)
    ranked = chain((at for at in newest if agents[at].final), (at for at in newest if not agents[at].final))
    weighed = 0
    chosen: list[int] = []
    for at in ranked:
        weighed += len(agents[at].text)
        if weighed > MOST_WEIGHED and chosen:
            break
        chosen.append(at)
    return sorted(chosen)


def _said(message: Message, age: float, late: bool, last: bool, signals: list[Signal]) -> list[Candidate]:
    made = []
    opened = rooted = False
    question = find_question(message.text) if last else None
    # What the last message proposes is offered, and nobody took it up. One that asks nothing may be an answer: of that
    # only what the agent would do.
    offered = list(find_plans(message, ("proposal" if _asks_anywhere(message.text) else "offers",))) if last else []
    weighed = _find_weighed(message.text, question)
    breadth = (BROAD / (SHORTEST_BROAD + len(message.text))) ** 0.5
    lead: tuple[int, int] | None = None
    stated: tuple[int, int] | None = None
    for number, span in enumerate(split_units(message.text)):
        text = message.text[span.start : span.end]
        leads = text.rstrip("*_` ").endswith((":", "："))
        cues = find_plain_cues(text, _READ)
        if not span.item or leads:
            lead = (span.start, span.end) if leads and span.end - span.start <= LONGEST_LEAD else None
            tells = "settled" in cues and "narration" not in cues and len(text) >= SHORTEST_LEAD
            stated = lead if tells else None
        if weighed[0] <= span.start < weighed[1]:
            continue
        closing = "question" in cues or text.rstrip("*_` ").endswith(("?", "？"))
        # A question that was answered since, a step that was announced and taken: neither is open any more.
        if len(text) < 12 or ((closing or "step" in cues) and not last) or is_link(text):
            continue
        # "I've added two sections:" says where things stand, "Changes:" only that something follows.
        if leads and not (last and not opened and "settled" in cues and len(text) >= SHORTEST_LEAD):
            continue
        if is_praise(text, cues):
            continue
        terms = find_terms(text)
        named = any(terms.values())
        if len(terms) < LEAST_TERMS and not named and not closing:
            continue  # "Excellent!", "You are welcome."
        kinds = {signal.kind for signal in signals if _is_same(signal.quote, text)}
        quality = (1 - FADE * age) * (1.35 if message.final else 0.75) * (1.5 if last else 1.0)
        quality *= 1.25 if message.commits else 1.0
        quality *= 1.15 if number == 0 else 1.0
        quality *= SCRAP if span.item and _is_scrap(text) else 1.0
        quality *= ROW if text.startswith("|") else 1.0
        quality *= breadth
        quality *= _weigh_cues(cues, len(text)) * (1.2 if kinds & _TELLING else 1.0)
        # A guess that was made long ago has been proved or given up since, in other words.
        guessed = "hypothesis" in kinds and age > LATE
        if len(text) > LONGEST_UNIT or guessed:
            quality *= 0.4
        # "What is left": whatever stands below it is.
        left = late and span.heading and _is_left(span.heading) and not cues & {"settled", "closed"}
        section, topic = _place_said(cues | {"open"} if left else cues, kinds, closing, age, late)
        if section == "convergence" and any(start <= span.start < end for start, end in offered):
            section = "open_threads"
        # A cause told where a turn ends is worth its line, also where its words stand elsewhere already.
        base = CAUSE_WORTH if "cause" in cues and message.final else 0.0
        opens = False
        if message.final and not opened and section == "convergence" and (named or len(terms) >= FEW_OPENING):
            opened, opens = True, not last
            base = max(base, LAST_WORTH if last else OPENED_WORTH * (1 - FADE * age))
        if last and section == "open_threads" and not (span.item and _is_scrap(text)):
            base = max(base, ASKED_WORTH if question is not None and span.start == question.start else OPEN_WORTH)
        candidate = Candidate(message, span.start, span.end, section, topic, base, quality, terms, order=number)
        candidate.cues, candidate.opens, candidate.item = cues, opens, span.item
        if lead is not None and span.item and (_is_scrap(text) or _goes_on(text)):
            candidate.lead = lead
            candidate.size += lead[1] - lead[0]
        elif span.item:
            candidate.stated = stated
        if section == "convergence" and not last:
            # "Everything looks correct.": a result, and nobody can tell of what.
            empty = len(terms) < FEW_TERMS and not named
            # In the middle of a turn "tests pass" is true for a minute; a cause stays one.
            telling = message.final or message.commits or cues & _LASTING
            candidate.passing = (
                empty or "narration" in cues or not telling or (lead is None and span.item and _goes_on(text))
            )
        candidate.superseded, candidate.rooted = guessed, "root" in cues
        says = named or len(terms) >= FEW_OPENING
        if not rooted and section == "convergence" and says and not candidate.passing and text[0] != "|":
            rooted = candidate.root = True
        made.append(candidate)
    if last and made and made[-1].section == "open_threads" and made[-1].text.rstrip("*_` ").endswith(("?", "？")):
        made += _find_offered(message, len(made))
    return made


def _asks_anywhere(text: str) -> bool:
    """Whether any sentence of a message is a question, be it in the midst of it."""
    return any(text[span.start : span.end].rstrip("*_`) ").endswith(("?", "？")) for span in split_units(text))


def _find_weighed(text: str, question: Span | None) -> tuple[int, int]:
    """The part of the last message that is about ways to choose from, up to the question which: none is a position."""
    options = find_options(text) if question is not None else []
    return (options[0][0], question.start) if options and question is not None else (0, 0)


def _find_offered(message: Message, number: int) -> list[Candidate]:
    """What the user may choose from, where the last message ends with the question which."""
    return [
        Candidate(
            message, *span, "open_threads", "", OFFERED_WORTH, 1.0, find_terms(message.text[slice(*span)]), order=at
        )
        for at, span in enumerate(find_options(message.text)[:MOST_OFFERED], number)
    ]


def _mark_superseded(message: Message, made: list[Candidate], since: Since, answer: Message | None) -> None:
    """Marks what later words or work took the place of: of a message that asked, or about a file changed since."""
    asked = message.final and asks(message) and not (answer is not None and is_granted(answer.text))
    for each in made:
        cues = find_cues(each.text, ("settled", "cause"))
        overtaken = "settled" not in cues and since.is_changed(each.terms, message.line)
        each.asked = asked and answer is not None and each.item and not cues
        if (asked and "cause" not in cues) or overtaken:
            each.superseded = True


def _is_owed(candidate: Candidate, since: Since) -> bool:
    """Whether something is still to be done about what was said to be open, before the agent's last message."""
    message = candidate.message
    if not message.final:
        # Said while at work: what the next step was about, unless there was none.
        return since.is_idle(message.line)
    if "deferred" in find_cues(candidate.text, SAID):
        return True  # left for later in so many words; that its file was changed meanwhile does not bring it back
    return not (since.is_done(candidate.text, message.line) or since.is_reported(candidate.text, message.line))


def _is_left(heading: str) -> bool:
    """Whether a heading says that what stands below it is left: "Next steps", not "Why it is still needed"."""
    return find_cues(heading, ("listed_left", "listed_done")) == {"listed_left"}


def _is_scrap(text: str) -> bool:
    """Whether an item is a piece of a sentence: few words, and no name among them."""
    return len(text.split()) < SCRAP_WORDS and not any(mark in text for mark in "`/_=")


def _goes_on(text: str) -> bool:
    """Whether an item only goes on with the line above its list: it begins in lower case and names nothing at once."""
    return text[0].islower() and not any(mark in text.split(" ", 1)[0] for mark in "./_(")


def _is_same(quote: str, text: str) -> bool:
    """Whether a signal's quote and a sentence are the same words, give or take a neighbour."""
    if quote in text:
        return 2 * len(quote) >= len(text)
    return text in quote and 3 * len(text) >= 2 * len(quote)


def _weigh_cues(cues: frozenset[str], length: int) -> float:
    weight = 1.5 if "cause" in cues else 1.25 if cues & {"settled", "rejected", "against"} else 1.0
    # "Good. Let me look at the tests." and "Done: the export asks for rows after the last key." begin alike.
    return weight * ((0.45 if length < 70 else 0.75) if "narration" in cues else 1.0)


def _place_said(cues: frozenset[str], kinds: set[str], closing: bool, age: float, late: bool) -> tuple[str, str]:
    owed = cues & _OPEN or ("intent" in kinds and "announced" in cues and "closed" not in cues)
    if closing or (owed and late):
        return "open_threads", ""
    if cues & _LEFT or "dead_end" in kinds:
        return "dead_ends", DISPROVED
    if "means" in cues and age > 0.5 and not cues & {"cause", "settled"} and "hypothesis" not in kinds:
        return "basics", CONTEXT
    return "convergence", ""
