"""Where the agent went another way, and why: what was tried first is a dead end, told in the words that left it.

The situation, whatever the language: something spoke against the way that was taken (a command failed, the user
objected, the agent granted somebody a point or found its own work of no use), the agent said what was wrong, and then
it worked on, mostly on what it had made before. Those words lie between the two, and nobody says them again later.
`moments` finds them by structure, `sentences` finds in them the reason and the other way by cues.

Errs on the side of silence. A fault that was simply mended (an import, a typing error) is no dead end, a supposition is
no reason, and a report at the end of a turn tells where things stand, not why a way was left.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from thruline.brief.claims.names import render_command
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.brief.wording import ANOTHER_WAY, FOUND_WANTING
from thruline.engines.rules.basics import strip_watched
from thruline.engines.rules.candidates import DISPROVED
from thruline.engines.rules.candidates.outcome import Outcome
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.reverted import Undoing
from thruline.engines.rules.turned.moments import Moment, find_moments, is_foreign
from thruline.engines.rules.turned.sentences import read_sentences
from thruline.value import dataclass, replace

__all__ = ["build_turned", "choose_turned", "join_answers"]

# Below this a change of way is not worth a line; so many are told where there is room.
LEAST, MOST = 2.8, 8
# Where there is little, they take so much of the room. So many letters take one off what a claim is worth; that the
# user's words are quoted anyway takes off so much.
SHARE, COST, TOLD = 0.12, 250, 0.5
# One that stands alone may take this part of the room.
ALONE = 6
# What the words of a moment add: own work done again, any work, and how much more the newest counts than the oldest.
REDONE, WORKED, NEWER = 1.0, 0.5, 0.5
# In a language without cues a message is quoted whole, or not at all.
SHORTEST, LONGEST = 30, 300


@dataclass(frozen=True, slots=True)
class Turn:
    """The words of one change of way, and what its finding out would cost again."""

    worth: float
    message: Message
    spans: tuple[tuple[int, int], ...]
    moment: Moment


def build_turned(
    facts: Facts, undoings: Sequence[Undoing] = (), outcome: Outcome | None = None
) -> list[tuple[float, Claim]]:
    """The changes of way that say why, each with its worth: those first that would cost most to find out again."""
    best: dict[int, Turn] = {}
    for one in _find_turns(facts, undoings, outcome):
        # What spoke against it may be answered twice; once is enough.
        why = id(one.moment.told or one.moment.failed or one.message)
        if why not in best or best[why].worth < one.worth:
            best[why] = one
    return [(one.worth, _build(one)) for one in sorted(best.values(), key=lambda one: -one.worth)[:MOST]]


def choose_turned(found: list[tuple[float, Claim]], room: int, *, roomy: bool, alone: bool = False) -> list[Claim]:
    """As many of them as there is room for; where there is little, the short ones, and what nobody else tells.

    An objection of the user is quoted in any case; a failure that was not said to anybody stands nowhere else. Where
    they would stand `alone`, one is told whatever it costs: what was given up is cut last.
    """
    if roomy:
        return [claim for _, claim in found]
    ranked = []
    for worth, claim in found:
        size = len(claim.text) + sum(len(quote.text.encode("utf-8", "surrogatepass")) for quote in claim.quotes)
        ranked.append((worth - size / COST - (TOLD if claim.text == ANOTHER_WAY else 0.0), size, claim))
    chosen: list[Claim] = []
    left = int(room * SHARE)
    for worth, size, claim in sorted(ranked, key=lambda one: -one[0]):
        if worth >= LEAST and size <= left:
            chosen.append(claim)
            left -= size
    if alone and not chosen:
        chosen = [claim for _, size, claim in sorted(ranked, key=lambda one: -one[0]) if size <= room // ALONE][:1]
    return chosen


def join_answers(claims: list[Claim]) -> list[Claim]:
    """The claims of a section, each answer to an objection with the user's words that it answers, where they stand."""
    objected = {
        (quote.pointer.source, quote.pointer.line): at
        for at, claim in enumerate(claims)
        for quote in claim.quotes
        if quote.by == "human"
    }
    joined = list(claims)
    gone: set[int] = set()
    for at, claim in enumerate(claims):
        to = objected.get((claim.pointers[0].source, claim.pointers[0].line)) if claim.text == ANOTHER_WAY else None
        if to is not None:
            joined[to] = replace(joined[to], quotes=(*joined[to].quotes, *claim.quotes))
            gone.add(at)
    return [claim for at, claim in enumerate(joined) if at not in gone]


def _find_turns(facts: Facts, undoings: Sequence[Undoing], outcome: Outcome | None) -> Iterator[Turn]:
    foreign = is_foreign(facts.material)
    undone = _Undone(undoings)
    for moment in find_moments(facts, outcome):
        message = moment.message
        if foreign:
            # The place alone decides, and only where a failure made the agent change its own work again.
            whole = message.text.rstrip()
            if moment.failed is not None and moment.redone and SHORTEST <= len(whole) <= LONGEST:
                yield Turn(LEAST, message, ((0, len(whole)),), moment)
            continue
        found = read_sentences(moment)
        if found is None:
            continue
        worth, spans = found
        if moment.after and all(undone.has(*one) for one in moment.after):
            # The other way was given up in its turn: only what was wrong with the first one is left to tell.
            spans = spans[:1] if len(spans) > 1 else ()
        worth += REDONE if moment.redone else WORKED if moment.after else 0.0
        worth += NEWER * message.line / max(1, facts.material.last_line)
        if worth >= LEAST and spans:
            yield Turn(worth, message, spans, moment)


class _Undone:
    """Which edits were put back later: of each path the lines where that happened, and since where it reaches back."""

    def __init__(self, undoings: Sequence[Undoing]) -> None:
        self._lines: dict[str, list[int]] = {}
        self._since: dict[str, list[int]] = {}
        # From the last to the first: how far back the undoings from there on reach together.
        for one in sorted(undoings, key=lambda one: -one.line):
            for path in one.paths:
                since = self._since.setdefault(path, [])
                since.append(min(one.made, since[-1]) if since else one.made)
                self._lines.setdefault(path, []).append(-one.line)

    def has(self, line: int, path: str) -> bool:
        """Whether one that was made at or before this line stands behind it."""
        later = bisect_left(self._lines.get(path, []), -line)
        return later > 0 and self._since[path][later - 1] <= line


def _build(turn: Turn) -> Claim:
    quote = build_quote(turn.message, turn.spans)
    told, failed = turn.moment.told, turn.moment.failed
    if told is not None:
        where = (place(told.line, source=told.source, uuid=told.uuid),)
        return Claim(ANOTHER_WAY, (quote,), where, topic=turn.moment.topic, weight=0.62)
    if failed is not None and not turn.moment.granted:
        words = f"{render_command(strip_watched(failed.target), 90)} failed, then another way:"
        return Claim(words, (quote,), (place(failed.line),), topic=DISPROVED, weight=0.62)
    return Claim(FOUND_WANTING, (quote,), topic=DISPROVED, weight=0.6)
