"""Which candidates a brief quotes: the most that is new for the room there is, no group pushing out another.

Greedy over what each piece adds to the terms already told, divided by what it costs. What it adds only shrinks while
others are taken, so a heap with stale values gives the same order as looking at all of them each time.
"""

import heapq
from collections.abc import Iterable

from thruline.engines.rules.candidates import Candidate
from thruline.engines.rules.terms import Weights

# The line of a quotation before its words (some leave out who speaks), and the mark that joins a further piece of the
# same message.
LINE_COST = 24
JOIN_COST = 6
# A sentence that adds less than about two words the session keeps coming back to is chatter.
LEAST_NEW = 4.0
# And so much where only room is left that nobody else uses.
LEAST_LEFT = 2.0


# What is taken only because there is room must have been said where it counts.
LEAST_QUALITY = 0.7
# A message of so many bytes is quoted whole where there is room.
SHORT_MESSAGE = 600
# Of one message so many bytes tell where a session landed.
MOST_LANDED = 500
# Added to every cost, so that a whole sentence beats the densest scrap of one.
SMOOTH = 120


# What stands on one line of a brief: pieces of a message, in a section, under a topic.
Key = tuple[int, str, str]
# What is worth telling of words said while at work: why something is so, or is not done.
_FOUND = frozenset(("cause", "against", "rejected"))


class Reach:
    """What each candidate adds while nothing is told: the same for every size that is tried.

    Candidates are known by their ids. Never taken for what they add are `hushed`, where room is what others left over
    also `passing`, and for little also `scraps`; `reports` are what the agent reported where turns ended.
    """

    __slots__ = ("fresh", "hushed", "keys", "passing", "reports", "roots", "scraps", "terms", "weights")

    def __init__(self, candidates: Iterable[Candidate], weights: Weights) -> None:
        self.weights = weights
        self.fresh: dict[int, tuple[int, float]] = {}
        self.terms: dict[int, frozenset[str]] = {}
        self.keys: dict[int, Key] = {}
        self.hushed: set[int] = set()
        self.passing: set[int] = set()
        self.scraps: set[int] = set()
        self.reports: set[int] = set()
        self.roots: dict[Key, Candidate] = {}
        for candidate in candidates:
            known = id(candidate)
            self.fresh[known] = (len(candidate.terms), weights.total(candidate.terms))
            self.terms[known] = frozenset(candidate.terms)
            self.keys[known] = (id(candidate.message), candidate.section, candidate.topic)
            if candidate.root:
                self.roots.setdefault(self.keys[known], candidate)
            if candidate.passing:
                self.passing.add(known)
                if candidate.message.by == "human":
                    self.hushed.add(known)
            elif _is_report(candidate):
                self.reports.add(known)
            # Room that is left is no reason for chatter; what was refuted is none.
            if candidate.base <= 0 and candidate.quality < LEAST_QUALITY and candidate.section != "dead_ends":
                self.scraps.add(known)


def _is_report(candidate: Candidate) -> bool:
    found = candidate.midway and not candidate.cues.isdisjoint(_FOUND)
    stands = found or (candidate.message.final and not candidate.superseded)
    return stands and not candidate.text.startswith("|")


