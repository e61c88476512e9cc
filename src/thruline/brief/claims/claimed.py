"""What a document claims: its quotations and pointers, and what its claims say was done."""

from thruline.brief.claims.denials import find_denials
from thruline.brief.claims.forms import is_exact, is_known
from thruline.brief.claims.mentioned import find_mentioned
from thruline.brief.claims.standing import find_claimed
from thruline.brief.claims.stated import Fact
from thruline.brief.document import Document, Spoken, Stated
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.quote import Quote


def find_wanted(document: Document) -> tuple[list[Quote], list[Pointer]]:
    """All quotations and pointers of a document: what `Evidence` must look for."""
    quotes = [placed.quote for placed in document.quotes] + [read_spoken(spoken) for spoken in document.spoken]
    return quotes, [inline.pointer for inline in document.pointers]


def find_stated(document: Document) -> list[tuple[Stated, list[Fact]]]:
    """The claims of a document that state what was done; one that is marked as unsourced states nothing."""
    exact = is_exact(document)
    found = [(claim, _find_claimed(document, claim, exact)) for claim in document.claims if not claim.marked]
    return [(claim, facts) for claim, facts in found if facts]


def _find_claimed(document: Document, claim: Stated, exact: bool) -> list[Fact]:
    quoted, pointed = document.find_quotes(claim), document.find_pointers(claim)
    quotes = [placed.quote for placed in quoted]
    pointers = [inline.pointer for inline in pointed]
    line = document.lines[claim.first]
    claimed = list(find_claimed(line, quotes, pointers, exact=exact))
    # What the rules can have written names nothing else; below a quotation nobody claims anything.
    starts = [inline.start for inline in pointed if inline.line == claim.first]
    own = is_known(line, starts) or any(placed.first == claim.first for placed in quoted)
    return claimed if own else [*claimed, *find_mentioned(line, claimed), *find_denials(line)]


def read_spoken(spoken: Spoken) -> Quote:
    """Words that a claim says somebody said, as a quotation that may stand anywhere."""
    return Quote(spoken.words, place(1), spoken.by or "human")
