"""What was listed as found, proposed or left, and of which nobody took up every item.

The situations: a review numbers its findings and the user picks two of them; a message ends with ways to go on and the
user asks for something else; a report ends with what is left. That an item is still open is told by what came after it:
the numbers that people named, and files, commands, commits and words that have to do with it. It errs on the side of
silence: an item that anything later touches is not told.
"""

from collections.abc import Iterator
from functools import lru_cache

from thruline.brief.section import Claim
from thruline.engines.rules.candidates.answered import find_answers, find_question, is_granted
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.open_threads.lists import Item, Listed, find_lists, is_numbered, read_below
from thruline.engines.rules.open_threads.picks import find_picks, read_numbers, takes_class
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.settled import Since, share_most
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.value import dataclass

# What a list tells by what stands above it, or by what was picked from it.
LEFT, DEFERRED, FOUND, OFFERED, PICKED = "left", "deferred", "found", "offered", "picked"
_WORDS = {
    LEFT: "Left, as the agent told; not done as far as the session shows:",
    DEFERRED: "Put off by the agent; not done as far as the session shows:",
    FOUND: "Found, not dealt with as far as the session shows:",
    OFFERED: "Offered, not taken up:",
    PICKED: "Listed, and not among what was picked:",
}
# Of the agent's reports so many are read, the newest; what was left is told by the last few, older ones are overtaken.
MOST_READ, NEWEST, RECENT = 40, 3, 0.5
# So many lists are told, and so many bytes of each.
MOST_LISTS, ROOMY_LISTS = 1, 3
BYTES, ROOMY_BYTES = 240, 600
# An item says what it is about in so many bytes; where there is room, in more than its title.
LONGEST_ITEM = 170
FEW_TERMS, TELLING = 2, 4
# A line that leads to a list is no longer; of so many items some are asked for.
LONGEST_LEAD, FEWEST = 90, 3
# How a message begins says whether it is about what is wrong.
OPENING = 300
_FOUND_CUES = ("listed_found", "listed_findings", "listed_advice")
# The first words of an answer choose; one that takes all of it is short.
MOST_WORDS, FEW_WORDS = 40, 5
# An answer may be followed by another that goes on with the same list.
ANSWERS = 3
# Of later messages so many are held against an item, and so much of each.
MOST_LATER, MOST_COMPARED = 60, 2_000


@dataclass(frozen=True, slots=True)
class _Thread:
    kind: str
    message: Message
    items: list[Item]


def build_listed(facts: Facts, since: Since, *, roomy: bool) -> Iterator[Claim]:
    """The claims about lists of which something is open, the newest first."""
    told: list[dict[str, bool]] = []
    left = ROOMY_LISTS if roomy else MOST_LISTS
    for thread in _find_threads(facts, since):
        items = [item for item in thread.items if not _is_told(thread.message, item, told)]
        # A small brief has no room for what was put off long ago.
        if not items or not left or (thread.kind == DEFERRED and not roomy):
            continue
        left -= 1
        told += [find_terms(thread.message.text[item.start : item.title]) for item in items]
        quote = build_quote(thread.message, _choose(thread.message.text, items, roomy=roomy), len(items))
        weight = 0.55 + 0.2 * thread.message.line / max(1, facts.material.last_line)
        yield Claim(_WORDS[thread.kind], (quote,), weight=weight)


def _is_told(message: Message, item: Item, told: list[dict[str, bool]]) -> bool:
    """Whether a newer list has an item that speaks of the same."""
    mine = find_terms(message.text[item.start : item.title])
    return any(share_most(mine, one) for one in told)


def _choose(text: str, items: list[Item], *, roomy: bool) -> list[tuple[int, int]]:
    """What is quoted of the items: their titles, or more of each where that says little or there is room."""
    spans: list[tuple[int, int]] = []
    left = ROOMY_BYTES if roomy else BYTES
    for item in items:
        says = len(find_terms(text[item.start : item.title])) >= FEW_TERMS and not roomy
        end = item.title if says or item.end - item.start > LONGEST_ITEM else item.end
        left -= end - item.start
        if left < 0 and spans:
            break
        spans.append((item.start, end))
    return spans


