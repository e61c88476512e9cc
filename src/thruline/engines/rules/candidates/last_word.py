"""The agent's last word on where things stand: it is worth its line, however little is new in it."""

from collections.abc import Sequence

from thruline.engines.rules.candidates.candidate import Candidate
from thruline.engines.rules.cues import find_cues

LAST_WORTH = 0.3


def raise_last(found: Sequence[Candidate]) -> None:
    """Raises the newest message that says where things stand; behind it there may be a courtesy, which says nothing."""
    stated = [each for each in found if each.section == "convergence"]
    for line in sorted({each.message.line for each in stated}, reverse=True):
        ends = [each for each in stated if each.message.line == line]
        if all(find_cues(each.text, ("courtesy",)) for each in ends) and len(ends) < len(stated):
            for each in ends:
                each.gone = True
            continue
        if all(each.opens or not each.base for each in ends) and not ends[0].passing:
            ends[0].base, ends[0].opens = LAST_WORTH, False
        return
