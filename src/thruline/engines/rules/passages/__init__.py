"""Where a brief has room left: what the agent said, passage by passage as it stood.

Sentences that are chosen one by one lose what only a list, a table or a block of code says as a whole. Room that is
left goes to those: first the reports that ended turns, the newest first, then what was said at work. It is the last
thing to be told and the first to be cut.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from thruline.engines.rules.candidates import ASKED, BEFORE, Candidate
from thruline.engines.rules.cues import FAILING, find_plain_cues
from thruline.engines.rules.material import Message
from thruline.engines.rules.passages.lasting import find_lasting
from thruline.engines.rules.passages.split import (
    find_asked,
    find_remarks,
    measure_shared,
    split_passages,
    split_standing,
)
from thruline.engines.rules.terms import Weights, find_terms

# A turn that ends with fewer letters ends with no report.
SHORTEST_REPORT = 80
# Of each message so many bytes are told.
MOST_OF_ONE = 900
# Of what was said at work the newest messages are read, so many letters of them.
MOST_READ = 60_000
# To fill what room there is, so many of people's newest messages are looked at, and so many letters of the newest
# reports, or so many times the room: what is older repeats them, and a long session has a thousand of both.
MOST_ASKED, MOST_REPORTED, TIMES = 200, 20_000, 10
# In less room nothing is told that is worth its line.
LEAST_ROOM = 120
# A passage is told already where so much of it is quoted, less where that stands in another section; or where few of
# its terms are new: less than this part of them, and fewer than so many.
_MOSTLY, _LITTLE, _PART_NEW, _MANY_NEW = 0.6, 0.25, 3, 5
# So many bytes of the client's summary are told at most.
MOST_BEFORE = 1_500
# Where the agent said so little after a summary, what was left then may well be left now.
FEW_AFTER = 3
# What went wrong, and what is left, counts for more there than what was looked at and how the code is laid out.
_WENT_WRONG, _TELLING = ("cause", "rejected", "against", "deferred", *FAILING), 2.5
# What a quotation of its own costs, what a further piece of one does, and each of its lines.
_QUOTE, _PIECE, _LINE = 70, 16, 6
# A message's source and line, and the words that are quoted already by the place of their message.
Place = tuple[str, int]
Quoted = Mapping[Place, Sequence[str]]


class Passages:
    """The passages of a session, without their lines that do not stand any more."""

    def __init__(self, messages: Sequence[Message], candidates: Iterable[Candidate], weights: Weights) -> None:
        self._messages = messages
        self._weights = weights
        self._fallen: dict[int, list[tuple[int, int]]] = {}
        for each in candidates:
            if each.gone or each.overruled_by is not None:
                self._fallen.setdefault(id(each.message), []).append((each.start, each.end))
        self._made: dict[int, list[Candidate]] = {}
        self._remarks: list[Candidate] | None = None
        self.cut = False  # whether what was chosen last left something out for room

    def choose(
        self, taken: Iterable[Candidate], landed: Container[Place], quoted: Quoted, covered: Iterable[str], room: int
    ) -> list[Candidate]:
        """What is not told yet and fits into `room` bytes.

        Told are the pieces `taken`, of which those at the places `landed` stand elsewhere, the words `quoted` by their
        place, and the terms `covered`.
        """
        choice = _Choice(taken, landed, quoted, covered, room)
        self._choose(choice)
        self.cut = choice.cut
        return choice.chosen

    def _choose(self, choice: "_Choice") -> None:
        newest = self._messages[::-1]
        asked = (one for one in newest if one.by == "human" and not one.about)
        for message in islice(asked, MOST_ASKED):
            choice.take_all(self._find(message, find_asked))
        reports = list(_find_reports(newest, max(MOST_REPORTED, TIMES * choice.room)))
        for message in reports:
            if choice.room < LEAST_ROOM:
                choice.cut = True
                return
            choice.take_all(self._find(message, split_passages))
        choice.take_all(self._rank_remarks())

    def choose_before(self, summary: Message, covered: Iterable[str], room: int) -> list[Candidate]:
        """Of the client's summary what tells most that is not told yet, within `room` bytes."""
        told = set(covered)
        after = sum(1 for one in self._messages if one.by == "agent" and one.line > summary.line and not one.source)
        known = any(one.line < summary.line for one in self._messages)
        just = after <= FEW_AFTER
        spans = split_passages(summary.text) if just else find_lasting(summary.text, known=known)
        left = [
            Candidate(summary, start, end, "basics", BEFORE, 0.0, 0.0, find_terms(summary.text[start:end]))
            for start, end in spans
        ]
        chosen: list[Candidate] = []
        rates = {
            id(one): (_TELLING if find_plain_cues(one.text, _WENT_WRONG) else 1.0) / (one.size + _QUOTE) for one in left
        }
        while left:
            worth = [self._weights.total(set(each.terms) - told) * rates[id(each)] for each in left]
            best = left.pop(worth.index(max(worth)))
            cost = best.size + _LINE * best.text.count("\n") + (_PIECE if chosen else _QUOTE)
            if cost <= room and not _is_known(best, told):
                room -= cost
                told.update(best.terms)
                chosen.append(best)
        return chosen

    def _find(self, message: Message, find: Callable[[str], list[tuple[int, int]]]) -> list[Candidate]:
        known = id(message)
        if known not in self._made:
            gone = self._fallen.get(known, [])
            parts = [
                part for start, end in find(message.text) for part in split_standing(message.text, start, end, gone)
            ]
            self._made[known] = [_build(message, *part) for part in parts]
        return self._made[known]

    def _rank_remarks(self) -> list[Candidate]:
        """What was said at work in the newest messages, what tells most first."""
        if self._remarks is None:
            found: list[Candidate] = []
            read = 0
            for message in reversed(self._messages):
                if message.by == "agent" and not message.final and read < MOST_READ:
                    read += len(message.text)
                    found += self._find(message, find_remarks)
            named = [each for each in found if any(each.terms.values())]
            self._remarks = sorted(named, key=lambda each: -self._weights.total(each.terms))
        return self._remarks


