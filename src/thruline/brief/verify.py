"""Every quotation re-read and every pointer re-opened (law 1): what cannot be proved does not stay.

`check_quote` and `check_pointer` judge one thing each; `verify_sections` applies them to claims before they are
rendered, `check.check_document` to a file that was. What is on disk and in git is asked through `Facts`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol

from thruline.brief.claims.denials import KINDS as DENIALS
from thruline.brief.claims.denials import find_denials
from thruline.brief.claims.mentioned import NAMED_COMMIT, NAMED_DIGITS, NAMED_FILE, find_mentioned
from thruline.brief.claims.standing import find_claimed
from thruline.brief.claims.stated import COMMITTED, LOGGED, REBASED, Fact, drop_facts
from thruline.brief.pointer import Pointer, place
from thruline.brief.proof.done import Done
from thruline.brief.quotation.evidence import Evidence, Text
from thruline.brief.quotation.match import is_turned, match_words, widen_words
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import QUOTED, REMOVED, Claim, Section
from thruline.value import dataclass, field, replace

# How a quotation or a pointer was found.
OK = "ok"
MOVED = "moved"  # right words, wrong place: repaired
REATTRIBUTED = "reattributed"  # right words, wrong speaker: repaired
SECRET = "secret"  # a secret stood in it unmarked: repaired  # noqa: S105 - a word of the report
MISSING = "missing"  # the words stand nowhere
TURNED = "cut"  # all of them stand there, and a cut took away what turns them: their sentence is given back
DANGLING = "dangling"  # the place does not exist
UNTRUE = "untrue"  # the session did not do what it is said to have done
UNCHECKED = "unchecked"  # nobody could tell: no repository, no transcript

# What introduced a quotation that is gone says nothing without it.
_FEWEST_WORDS = 8


class Facts(Protocol):
    """What the disk and git say; None where they cannot tell."""

    def has_commit(self, commit: str) -> bool | None: ...

    def read_subject(self, commit: str) -> str | None: ...

    def has_file(self, path: str, line: int, symbol: str) -> bool | None: ...

    def read_line(self, path: str, line: int) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """How one quotation was found; `quote` is what may stand, or None."""

    status: str
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many quotations, pointers and facts were found how, and how many claims have no source."""

    quotes: Counter[str] = field(default_factory=Counter)
    pointers: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    unsourced: int = 0


def check_quote(quote: Quote, evidence: Evidence, facts: Facts) -> Finding:
    """The quotation as it may stand: as it is, repaired, or not at all."""
    if quote.pointer.kind != "transcript":
        return _check_outside(quote, facts)
    if evidence.empty:
        return Finding(UNCHECKED, quote)
    here = evidence.find_texts(quote.pointer)
    elsewhere = evidence.find_elsewhere(quote)
    known = [(text, match_words(quote.text, text.text, evidence.tries)) for text in [*here, *elsewhere]]
    turned = [text for text in here if is_turned(quote.text, text.text, evidence.tries)]
    own = [text for text in turned if text.by == quote.by]
    if own and not any(words is not None and text.by == quote.by for text, words in known):
        return _found_turned(quote, own[0])
    # The right speaker counts more than the right line: an agent often repeats what the user said.
    for text, words in sorted(known, key=lambda one: one[0].by != quote.by):
        if words is not None:
            # A range that ends behind the transcript is no place, though the words stand in its first part.
            return _found(quote, text, words, moved=text not in here or not evidence.has_line(quote.pointer))
    return _found_turned(quote, turned[0]) if turned else Finding(MISSING, None)


def _found_turned(quote: Quote, text: Text) -> Finding:
    whole = widen_words(quote.text, text.text)
    return Finding(TURNED, replace(quote, text=whole, by=text.by) if whole is not None else None)


def _found(quote: Quote, text: Text, words: str, *, moved: bool) -> Finding:
    pointer = quote.pointer
    if moved:
        pointer = Pointer("transcript", line=text.line, source=text.source, uuid=text.uuid)
    elif not pointer.last:
        # A range stays as it was; a line gets the uuid that decides where it holds two records.
        pointer = replace(pointer, uuid=text.uuid)
    status = MOVED if moved else REATTRIBUTED if text.by != quote.by else OK
    return Finding(SECRET if words != quote.text else status, Quote(words, pointer, text.by))


def _check_outside(quote: Quote, facts: Facts) -> Finding:
    pointer = quote.pointer
    if pointer.kind == "commit":
        known = facts.has_commit(pointer.commit)
        text = facts.read_subject(pointer.commit) if known else None
    else:
        known = facts.has_file(pointer.path, pointer.line, pointer.symbol)
        text = facts.read_line(pointer.path, pointer.line) if known and pointer.line else None
    if known is None or (known and text is None):
        return Finding(UNCHECKED, quote)
    words = match_words(quote.text, text) if text is not None else None
    if words is None:
        return Finding(MISSING, None)
    return Finding(OK if words == quote.text else SECRET, replace(quote, text=words))


def check_pointer(pointer: Pointer, evidence: Evidence, facts: Facts) -> str:
    """OK, DANGLING or UNCHECKED."""
    if pointer.kind == "transcript":
        return UNCHECKED if evidence.empty else OK if evidence.has_line(pointer) else DANGLING
    if pointer.kind == "commit":
        known = facts.has_commit(pointer.commit)
    else:
        known = facts.has_file(pointer.path, pointer.line, pointer.symbol)
    return UNCHECKED if known is None else OK if known else DANGLING


