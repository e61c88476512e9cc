"""Which few of the agent's words say where a session landed: later supersedes earlier, work counts more than talk."""

import math
from bisect import bisect_right
from collections.abc import Sequence

from thruline.brief.section import Claim
from thruline.engines.rules.candidates import Candidate
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.terms import Weights, read_terms

# How many claims say where the session landed; of the others some stand among the basics.
MOST_LANDED = 4
# Beside these few, nothing that was said in the first third of a session is where it landed.
_FEWEST, _EARLY = 2, 0.37
# A report of work counts more. What was said in a turn that changed nothing was advice, a plan or an answer: where work
# followed, that tells what came of it, unless a cause was told.
_WORKED, _TALKED = 1.5, 0.4
_CAUSE = ("cause", "root")

Place = tuple[str, int]


class Landed:
    """Chooses among claims. `candidates` are what they are made of, which tells where the last position was stated."""

    def __init__(self, facts: Facts, candidates: Sequence[Candidate], weights: Weights) -> None:
        self._weights = weights
        stated = [each for each in candidates if each.section == "convergence" and not each.passing]
        self.is_telling = len(stated) >= MOST_LANDED
        places = [(each.message.source, each.message.line) for each in stated if not each.superseded]
        self._last: Place = max(places, key=lambda place: place[1], default=("", 0))
        changes = {line for line, _ in facts.material.edits} | {made.line for made in facts.ledger.commits}
        self._changes = sorted(changes)
        self._began = _find_begun(facts)

    def choose(self, claims: Sequence[Claim]) -> set[Place]:
        """The places of the weightiest few: it is said at one glance."""
        left = sorted(claims, key=lambda claim: -claim.quotes[0].pointer.line)
        first: set[Place] = set()
        # What each says beyond what is told, in its order: it only becomes less.
        beyond = {id(claim): list(read_terms(claim.quotes[0].text)) for claim in left}
        while left and len(first) < MOST_LANDED:
            weights = [self._weigh(claim, beyond[id(claim)]) for claim in left]
            most = max(weights)
            if not most:
                break
            best = left.pop(weights.index(most))
            first.add(_place(best))
            told = frozenset(beyond[id(best)])
            if len(first) == _FEWEST:
                left = [claim for claim in left if claim.weight >= _EARLY]
            for claim in left:
                beyond[id(claim)] = [term for term in beyond[id(claim)] if term not in told]
        return first

    def _weigh(self, claim: Claim, terms: list[str]) -> float:
        """How much a claim says of where the session landed with those of its terms that are not told yet.

        What was said of the same things before counts for little; the last word is one.
        """
        if _place(claim) == self._last:
            return math.inf
        return self._weights.total(terms) * claim.weight**3 * self._rate(claim)

    def _rate(self, claim: Claim) -> float:
        place = _place(claim)
        began = self._began.get(place)
        if began is None:
            return 1.0
        done = bisect_right(self._changes, place[1])
        if done > bisect_right(self._changes, began):
            return _WORKED
        later = done < len(self._changes)
        return _TALKED if later and not find_cues(claim.quotes[0].text, _CAUSE) else 1.0


def _place(claim: Claim) -> Place:
    pointer = claim.quotes[0].pointer
    return pointer.source, pointer.line


def _find_begun(facts: Facts) -> dict[Place, int]:
    """The line of the person's words before each message of the agent that ended a turn."""
    found: dict[Place, int] = {}
    began = 0
    for message in facts.material.messages:
        if message.by == "human":
            began = message.line
        elif message.final:
            found[message.source, message.line] = began
    return found