def _find_reports(newest: Iterable[Message], most: int) -> Iterator[Message]:
    """The messages that ended turns with a report, up to `most` letters of them."""
    for message in newest:
        if message.by == "agent" and message.final and len(message.text) >= SHORTEST_REPORT:
            if most <= 0:
                return
            most -= len(message.text)
            yield message


class _Choice:
    def __init__(
        self, taken: Iterable[Candidate], landed: Container[Place], quoted: Quoted, covered: Iterable[str], room: int
    ) -> None:
        self.chosen: list[Candidate] = []
        self._covered = set(covered)
        self.room = room
        self.cut = False
        self._spent: dict[int, int] = {}
        self._landed = landed
        self._quoted = quoted
        self._taken: dict[int, list[tuple[int, int]]] = {}
        for each in taken:
            self._taken.setdefault(id(each.message), []).append((each.start, each.end))

    def take_all(self, passages: Iterable[Candidate]) -> None:
        for each in passages:
            self._take(each)

    def _take(self, passage: Candidate) -> None:
        known = id(passage.message)
        used = self._spent.get(known, 0)
        cost = passage.size + _LINE * passage.text.count("\n") + (_PIECE if used else _QUOTE)
        if used and used + passage.size > MOST_OF_ONE:
            return
        if cost > self.room and self.cut:
            return
        told = measure_shared(passage.start, passage.end, self._taken.get(known, []))
        place = (passage.message.source, passage.message.line)
        most = (_LITTLE if place in self._landed else _MOSTLY) * (passage.end - passage.start)
        if told > most or _is_known(passage, self._covered):
            return
        # What stands among the dead ends, or in another place of its own, is told there with what it means.
        if any(one in passage.text or passage.text in one for one in self._quoted.get(place, ())):
            return
        if cost > self.room:
            self.cut = True
            return
        self.room -= cost
        self._spent[known] = used + passage.size
        self._covered.update(passage.terms)
        self.chosen.append(passage)


def _is_known(passage: Candidate, covered: Container[str]) -> bool:
    """Whether few of its terms are not told yet."""
    fresh = sum(term not in covered for term in passage.terms)
    return not fresh or (fresh * _PART_NEW < len(passage.terms) and fresh < _MANY_NEW)


def _build(message: Message, start: int, end: int) -> Candidate:
    terms = find_terms(message.text[start:end])
    if message.by == "human":
        return Candidate(message, start, end, "basics", ASKED, 0.0, 0.0, terms)
    made = Candidate(message, start, end, "convergence", "", 0.0, 0.0, terms)
    made.superseded = True  # where it landed is told already
    return made
