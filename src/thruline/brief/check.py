"""A file of ours checked against its sources, and the same file repaired."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from thruline.brief import verify
from thruline.brief.attempts.inert import render_span
from thruline.brief.claims.belonging import check_places
from thruline.brief.claims.claimed import find_stated, read_spoken
from thruline.brief.claims.forms import UNKNOWN, find_unknown
from thruline.brief.claims.forms import WHY as NOT_OURS
from thruline.brief.claims.frame import check_frame
from thruline.brief.claims.labels import check_labels
from thruline.brief.claims.standing import is_standing
from thruline.brief.claims.stated import Fact
from thruline.brief.document import Document, Inline, Spoken, Stated
from thruline.brief.pointer import Pointer
from thruline.brief.proof.done import Done
from thruline.brief.proof.nothing import Denied
from thruline.brief.proof.shifted import Shifts, move_fact
from thruline.brief.proof.untrue import WHY
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.match import match_words
from thruline.brief.quotation.quote import SPEAKERS, Placed, is_again, render_quote
from thruline.brief.report import FABRICATED, HEADING, LABEL, MALFORMED, NO_SOURCE, SOURCE, STRAY, WHAT, Report, Trouble
from thruline.brief.section import REMOVED, UNSOURCED
from thruline.brief.sources import find_strangers
from thruline.value import replace


def check_document(
    document: Document,
    evidence: Evidence,
    facts: verify.Facts,
    done: Done | None = None,
    denied: Denied | None = None,
    stated: "list[tuple[Stated, list[Fact]]] | None" = None,
) -> Report:
    """What is wrong with a document, and its text without that.

    Without a transcript `done` is not known; `denied` is asked where `denies_dead_ends` tells so. `stated` is what
    `find_stated` found, where somebody asked it already.
    """
    work = _Check(document, evidence, facts, done)
    for placed in document.quotes:
        work.quote(placed)
    for at in document.malformed:
        work.malformed(at)
    for claim, its in find_stated(document) if stated is None else stated:
        work.stated(claim, its)
    for inline in document.pointers:
        work.pointer(inline)
    for spoken in document.spoken:
        work.spoken(spoken)
    unknown = set(find_unknown(document)).difference(document.strays)
    for claim in document.claims:
        if claim.first in unknown:
            work.unknown(claim)
    for at in document.strays:
        work.stray(at)
    for at, what in document.headings:
        work.tell(at, HEADING, what)
    for at, name in find_strangers(document.lines) if document.is_brief else ():
        work.tell(at, SOURCE, "no engine is called so", name)
    turns = done.ended.turns if done is not None else None
    labels = dict([*check_places(document, turns), *check_labels(document, evidence)])
    for at, what in labels.items():
        if at not in work.moved:  # asked of places that were not its own
            work.tell(at, LABEL, what)
    for at, kind, what in check_frame(document, done, denied) if done is not None else ():
        work.tell(at, kind, what)
    work.claims()
    return work.report()


class _Check:
    def __init__(self, document: Document, evidence: Evidence, facts: verify.Facts, done: Done | None) -> None:
        self.document = document
        self.evidence = evidence
        self.facts = facts
        self.done = done
        self.shifts = Shifts(done)
        self.lines: list[str | None] = list(document.lines)
        self.outside = frozenset(document.outside)
        self.quotes: Counter[str] = Counter()
        self.pointers: Counter[str] = Counter()
        self.stated_as: Counter[str] = Counter()
        self.troubles: list[Trouble] = []
        self.lost: set[int] = set()  # lines that lost what proved them
        self.moved: set[int] = set()  # claims whose facts stand elsewhere
        self.mended: set[tuple[int, int]] = set()  # pointers that were

    def quote(self, placed: Placed) -> None:
        finding = verify.check_quote(placed.quote, self.evidence, self.facts)
        self.quotes[finding.status] += 1
        if finding.quote is not None and finding.status in (verify.OK, verify.MOVED):
            self.shifts.see(placed.quote.pointer, finding.quote.pointer)
        if finding.status in (verify.OK, verify.UNCHECKED):
            return
        was = placed.quote.pointer.render()
        indent = self._indent(placed.first)
        if finding.quote is None:
            self._replace(placed, [])
            self.lost.add(placed.first)
            self.tell(placed.first, finding.status, WHAT[finding.status], was)
            return
        self._replace(placed, render_quote(finding.quote, indent))
        now = finding.quote.pointer.render()
        if finding.status == verify.REATTRIBUTED:
            was, now = SPEAKERS[placed.quote.by], SPEAKERS[finding.quote.by]
        elif finding.status == verify.TURNED:
            now = "the whole sentence"
        self.tell(placed.first, finding.status, WHAT[finding.status], was, now)

    def malformed(self, at: int) -> None:
        self.quotes[MALFORMED] += 1
        self.tell(at, MALFORMED, "this looks like a quotation and is none (docs/formats/quote.md)")
        self.lost.add(at)
        if self.lines[at] is None:
            return  # went with the one before
        self.lines[at] = None
        # What is left of a broken block goes with it.
        while at + 1 < len(self.document.lines) and self.document.lines[at + 1].lstrip().startswith(">"):
            at += 1
            if at in self.outside:
                self.lines[at] = None

    def pointer(self, inline: Inline) -> None:
        if (inline.line, inline.start) in self.mended:
            self.pointers[verify.MOVED] += 1
            return
        state = verify.check_pointer(inline.pointer, self.evidence, self.facts)
        now = self.shifts.find_between(inline.pointer) if state == verify.OK else None
        self.pointers[verify.MOVED if now is not None else state] += 1
        if now is not None:
            self._mend(inline, now)
        if state != verify.DANGLING:
            return
        what = "it leaves the project" if _leaves(inline.pointer) else "there is no such place"
        self.tell(inline.line, state, what, inline.pointer.render())
        line = self.lines[inline.line]
        if line is not None:
            self.lines[inline.line] = verify.drop_span(line, inline.text)
        self.lost.add(inline.line)

    def spoken(self, spoken: Spoken) -> None:
        quote = read_spoken(spoken)
        if self.evidence.empty:
            self.quotes[verify.UNCHECKED] += 1
            return
        told = self.evidence.find_elsewhere(quote)
        found = [(text, match_words(quote.text, text.text, self.evidence.tries)) for text in told]
        said = [words for text, words in found if text.by == spoken.by or not spoken.by]
        if quote.text in said:
            self.quotes[verify.OK] += 1
            return
        if found and not said:
            # The words are true, who is said to have said them is not; a sentence of ours cannot be mended by a word.
            status, what, now = verify.REATTRIBUTED, f"said, but not by the {SPEAKERS[spoken.by]}", REMOVED
        elif said:
            status, what, now = verify.SECRET, "a secret stands in it unmarked", f"“{said[0]}”"
        else:
            status, what, now = FABRICATED, "words given as said that stand nowhere in the sources", REMOVED
        self.quotes[status] += 1
        self.tell(spoken.line, status, what, spoken.text)
        line = self.lines[spoken.line]
        if line is not None:
            self.lines[spoken.line] = line.replace(spoken.text, now, 1)

    def stated(self, claim: Stated, stated: list[Fact]) -> None:
        states = [verify.check_fact(fact, self.done, self.facts) for fact in stated]
        if verify.UNTRUE in states:
            places = self.shifts.find([fact for fact, state in zip(stated, states, strict=True) if fact.places])
            if places:
                self._move(claim, places)
                stated = [move_fact(fact, places) for fact in stated]
                again = [verify.check_fact(fact, self.done, self.facts) for fact in stated]
                states = [
                    verify.MOVED if (was, now) == (verify.UNTRUE, verify.OK) else now
                    for was, now in zip(states, again, strict=True)
                ]
        self.stated_as.update(states)
        untrue = [fact for fact, state in zip(stated, states, strict=True) if state == verify.UNTRUE]
        for fact in untrue:
            self.tell(claim.first, verify.UNTRUE, WHY[fact.kind], fact.name)
        line = self.lines[claim.first]
        if not untrue or line is None:
            return
        if not untrue[0].listed:
            self._mark(claim.first, line)
        elif len(untrue) < len(stated) and not is_standing(untrue[0].kind):
            self.lines[claim.first] = verify.drop_untrue(line, untrue)
        else:
            self._drop_words(claim)

    def _move(self, claim: Stated, places: Mapping[Pointer, Pointer]) -> None:
        self.moved.add(claim.first)
        for inline in self.document.pointers:
            if (
                claim.first <= inline.line <= claim.last
                and places.get(inline.pointer, inline.pointer) != inline.pointer
            ):
                self._mend(inline, places[inline.pointer])

    def _mend(self, inline: Inline, now: Pointer) -> None:
        line = self.lines[inline.line]
        if line is not None:
            self.mended.add((inline.line, inline.start))
            self.tell(inline.line, verify.MOVED, WHAT[verify.MOVED], inline.pointer.render(), now.render())
            self.lines[inline.line] = line.replace(inline.text, render_span(now.render()), 1)

    def unknown(self, claim: Stated) -> None:
        self.tell(claim.first, UNKNOWN, NOT_OURS)
        if self.lines[claim.first] is not None:
            self._drop_words(claim)

    def _drop_words(self, claim: Stated) -> None:
        """Takes a claim out; what a person or the agent says below it is true all the same, and stays."""
        span = range(claim.first, claim.last + 1)
        kept = [one for one in self.document.find_quotes(claim) if self.lines[one.first] is not None]
        kept = [one for one in kept if one.quote.by != "git"]
        for at in span:
            if not any(one.first <= at < one.first + one.count for one in kept):
                self.lines[at] = None
        if kept:
            self._replace(kept[0], render_quote(kept[0].quote, "- "))

    def stray(self, at: int) -> None:
        self.tell(at, STRAY, "not part of a brief (docs/formats/brief.md)")
        self.lines[at] = None
        self.lost.add(at)

    def tell(self, at: int, kind: str, what: str, was: str = "", now: str = "") -> None:
        """Tells of something that is not mended where nothing else is done: which claims belong where, nobody knows."""
        self.troubles.append(Trouble(at + 1, kind, what, was, now, self.document.sections.get(at, "")))

    def claims(self) -> None:
        for claim in self.document.claims:
            gone = all(self.lines[at] is None for at in range(claim.first, claim.last + 1))
            if claim.sourced and not gone and self.lost & set(range(claim.first, claim.last + 1)):
                claim = replace(claim, sourced=self._still_sourced(claim))
            if gone or claim.sourced or claim.marked:
                continue
            self.tell(claim.first, NO_SOURCE, "a claim without a pointer")
            line = self.lines[claim.first]
            if line is not None:
                self._mark(claim.first, line)

    def _mark(self, at: int, line: str) -> None:
        end = "\r" if line.endswith("\r") else ""
        self.lines[at] = f"{line.removesuffix(end).rstrip()} {UNSOURCED}{end}"

    def _still_sourced(self, claim: Stated) -> bool:
        quoted = any(placed.first not in self.lost for placed in self.document.find_quotes(claim))
        pointed = self.document.find_pointers(claim)
        return quoted or any(inline.text in (self.lines[inline.line] or "") for inline in pointed)

    def _tell_speakers(self) -> None:
        """Below a quotation that was mended or removed the next one tells again who speaks."""
        was = self.document.lines
        for above, placed in pairwise(self.document.quotes):
            first = was[placed.first]
            changed = any(self.lines[at] != was[at] for at in range(above.first, placed.first))
            if changed and self.lines[placed.first] == first and is_again(first.removesuffix("\r")):
                self._replace(placed, render_quote(placed.quote, self._indent(placed.first)))

    def report(self) -> Report:
        self._tell_speakers()
        unsourced = sum(not claim.sourced for claim in self.document.claims)
        text = "\n".join(line for line in self.lines if line is not None)
        troubles = tuple(sorted(self.troubles, key=lambda trouble: trouble.line))
        sourced = {claim.section for claim in self.document.claims if claim.sourced}
        flagged = tuple(dict.fromkeys(claim.section for claim in self.document.claims if claim.section not in sourced))
        return Report(
            self.quotes, self.pointers, self.stated_as, len(self.document.claims), unsourced, flagged, troubles, text
        )

    def _indent(self, at: int) -> str:
        line = self.document.lines[at]
        return line[: line.index(">")]

    def _replace(self, placed: Placed, lines: list[str]) -> None:
        end = "\r" if self.document.lines[placed.first].endswith("\r") else ""
        for at in range(placed.first, placed.first + placed.count):
            self.lines[at] = None
        if lines:
            self.lines[placed.first] = "\n".join(line + end for line in lines)


def _leaves(pointer: Pointer) -> bool:
    path = pointer.path.replace("\\", "/")
    return pointer.kind == "file" and (path.startswith(("/", "~")) or ".." in path.split("/"))
