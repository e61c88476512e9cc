"""Words that a model gives as somebody's, in whatever form: they are proved like a quotation, or go.

`attributed` finds what any brief may not say unproved, and leaves room for prose. A model's claims are read more
strictly: whoever names a person and then gives content behind a sign, or in a code span of several plain words, says
that these are that person's words. What the user wants is told without a sign, or quoted.
"""

import re
from collections.abc import Iterator

from thruline.brief.attempts.inert import blank_spans, find_spans, parse_span
from thruline.brief.claims.attributed import Attributed
from thruline.brief.claims.saying import load_saying
from thruline.brief.quotation.speech import SAID, SENTENCE, count_words, drop_marks, find_quoted
from thruline.brief.section import ELSEWHERE, QUOTED, REMOVED
from thruline.pattern import compile_later

# Where the words end: their sentence, the places that prove the claim, a mark of ours.
_END = compile_later(r"[.!?;](?=\s|\Z)|\s?[(\[][\s,]*[)\]]|\(quot|\[unsourced|\Z")
_ALIKE = compile_later(r"[\"“”„«»]\s*[\"“”„«»]")
_PLAIN = compile_later(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def find_voiced(text: str) -> Iterator[Attributed]:
    """The words of a model's claim that it gives as a person's, in order, but for those in quotation marks."""
    plain = text
    for mark in (QUOTED, ELSEWHERE, REMOVED):
        plain = plain.replace(mark, "(" + " " * (len(mark) - 2) + ")")
    blank = blank_spans(plain)
    quoted = [start for start, _, words in find_quoted(blank) if count_words(words) >= SENTENCE]
    at = 0
    while found := load_saying().voiced.search(plain, at):
        end = _END.search(plain, found.end())
        stop = min([end.start() if end else len(plain), *(start for start in quoted if start >= found.end())])
        words = plain[found.end() : stop].strip()
        if count_words(drop_marks(words)) >= SAID:
            yield Attributed(drop_marks(words), plain.index(words, found.end()), words, "human")
        at = max(stop, found.end())
    if load_saying().role.search(blank):
        yield from _find_spans(plain)


def _find_spans(plain: str) -> Iterator[Attributed]:
    for start, span in find_spans(plain):
        words = parse_span(span) or ""
        if len(words.split()) >= SENTENCE and all(map(_PLAIN.fullmatch, words.split())):
            yield Attributed(words, start, span, "human")


def mark_voiced(text: str) -> str:
    """The text with such words in double quotation marks, and quotations that follow each other as one."""
    for match in reversed(list(_ALIKE.finditer(blank_spans(text)))):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    for one in sorted(find_voiced(text), key=lambda one: -one.start):
        words = re.sub(r"\s+", " ", one.words).replace("“", '"').replace("”", '"')
        text = f"{text[: one.start]}“{words}”{text[one.start + len(one.text) :]}"
    return text
