"""What the agent only proposed: steps of a plan, ways to choose from; whether they were gone tells what was done."""

from collections.abc import Iterable, Iterator

from thruline.engines.rules.candidates.candidate import Candidate
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later

# "Plan: 1. …": a list that was written into a line.
# "**Option 1: …**", "Approach B", whatever the word is that is numbered.
_OPTION = compile_later(
    r"\W*(?:[Oo]ption|OPTION|[Aa]pproach|[Aa]lternative|[Vv]ariant|[Vv]ariante|[Oo]pción|[Oo]pção|Вариант)\s+[\dA-E]\b"
)
_NUMBERED = compile_later(r":\s+\(?1[.)]\s")
# What is left to be done, in a message that others followed, was done since or is told as open.
_AHEAD = ("proposal", "open", "listed_left")


def find_proposed(candidates: Iterable[Candidate], material: Material) -> Iterator[Candidate]:
    """The candidates that are items of a plan, of a choice or of what is left, or advice, before the last message."""
    agents = material.agents()
    last = id(agents[-1]) if agents else 0
    plans: dict[int, list[tuple[int, int]]] = {}
    for each in candidates:
        message = each.message
        if id(message) == last:
            continue
        if id(message) not in plans:
            plans[id(message)] = list(find_plans(message, _AHEAD))
        planned = any(start <= each.start < end for start, end in plans[id(message)])
        if planned or "advice" in each.cues or _OPTION.match(each.text):
            yield each


def find_plans(message: Message, cues: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The parts of a message that list what might be done: from the line that says so to the last of its items."""
    text = message.text
    begin, line = None, 0
    for unit in split_units(text):
        piece = text[unit.start : unit.end]
        if begin is not None and not unit.item and unit.line != line:
            yield begin, unit.start
            begin = None
        if begin is None and unit.item and unit.heading and find_cues(unit.heading, cues):
            begin, line = unit.start, unit.line
        leads = not unit.item and (piece.rstrip("*_ ").endswith((":", "：")) or _NUMBERED.search(piece))
        if leads and find_cues(piece, cues):
            begin, line = unit.start, unit.line
    if begin is not None:
        yield begin, len(text)
