"""What a message that asked the user came to: a yes makes it what was agreed, a pick makes one way of it the way.

Who is asked "shall it be so?" and says "yes" has said all of it. Without the words that were asked, such an answer
tells a later reader nothing, so both are quoted together.
"""

from collections.abc import Iterator

from thruline.engines.rules.candidates.candidate import ASKED, SURE, Candidate
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import Span, split_units
from thruline.pattern import compile_later
from thruline.signals.signal import Signal

# An answer of more words says itself what it means.
FEW_WORDS = 8
# What such an answer is worth with what it answers, and how much its terms count.
ANSWER_WORTH, ANSWER_QUALITY = 0.3, 0.15
LONGEST_OPENING = 160
# A question without a name says what it is about in so many terms: "Shall I go ahead, or do you prefer another way?".
TELLING = 6
# And in so many beside the words of every such question, where the answer is no: "Shall I push it to main?".
LEAST_DECLINED = 2
# A message that asks may say a word more behind its question.
LAST_UNITS, MOST_TAIL = 3, 600
# "2", "option b", "(a)", "let's do 1 and 3".
_PICK = compile_later(r"(?<![\w.'-])\(?([1-9]|[A-Ea-e])[).]?(?![\w'-])")
_FIRST = ("1", "A", "a")
# "1. …", "**B) …", "- **Option 2: …".
_NUMBERED = compile_later(r"[*_(\[]*(?:[^\W\d_]+ )?([1-9]|[A-Ea-e])[.):\]][*_)\]]*[ \t]")


def find_answers(material: Material) -> dict[int, Message]:
    """What the user said next, by the id of the agent's message before it."""
    found: dict[int, Message] = {}
    before: Message | None = None
    for message in material.messages:
        if message.by == "agent":
            before = message
        elif before is not None and before.line < message.line:
            found[id(before)] = message
            before = None
    return found


def asks(message: Message) -> bool:
    """Whether a message ends with a question."""
    return find_question(message.text) is not None


def is_granted(answer: str) -> bool:
    """Whether an answer says yes, and hardly more: none that asks back, and none that goes on to something else."""
    asks_back = answer.rstrip().endswith(("?", "？"))
    return not asks_back and _is_short(answer) and find_cues(answer, ("granted", "denial", "doubted")) == {"granted"}


def is_declined(answer: str) -> bool:
    """Whether an answer says no, and nothing of what is to be instead."""
    asks_back = answer.rstrip().endswith(("?", "？"))
    return not asks_back and _is_short(answer) and find_cues(answer, ("declined", "granted", "doubted")) == {"declined"}


def _names_something(question: str) -> bool:
    """Whether a question says what it asks leave for. A yes is told by what was done; a no by these words alone."""
    words = [word for word in question.split() if not find_cues(word, ("leave",))]
    return len(find_terms(" ".join(words))) >= LEAST_DECLINED


def find_answered(
    material: Material, answers: dict[int, Message], by_place: dict[tuple[str, int], list[Signal]]
) -> Iterator[Candidate]:
    """What short answers settled: the ways that were picked, or the question that was answered."""
    for message in material.messages:
        answer = answers.get(id(message))
        if answer is None or not _is_short(answer.text) or answer.kind == "rejection":
            continue
        signals = by_place.get((answer.source, answer.line), ())
        if any(one.kind == "correction" and one.strength >= SURE for one in signals):
            continue  # it stands among the dead ends
        question = find_question(message.text)
        if question is None:
            continue
        spans = find_picked(message.text, answer.text)
        asked = find_terms(message.text[question.start : question.end])
        tells = any(asked.values()) or len(asked) >= TELLING
        declined = is_declined(answer.text)
        tells = tells or (declined and _names_something(message.text[question.start : question.end]))
        # Anything but a yes or a no speaks of something else.
        if not spans and tells and (declined or find_cues(answer.text, ("granted", "denial"))):
            spans = [question]
        for span in spans:
            text = message.text[span.start : span.end]
            where = (message, span.start, span.end, "basics", ASKED)
            made = Candidate(
                *where, ANSWER_WORTH, ANSWER_QUALITY, find_terms(text), order=span.start, answered_by=answer
            )
            made.lead = _find_opening(message.text, span)
            yield made


def _find_opening(text: str, before: Span) -> tuple[int, int] | None:
    """How the message begins, where that says why there is something to ask."""
    first = next(iter(split_units(text)), before)
    told = first.end <= before.start and not first.item and first.end - first.start <= LONGEST_OPENING
    if (
        not told
        or text[: first.end].endswith(("?", "？", ":", "："))
        or len(find_terms(text[first.start : first.end])) < 3
    ):
        return None
    return first.start, first.end


def find_picked(text: str, answer: str) -> list[Span]:
    """The ways in a message that an answer picks: by number or letter, or by a word that only one of them has."""
    ways = _find_ways(text)
    if len(ways) < 2 or find_cues(answer, ("denial",)):
        return []
    picks = [pick.lower() for pick in _PICK.findall(answer)]
    if picks:
        # "a" is a word, and "3 tests fail" counts: a pick is all that an answer says beside words of every yes.
        rest = set(find_terms(_PICK.sub(" ", answer)))
        named = {term for pick in picks if pick in ways for term in find_terms(text[ways[pick].start : ways[pick].end])}
        plain = {term for term in rest if not find_cues(term, ("choice", "granted"))}
        return [ways[pick] for pick in dict.fromkeys(picks) if pick in ways] if plain <= named else []
    wanted = find_terms(answer)
    named_by = [span for span in ways.values() if wanted.keys() & find_terms(text[span.start : span.end]).keys()]
    return named_by if len(named_by) == 1 else []


def _find_ways(text: str) -> dict[str, Span]:
    """The last list of a message that is numbered or lettered from the beginning: what it asks about."""
    lists: list[dict[str, Span]] = []
    line = 0
    for span in split_units(text):
        start = text.rfind("\n", 0, span.start) + 1
        mark = _NUMBERED.match(text[start : span.end].lstrip(" \t-*+•"))
        # What a line goes on with belongs to its first sentence.
        if mark is None or span.line == line:
            continue
        line = span.line
        if mark[1] in _FIRST:
            lists.append({})
        if lists:
            lists[-1].setdefault(mark[1].lower(), span)
    return next((ways for ways in reversed(lists) if len(ways) > 1), {})


def find_question(text: str) -> Span | None:
    """The question that a message ends with."""
    if "?" not in text[-MOST_TAIL:] and "？" not in text[-MOST_TAIL:]:
        return None
    last = [span for span in split_units(text)[-LAST_UNITS:] if text[: span.end].rstrip("*_`) ").endswith(("?", "？"))]
    return last[-1] if last else None


def _is_short(answer: str) -> bool:
    return 0 < len(answer.split()) <= FEW_WORDS and "\n" not in answer.strip()
