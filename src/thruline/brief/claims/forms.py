"""All that the rules can say in a claim of theirs, in a closed list: what is none of it, somebody else wrote.

Words beside a pointer look proved, and a pointer proves no words. So a brief that says it was made by the rules alone
has no other words than these outside its quotations; what they state of the session is checked as well, as far as a
transcript can tell (`stated.py`, `standing.py`). A test holds the rules to this list.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from thruline.brief.attempts.inert import parse_span, replace_spans
from thruline.brief.attempts.injection import read_rules
from thruline.brief.attempts.watch import MORE, NAME, TOLD
from thruline.brief.claims import standing, stated
from thruline.brief.claims.labels import find_topics
from thruline.brief.claims.names import NO_NAME
from thruline.brief.claims.names import WITHHELD as NO_ORDER
from thruline.brief.document import Document
from thruline.brief.render.claim import WITHHELD
from thruline.brief.render.withheld import SO_OFTEN
from thruline.brief.section import FLAG, NAMES, TOGETHER, UNSOURCED
from thruline.brief.sources import find_engines
from thruline.brief.wording import LEADS

UNKNOWN = "unknown"
WHY = "the rules say nothing like this"
# What git said when it was asked: `%` is a name without a blank.
_LINES = r"%(?: \+\d+ -\d+)?"
_GIT = (
    r"On (?:%|a detached HEAD), (?:nothing uncommitted|1 path not committed|\d+ paths not committed)\.",
    rf"Not committed: {_LINES}(?:, {_LINES})*(?: and \d+ more)?\.",
    r"A commit without a subject\.",
)
# What stands for a code span: a pointer, a name without a blank, any other.
_POINTER, _WORD, _ANY = "^", "%", "@"
_PLAIN = "|".join(map(re.escape, (NO_ORDER, NO_NAME)))
_HOLES = {
    _WORD: rf"(?:`[{_WORD}{_POINTER}]`|{_PLAIN})".replace("^]", r"\^]"),
    _ANY: rf"(?:`[{_ANY}{_WORD}{_POINTER}]`|{_PLAIN})".replace("^]", r"\^]"),
}


def find_unknown(document: Document) -> Iterator[int]:
    """The lines of claims that the rules cannot have written, nor stand under the name of one that made it.

    Of a file that does not say who made it nothing is known.
    """
    if not document.is_brief or not document.made_by:
        return
    topics = find_topics(document)
    others = {name: (find_engines(document.lines, name) or document.made_by) - {"rules"} for name in NAMES}
    for at in find_free(document):
        engines = others.get(document.sections.get(at, ""), frozenset[str]())
        if not any(_is_under(document.lines[at], topics[at], engine) for engine in engines):
            yield at


def _is_under(line: str, topic: str, engine: str) -> bool:
    """Whether a claim stands under an engine's name: below such a heading, or behind the rules' own words."""
    own, mark, _ = line.partition(f"(added by the engine {engine}) ")
    own = own.rstrip(" —")
    return topic.endswith(f" ({engine})") or (bool(mark) and (own in ("-", f"- {FLAG}") or is_known(own)))


def find_free(document: Document) -> Iterator[int]:
    """The lines of claims in other words than the rules', whoever a brief says it was made by."""
    quoted = {placed.first for placed in document.quotes} | set(document.malformed)
    pointers: dict[int, set[int]] = {}
    for inline in document.pointers:
        pointers.setdefault(inline.line, set()).add(inline.start)
    for claim in document.claims:
        at = claim.first
        if at not in quoted and not is_known(document.lines[at], pointers.get(at, ())):
            yield at


def is_exact(document: Document) -> bool:
    """Whether all its claims are the rules', so that each is held against the very place that it points at.

    That a model had a part in it is easily written into a file: where no claim is in other words, that changes nothing.
    """
    return document.made_by == {"rules"} or (bool(document.made_by) and next(find_free(document), None) is None)


def is_known(line: str, pointers: Iterable[int] = ()) -> bool:
    """Whether a claim's first line is one that the rules can write; `pointers` are where its pointers start."""
    places = frozenset(pointers)

    def show(start: int, span: str) -> str:
        blank = any(map(str.isspace, parse_span(span) or " "))
        return f"`{_POINTER if start in places else _ANY if blank else _WORD}`"

    return _pattern().fullmatch(replace_spans(line, show)) is not None


@cache
def _pattern() -> "re.Pattern[str]":
    forms = [_fill(form) for form in (*standing.FORMS, *stated.FORMS, TOGETHER, *LEADS, *_GIT)]
    forms += [_build_attempts(), re.escape(WITHHELD), re.escape(SO_OFTEN).replace(r"\{\}", "[0-9]+")]
    places = r" \(`\^`(?:, `\^`)*\)"
    return re.compile(rf"[-*] (?:{FLAG} )?(?:{'|'.join(forms)})(?:{places})?(?: {re.escape(UNSOURCED)})?\s*")


def _fill(form: str) -> str:
    """The form as a pattern, its groups without names: they stand beside those of the others."""
    names = f"{_ANY}(?:, {_ANY})*(?: and [0-9]+ more)?"
    plain = re.sub(r"\(\?P<\w+>", "(?:", form.replace("@@", names))
    return "".join(_HOLES.get(sign, sign) for sign in plain)


def _build_attempts() -> str:
    rule = "|".join(dict.fromkeys(re.escape(name) for name in (*(rule.name for rule in read_rules()), NAME)))
    told = re.escape(TOLD).replace(r"\{\}", f"(?:{rule})(?:, (?:{rule}))*")
    return rf"{told}(?: [0-9]+ {re.escape(MORE)})?"