def check_fact(fact: Fact, done: Done | None, facts: Facts, *, strict: bool = False) -> str:
    """OK, UNTRUE or UNCHECKED. Without a transcript only git can tell, and only of commits.

    With `strict` a name that the session does not know is untrue also where disk and git cannot tell.
    """
    known = done.has(fact) if done is not None else None
    # A commit that printed no number is known to git alone; one that was rebased since to the transcript alone.
    if fact.kind in (COMMITTED, REBASED, LOGGED) and not known and not (done is not None and done.tells(fact)):
        there = facts.has_commit(fact.name)
        known = there if known is None else bool(there)
    elif fact.kind in (NAMED_COMMIT, NAMED_DIGITS, NAMED_FILE) and not known:
        there = facts.has_file(fact.name, 0, "") if fact.kind == NAMED_FILE else facts.has_commit(fact.name)
        known = True if there else None if there is None and not strict else known
    return UNCHECKED if known is None else OK if known else UNTRUE


def find_wanted(sections: Iterable[Section]) -> tuple[list[Quote], list[Pointer]]:
    """All quotations and pointers of some sections: what `Evidence` must look for."""
    claims = [claim for section in sections for claim in section.claims]
    return (
        [quote for claim in claims for quote in claim.quotes],
        [pointer for claim in claims for pointer in claim.pointers],
    )


def verify_sections(
    sections: Iterable[Section], evidence: Evidence, facts: Facts, done: Done | None = None
) -> tuple[tuple[Section, ...], Tally]:
    """The sections with every quotation, pointer and fact proved, repaired or gone, and how many were what.

    Facts are asked of `done`: without it the sections are the rules' own, made of the same.
    """
    tally = Tally()
    verified = []
    for section in sections:
        judged = [_verify_claim(claim, evidence, facts, tally) for claim in section.claims]
        proved = [claim for claim in judged if claim is not None]
        if done is not None:
            proved = [kept for claim in proved for kept in _verify_facts(claim, done, facts, tally)]
        verified.append(replace(section, claims=tuple(proved)))
    claims = [claim for section in verified for claim in section.claims]
    return tuple(verified), replace(tally, claims=len(claims), unsourced=sum(claim.unsourced for claim in claims))


def _verify_claim(claim: Claim, evidence: Evidence, facts: Facts, tally: Tally) -> Claim | None:
    findings = [check_quote(quote, evidence, facts) for quote in claim.quotes]
    tally.quotes.update(finding.status for finding in findings)
    states = [check_pointer(pointer, evidence, facts) for pointer in claim.pointers]
    tally.pointers.update(states)
    quotes = tuple(finding.quote for finding in findings if finding.quote is not None)
    text = _tell_removed(claim.text, [finding.quote is None for finding in findings])
    # A place that only a moved or invented quotation was said to stand in proves nothing any more; beside words of the
    # claim's own it is theirs, unless the quotation was invented.
    own = len(text.replace(QUOTED, " ").split()) >= _FEWEST_WORDS
    left = {
        quote.pointer
        for quote, finding in zip(claim.quotes, findings, strict=True)
        if finding.quote is None or (not own and finding.quote.pointer.line != quote.pointer.line)
    }
    known = zip(claim.pointers, states, strict=True)
    pointers = tuple(pointer for pointer, state in known if state in (OK, UNCHECKED) and pointer not in left)
    if findings and not quotes and len(text.replace(REMOVED, " ").split()) < _FEWEST_WORDS:
        return None
    if claim.origin != "rules" and any(finding.status == TURNED for finding in findings):
        text = ""  # what leads to "add a pause" is not true of "don't add a pause"
    return replace(claim, text=text, quotes=quotes, pointers=pointers)


def _verify_facts(claim: Claim, done: Done, facts: Facts, tally: Tally) -> Iterator[Claim]:
    stated = list(find_claimed(claim.text, claim.quotes, claim.pointers))
    stated += find_mentioned(claim.text, stated)
    stated += find_denials(claim.text)
    states = [check_fact(fact, done, facts, strict=True) for fact in stated]
    tally.facts.update(states)
    untrue = [fact for fact, state in zip(stated, states, strict=True) if state == UNTRUE]
    if not untrue:
        # That something was never done, the whole session shows, and its last line that this is all of it.
        proved = any(fact.kind in DENIALS and state == OK for fact, state in zip(stated, states, strict=True))
        yield replace(claim, pointers=(place(done.seen),)) if proved and claim.unsourced else claim
    elif untrue[0].listed:
        text = drop_untrue(claim.text, untrue) if len(untrue) < len(stated) else ""
        if text or claim.quotes:
            yield replace(claim, text=text)
    elif claim.quotes:
        yield replace(claim, text="")
    else:
        yield replace(claim, pointers=())  # which is told as unsourced


def drop_untrue(words: str, untrue: Iterable[Fact]) -> str:
    """A claim's words without the names of what was not done."""
    gone: dict[str, set[str]] = {}
    for fact in untrue:
        gone.setdefault(fact.span, set()).add(fact.name)
    for span, names in gone.items():
        left = drop_facts(span, names)
        words = words.replace(span, left, 1) if left else drop_span(words, span)
    return words


def drop_span(line: str, span: str) -> str:
    """A line without a code span, and without what joined it to the others."""
    for whole in (f", {span}", f"{span}, ", f" ({span})", span):
        if whole in line:
            return line.replace(whole, "", 1)
    return line


def _tell_removed(text: str, removed: list[bool]) -> str:
    pieces = text.split(QUOTED)
    if not any(removed) or len(pieces) != len(removed) + 1:
        return text
    words = pieces[0]
    for gone, piece in zip(removed, pieces[1:], strict=True):
        words += (REMOVED if gone else QUOTED) + piece
    return words.strip()
