"""Where a claim's facts stand in a transcript whose lines were moved: looked for elsewhere, as quotations are.

A line that was put in or taken out moves all that stands behind it by as much, and the quotations tell by how much.
Where none was moved, a place that proves nothing is just wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from thruline.brief.claims.stated import Fact
from thruline.brief.pointer import Pointer
from thruline.brief.proof.done import Done
from thruline.value import replace

# What a file of false claims may cost, and a claim of many places.
_MOST_TRIES = 20_000
_MOST_SHIFTS, _MOST_PLACES = 20, 3


class Shifts:
    """Give it each quotation that was found with `see`; `find` tells where the facts of a claim stand."""

    def __init__(self, done: Done | None) -> None:
        self._done = done
        self._known: dict[str, dict[int, int]] = {}  # by file, how far what stood on a line was moved
        self._left = _MOST_TRIES

    def see(self, was: Pointer, now: Pointer) -> None:
        """Takes in where a quotation stands, and where it said that it does."""
        if was.source == now.source and was.kind == now.kind == "transcript" and not was.last:
            self._known.setdefault(was.source, {})[was.line] = now.line - was.line

    def find(self, facts: Sequence[Fact]) -> dict[Pointer, Pointer] | None:
        """The places at which all of these are so that are so anywhere, by those where they are said to be."""
        done = self._done
        moved = sorted({shift for known in self._known.values() for shift in known.values()})
        if done is None or not any(moved):
            return None
        facts = [fact for fact in facts if done.has(replace(fact, places=()))]
        places = list(dict.fromkeys(place for fact in facts for place in fact.places))
        # Between two lines that were put in, by one of them.
        shifts = range(min(0, *moved), max(0, *moved) + 1)
        for told in self._move(places, shifts if len(shifts) <= _MOST_SHIFTS else (0, *moved[:_MOST_SHIFTS])):
            if all(done.has(move_fact(fact, told)) for fact in facts):
                return told
        return None

    def find_between(self, place: Pointer) -> Pointer | None:
        """Where a place is now that lies between two quotations which were moved by as much; None for any other."""
        known = self._known.get(place.source, {}) if place.kind == "transcript" else {}
        before = max((line for line in known if line <= place.line), default=0)
        behind = min((line for line in known if line >= max(place.line, place.last)), default=0)
        shift = known.get(before, 0)
        return _shift(place, shift) if shift and known.get(behind) == shift else None

    def _move(self, places: Sequence[Pointer], shifts: Sequence[int]) -> Iterator[dict[Pointer, Pointer]]:
        # A place at which something is quoted is where that stands.
        each = [self._find_shifts(place, shifts) for place in places]
        told = [(shift,) * len(places) for shift in shifts if all(shift in one for one in each)]
        for chosen in (*told, *(product(*each) if len(places) <= _MOST_PLACES else ())):
            self._left -= 1
            if self._left <= 0:
                return
            if any(chosen) and all(place.line + shift > 0 for place, shift in zip(places, chosen, strict=True)):
                yield {place: _shift(place, shift) for place, shift in zip(places, chosen, strict=True)}

    def _find_shifts(self, place: Pointer, shifts: Sequence[int]) -> Sequence[int]:
        known = self._known.get(place.source, {}).get(place.line) if not place.last else None
        return shifts if known is None else (known,)


def move_fact(fact: Fact, places: Mapping[Pointer, Pointer]) -> Fact:
    """The fact at other places."""
    return replace(fact, places=tuple(places.get(place, place) for place in fact.places))


def _shift(place: Pointer, shift: int) -> Pointer:
    # Who stands there now is another record.
    return replace(place, line=place.line + shift, last=place.last + shift if place.last else 0, uuid="")
