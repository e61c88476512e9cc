"""Which of the agent's denials are dead ends: those that refute something that was supposed or tried.

"X was not the cause" says by itself that X was supposed to be. "X was wrong" and "X does not exist" are said of designs
as often as of attempts: the former is a dead end only after something was tried or supposed (a guess about the same
thing, a call that failed, work that was put back, in the same turn or the one before), the latter never. A finding that
was set aside ("a false positive") would be followed up again by the next who meets it. What the agent grants the user
is the user's correction. What is no dead end is something to know, and stands among the basics.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from thruline.engines.rules.candidates.candidate import CONTEXT, DISPROVED, Candidate
from thruline.engines.rules.cues import CONCEDED, GIVEN_UP, find_cues
from thruline.engines.rules.material import REPORT, THOUGHT, Material
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.session import parts
from thruline.signals.signal import Signal

# What denies at once what the user asked about is worth its line: the user supposed it.
ANSWER_WORTH = 0.1
# Evidence counts for its turn and so many after it.
REACH = 1
_READ = (*GIVEN_UP, *CONCEDED, "doubtful", "dismissed")


def place_denials(candidates: list[Candidate], material: Material, signals: Sequence[Signal]) -> None:
    """Moves what refutes nothing from the dead ends to the basics."""
    denials = [each for each in candidates if each.topic == DISPROVED and each.message.kind not in (THOUGHT, REPORT)]
    if not denials:
        return
    failed = [(one.turn, one.line) for one in material.failures if one.outcome == parts.ERROR and not one.source]
    spoken = sorted((message.line, message.turn) for message in material.messages if not message.source)
    lines, turns = [0, *(line for line, _ in spoken)], [0, *accumulate((turn for _, turn in spoken), max)]
    given_up = [one.line for one in signals if one.kind == "dead_end" and not one.source]
    failed += [(turns[bisect_right(lines, line) - 1], line) for line in given_up]
    guesses = [(one.line, find_terms(one.quote)) for one in signals if one.kind == "hypothesis" and one.by == "agent"]
    answers = {
        id(after)
        for asked, after in pairwise(material.messages)
        if asked.by == "human" and after.by == "agent" and asked.text.rstrip().endswith(("?", "？"))
    }
    for each in denials:
        message = each.message
        tried = any(message.turn - REACH <= turn and line < message.line for turn, line in failed)
        supposed = any(line < message.line and share(each.terms, terms) for line, terms in guesses)
        cues = find_cues(each.text, _READ)
        refutes = bool(cues & {"given_up", "dismissed"}) and not cues & {"weighed", "conceded"}
        if not refutes or ("doubtful" in cues and not (tried or supposed)):
            each.section, each.topic = "basics", CONTEXT
        elif each.order == 0 and id(message) in answers:
            each.base = max(each.base, ANSWER_WORTH)