def _find_threads(facts: Facts, since: Since) -> Iterator[_Thread]:
    """The lists with open items, the newest first."""
    finals = [message for message in facts.material.agents() if message.final][-MOST_READ:]
    answers = find_answers(facts.material)
    humans = [message for message in facts.material.humans() if message.kind != "rejection"]
    for age, message in enumerate(reversed(finals)):
        answer = answers.get(id(message))
        lists = find_lists(message.text)
        if not lists or (answer is not None and _takes_all(answer.text)):
            continue
        later = [one for one in humans if one.line > message.line][:MOST_LATER]
        if any(takes_class(one.text) for one in later[:ANSWERS]):
            continue  # which items they are is not known
        begun = max((one.line for one in humans if one.line < message.line), default=0)
        looked = not since.has_changed(begun, message.line)
        recent = message.line > RECENT * facts.material.last_line
        for listed in reversed(lists):
            kind = _classify(listed, message, later, looked=looked, recent=recent, newest=age < NEWEST)
            if kind is None:
                continue
            picks = _find_picks(listed, later) if kind == PICKED else set()
            items = [one for one in listed.items if one.number not in picks and _is_open(message, one, later, since)]
            if items:
                yield _Thread(kind, message, items)


def _classify(
    listed: Listed, message: Message, later: list[Message], *, looked: bool, recent: bool, newest: bool
) -> str | None:
    """What a list tells: None of one that tells what was done, how something works, or which ways there are.

    `looked` tells that nothing was changed in the turn that the message ended: what it found is not mended by it.
    `recent` and `newest` tell how late it was said: what was offered early has been settled in other words.
    """
    leads = listed.lead.endswith((":", "：")) and len(listed.lead) <= LONGEST_LEAD
    near = listed.lead if leads else "".join(listed.above[-1:])
    if find_cues(near, ("settled", "listed_done", "listed_ways")):
        return None
    # What was put off in so many words stays so.
    if find_cues(near, ("listed_left", "deferred") if newest else ("deferred",)):
        return LEFT if newest else DEFERRED
    told = frozenset(cue for one in listed.above for cue in find_cues(one, _FOUND_CUES)) if looked else frozenset()
    # The answer tells whether it was a list to pick from; a number that is named later may be of another.
    if told and listed.numbered and _find_picks(listed, later[:1]):
        return PICKED
    # What stands below one finding tells more of it; what a search found is an answer, unless something is wrong.
    if told and not later and not any(map(is_numbered, listed.above)):
        wrong = "listed_found" in told or find_cues(message.text[:OPENING], ("listed_found",))
        if any(find_cues(one, ("set_aside_all",)) for one in _read_prose(message.text)):
            return None
        return FOUND if wrong else OFFERED if "listed_advice" in told else None
    question = find_question(message.text)
    chosen = bool(later) and _is_choice(later[0].text)
    if question is None or chosen or not (recent and listed.numbered and len(listed.items) >= FEWEST):
        return None
    return OFFERED if find_cues(message.text[question.start : question.end], ("which",)) else None


def _read_prose(text: str) -> Iterator[str]:
    """The sentences of a message that stand in no list."""
    return (text[span.start : span.end] for span in split_units(text) if not span.item)


def _takes_all(answer: str) -> bool:
    """Whether an answer takes up all that was listed: a yes, or a word for all of it, and leaves nothing out."""
    if read_numbers(answer)[1]:
        return False
    return is_granted(answer) or (len(answer.split()) <= MOST_WORDS and bool(find_cues(answer, ("takes_all",))))


def _is_choice(answer: str) -> bool:
    """Whether an answer chooses: by a number, or by the place of what it means."""
    return any(read_numbers(answer)) or bool(find_cues(" ".join(answer.split()[:FEW_WORDS]), ("ordinal",)))


def _find_picks(listed: Listed, later: list[Message]) -> set[int]:
    """The numbers of a list that people took up after it."""
    known = {item.number for item in listed.items} if listed.numbered else set()
    return {pick for message in later if known for pick in find_picks(message.text, known)}


def _is_open(message: Message, item: Item, later: list[Message], since: Since) -> bool:
    """Whether nothing that was said or done after an item has to do with it."""
    text = message.text[item.start : item.end]
    if item.ticked or find_cues(text, ("settled", "dismissed", "set_aside")):
        return False
    if any(find_cues(line, ("set_aside",)) for line in read_below(message.text, item)):
        return False
    title = message.text[item.start : item.title]
    mine = find_terms(title)
    if len(mine) < TELLING:  # "Repository issue" is found anywhere
        title, mine = text, find_terms(text)
    if since.is_changed(find_terms(text), message.line) or since.is_taken_up(title, message.line):
        return False
    if since.is_told_done(title, message.line):
        return False
    return not any(share_most(mine, _read_later(one.text[:MOST_COMPARED])) for one in later)


# Every item is held against the same messages.
@lru_cache(maxsize=256)
def _read_later(text: str) -> frozenset[str]:
    return frozenset(find_terms(text))