class Picker:
    """Takes candidates of `reach` until the room is used up; `covered` are the terms told so far.

    A piece of a report brings the report's first sentence with it, unless that is one of the candidates `elsewhere`.
    """

    def __init__(self, reach: Reach, covered: Iterable[str] = (), elsewhere: Iterable[Candidate] = ()) -> None:
        self._reach = reach
        self._elsewhere = set(map(id, elsewhere))
        self.covered = set(covered)
        self.taken: list[Candidate] = []
        self.refused: set[str] = set()  # the sections of reports that had no room
        self._lines: set[Key] = set()
        self._ids: set[int] = set()
        self._told: dict[Key, int] = {}  # bytes by what stands on one line
        self._least, self._strict = LEAST_NEW, True
        # How many terms of a candidate are new and what they weigh, by its id, as they were when last counted.
        self._fresh = reach.fresh.copy()
        self._spent: set[int] = set()  # those that add too little, however much room there is

    def take(self, candidates: list[Candidate], room: int, least: float = LEAST_NEW, *, picky: bool = False) -> int:
        """Takes the best of `candidates` within `room` bytes; returns what is left. `least` is what each must add.

        `picky` is for room that others left over: what was said in passing does not fill it.
        """
        self._least, self._strict = least, least >= LEAST_NEW
        left_out = self._ids | (self._reach.passing if picky else self._reach.hushed)
        left_out |= self._spent if self._strict else self._reach.scraps
        candidates = [each for each in candidates if id(each) not in left_out]
        smallest = min([each.size for each in candidates], default=0) + JOIN_COST
        if room < smallest:
            return room
        # Each with how many were taken when it was rated: nothing taken since, nothing to rate anew. What adds nothing
        # now never will.
        taken = len(self.taken)
        heap = [(-rate, at, taken) for at, each in enumerate(candidates) if (rate := self._rate(each)) > 0]
        heapq.heapify(heap)
        while heap and room >= smallest:
            stale, at, then = heapq.heappop(heap)
            candidate = candidates[at]
            rate = -stale if then == len(self.taken) else self._rate(candidate)
            if rate <= 0:
                continue
            if heap and rate < -heap[0][0] - 1e-9:
                heapq.heappush(heap, (-rate, at, len(self.taken)))
                continue
            cost = self.cost(candidate)
            if cost > room or self._is_long(candidate):
                continue
            room -= cost
            self._add(candidate)
        return room

    def _is_long(self, candidate: Candidate) -> bool:
        """Whether enough of its message stands where it would: a landed position is a paragraph, not a page."""
        told = self._told.get(self._reach.keys[id(candidate)], 0)
        return candidate.section == "convergence" and told > 0 and told + candidate.size > MOST_LANDED

    def take_kept(self, candidates: list[Candidate], room: int) -> int:
        """Takes what must be kept, the weightiest first, each with what says what it is about; returns the room left.

        Two corrections that can be understood are worth more than three that cannot.
        """
        beside = {id(each.message): each for each in candidates if each.beside}
        for candidate in sorted((each for each in candidates if each.keep), key=lambda each: -each.base):
            for each in (candidate, beside.get(id(candidate.message))):
                if each is not None and id(each) not in self._ids and self.cost(each) <= room:
                    room -= self.cost(each)
                    self._add(each)
        return room

    def take_all(self, candidates: Iterable[Candidate]) -> None:
        """Takes all of these: their room was counted already."""
        for candidate in candidates:
            self._add(candidate)

    def is_cut(self, candidates: Iterable[Candidate], room: int) -> bool:
        """Whether any of `candidates` would be told in more room than the `room` that is left."""
        self._least, self._strict = LEAST_LEFT, False
        left_out = self._ids | self._reach.passing | self._reach.scraps
        return any(self.cost(each) > room and self._rate(each) > 0 for each in candidates if id(each) not in left_out)

    def complete(self, candidates: list[Candidate], room: int) -> int:
        """Takes what is missing of short messages that were taken in part, the weightiest first; returns the room left.

        People mean a message as a whole: its other sentences say what the first one is about.
        """
        groups: dict[Key, list[Candidate]] = {}
        for candidate in candidates:
            groups.setdefault(self._reach.keys[id(candidate)], []).append(candidate)
        begun = [group for key, group in groups.items() if key in self._lines]
        begun.sort(key=lambda group: (not any(one.keep for one in group), -max(one.base for one in group)))
        for group in begun:
            # What leads to a paste leads to nothing here.
            missing = [one for one in group if id(one) not in self._ids and not one.text.endswith((":", "："))]
            cost = sum(one.size + JOIN_COST for one in missing)
            if cost <= room and sum(one.size for one in group) <= SHORT_MESSAGE:
                room -= cost
                for one in missing:
                    self._add(one)
        return room

    def take_reports(self, candidates: list[Candidate], room: int, most: int) -> int:
        """Takes more of what the agent reported where turns ended, the newest first; returns the room left.

        Of each message up to `most` bytes, in the order of its words: what stands between the pieces that were taken
        for their terms makes them readable.
        """
        groups: dict[Key, list[Candidate]] = {}
        for candidate in candidates:
            if id(candidate) in self._reach.reports:
                groups.setdefault(self._reach.keys[id(candidate)], []).append(candidate)
        for key, group in sorted(groups.items(), key=lambda each: (each[1][0].midway, -each[1][0].message.line)):
            for one in group:
                if id(one) in self._ids or self._told.get(key, 0) + one.size > most:
                    continue
                # A report begins with what it is about, whoever used the same words before.
                if not one.opens and self._is_told(one):
                    continue
                cost = self.cost(one)
                if cost <= room:
                    room -= cost
                    self._add(one)
                else:
                    self.refused.add(one.section)
        return room

    def _is_told(self, candidate: Candidate) -> bool:
        """Whether most of what a candidate names was told in other words."""
        return len(self._reach.terms[id(candidate)] - self.covered) * 4 < len(candidate.terms)

    def cost(self, candidate: Candidate) -> int:
        """What quoting it would cost in bytes, with the sentence that says what its message is about."""
        key = self._reach.keys[id(candidate)]
        root = self._find_root(candidate, key)
        above = root.size + JOIN_COST if root is not None else 0
        return candidate.size + above + (JOIN_COST if key in self._lines else LINE_COST)

    def _find_root(self, candidate: Candidate, key: Key) -> Candidate | None:
        root = self._reach.roots.get(key)
        if root is None or root is candidate or root.superseded != candidate.superseded:
            return None
        return None if id(root) in self._ids or id(root) in self._elsewhere else root

    def _add(self, candidate: Candidate) -> None:
        key = self._reach.keys[id(candidate)]
        root = self._find_root(candidate, key)
        if root is not None:
            self._add(root)
        self.taken.append(candidate)
        self.covered.update(candidate.terms)
        self._ids.add(id(candidate))
        self._lines.add(key)
        self._told[key] = self._told.get(key, 0) + candidate.size

    def _rate(self, candidate: Candidate) -> float:
        known, count = id(candidate), len(candidate.terms)
        left = self._reach.terms[known] - self.covered
        fresh = len(left)
        optional = candidate.base <= 0 or candidate.opens
        # Before its terms are weighed: of most it tells already that they are not taken.
        if optional and self._strict and fresh * 3 < count:
            self._spent.add(known)
            return 0.0
        counted, new = self._fresh[known]
        # What is new only becomes less: as many as before are the same ones.
        if fresh != counted:
            new = self._reach.weights.total([term for term in candidate.terms if term in left])
            self._fresh[known] = (fresh, new)
        if optional:
            if self._strict and new < LEAST_NEW:
                self._spent.add(known)
                return 0.0
            if new < self._least:
                return 0.0
        # Said twice is worth little: people repeat themselves when the agent did not listen, and paste a log again.
        novelty = (fresh + 1) / (count + 1)
        gain = 6.0 * candidate.base * (0.25 + 0.75 * novelty) + candidate.quality * new
        root = self._find_root(candidate, self._reach.keys[known])
        if root is not None:
            gain += root.quality * self._reach.weights.total(self._reach.terms[id(root)] - self.covered - left)
        return gain / (self.cost(candidate) + SMOOTH)
