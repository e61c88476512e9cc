"""What a document claims is found in one pass over it, however much stands in it."""

from collections.abc import Iterator
from typing import Any

from thruline.brief.claims.claimed import find_stated
from thruline.brief.document import parse_document
from thruline.value import replace

CLAIM = "- The session edited `a.py` (`transcript:L{}`)\n  > user, transcript:L2: `Mend it.`\n"


def test_each_claim_has_its_own_quotations_and_pointers_and_no_others() -> None:
    document = parse_document("## Basics\n" + "".join(CLAIM.format(at) for at in (3, 4, 5)))
    found = [
        ([inline.pointer.line for inline in document.find_pointers(claim)], len(document.find_quotes(claim)))
        for claim in document.claims
    ]
    assert found == [([3], 1), ([4], 1), ([5], 1)]


class Watched(tuple[Any, ...]):
    """Counts how often somebody begins to read all of it."""

    read = 0

    def __iter__(self) -> Iterator[Any]:
        Watched.read += 1
        return super().__iter__()


def test_no_claim_costs_a_look_at_all_quotations_or_pointers() -> None:
    document = parse_document("## Basics\n" + "".join(CLAIM.format(at) for at in range(2, 300)))
    watched = replace(document, quotes=Watched(document.quotes), pointers=Watched(document.pointers))
    assert len(find_stated(watched)) == len(document.claims) == 298
    assert Watched.read < 10
