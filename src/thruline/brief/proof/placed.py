"""Whether a claim points at a place of the transcript, and whether what it quotes is of a text."""

from thruline.brief.claims.called import REDACTED
from thruline.brief.claims.stated import Fact
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import CUT


def holds(place: Pointer, line: int, source: str) -> bool:
    """Whether a pointer names this line."""
    return place.source == source and place.line <= line <= max(place.line, place.last)


def is_at(fact: Fact, line: int, source: str = "") -> bool:
    """Whether a claim points at this line; one that points nowhere may mean any."""
    return not fact.places or any(holds(place, line, source) for place in fact.places)


def is_part(said: str, text: str) -> bool:
    """Whether words that were quoted, perhaps shortened, are of this text; of what was not quoted nothing is known."""
    flat = " ".join(text.split())
    return all(" ".join(piece.split()) in flat for piece in REDACTED.sub(CUT, said).split(CUT))
