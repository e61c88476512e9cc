"""Which words between quotation marks are somebody else's: what a colleague wrote, a customer asked for, a page says.

The fact this rests on: who passes words on says whose they are, right before or right behind them. The side it errs on:
marks that only stress, what the writer says to have said, and what nobody else is named for stay the writer's own.
"""

import re
from collections.abc import Iterator

from thruline.pattern import compile_later
from thruline.signals.cues import ENDS, Language, load_quoting, split_words

Span = tuple[int, int]

# So many letters before and behind a quotation are looked at, and so many words of them, or letters where words are
# not spaced.
BEFORE, BEHIND = 120, 60
WORDS_BEFORE, WORDS_BEHIND = 14, 6
LETTERS = 14
# So many words may stand between a self and its verb: "I have already clearly said".
WORDS_BETWEEN = 3

# A mark at the beginning of a word and one at the end of one: "don't" has neither.
_QUOTED = compile_later(
    r"""(?<!\w)"[^"]{2,2000}"(?!\w) | (?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){2,1000}'(?!\w) | “[^“”]{2,2000}”
    | „[^„“”]{2,2000}[“”] | «[^«»]{2,2000}» | ‹[^‹›]{2,2000}› | 「[^「」]{2,2000}」 | 『[^『』]{2,2000}』
    | (?<!\w)‘(?:[^‘’\n]|(?<=\w)’(?=\w)){2,1000}’(?!\w)""",
    re.VERBOSE,
)
_MARKS = ('"', "'", "“", "„", "«", "‹", "「", "『", "‘")
# Where the clause before a quotation begins, and where the one behind it ends.
_CLAUSE = compile_later(r"[.!?](?=\s|\Z)|[\n。！？]")
_WORDS = compile_later(r"[^\W\d_]+")


def drop_quotations(text: str, spans: list[Span], language: Language) -> list[Span]:
    """The spans without what stands in them between quotation marks and is said to be somebody else's."""
    if not any(mark in text for mark in _MARKS):
        return spans
    others = list(_find_others(text, spans, language))
    return [part for span in spans for part in _split(span, others)] if others else spans


def _find_others(text: str, spans: list[Span], language: Language) -> Iterator[Span]:
    tells = _tells if language.spaced else _tells_unspaced
    own = sorted(spans, reverse=True)
    last = 0
    for found in _QUOTED.finditer(text):
        start, end = found.span()
        while own and own[-1][1] <= start:
            own.pop()
        if not own or own[-1][0] >= end:
            last = end
            continue  # in what was pasted, which may have thousands of them
        clause = _CLAUSE.split(text[max(last, start - BEFORE) : start].rstrip("\n"))[-1]
        behind = _CLAUSE.split(text[end : end + BEHIND])[0]
        if tells(clause, "", language) or (behind.strip() and tells(clause, behind, language)):
            yield start, end
        last = end


def _tells(clause: str, behind: str, language: Language) -> bool:
    """Whether a clause says that somebody else says what stands behind it; or that behind a quotation, what is before.

    A self among the few words before the verb makes it the writer's own, unless another one stands between.
    """
    phrases = load_quoting(language.name)
    read = behind or clause
    words = [word for word in split_words(read) if word not in ENDS]
    words = words[:WORDS_BEHIND] if behind else words[-WORDS_BEFORE:]
    near = f" {' '.join(words)} "
    if any(f" {phrase} " in near for phrase in phrases["sources"]):
        return True
    # A name, or any noun where nouns are written so: the first word of a clause tells nothing by its capital.
    names = {word.lower() for word in _WORDS.findall(read)[1:] if word[0].isupper()} - {"i"}
    others = names.union(phrases["others"])
    for phrase in phrases["saying"]:
        at = near.rfind(f" {phrase} ")
        if at < 0:
            continue
        before, after = near[:at].split(), near[at + len(phrase) + 2 :].split()
        # "Gestern sagte ich: …"; "…", sagte ich.
        turned = after[:1] if behind and not before else after if len(after) == 1 else []
        if " ".join(turned) in phrases["selves"]:
            continue
        if not _is_said_by_self(before, phrases, others) and not _is_said_by_nobody(before, after, phrases, behind):
            return True
    return False


def _is_said_by_self(before: list[str], phrases: dict[str, list[str]], others: set[str]) -> bool:
    """Whether a self is the nearest one named before a verb, with few words between."""
    row = f" {' '.join(before)}"
    places = [(row.rfind(f" {one} "), one) for one in phrases["selves"]]
    places += [(len(row) - len(one) - 1, one) for one in phrases["selves"] if row.endswith(f" {one}")]
    at, one = max(places)
    between = row[at + len(one) + 1 :].split()
    return at >= 0 and len(between) <= WORDS_BETWEEN and others.isdisjoint(between)


def _is_said_by_nobody(before: list[str], after: list[str], phrases: dict[str, list[str]], behind: str) -> bool:
    """Whether a verb has nobody beside it who says it, where its form does not tell that another does."""
    beside = phrases["beside"]
    return bool(beside) and not (behind and after) and all(word in beside for word in before)


def _tells_unspaced(clause: str, behind: str, language: Language) -> bool:
    """The same where words are not spaced, and who says it may stand before the quotation and the verb behind it."""
    phrases = load_quoting(language.name)
    clause = clause.strip().lower()
    near = behind.lower()[:LETTERS] if behind else clause[-LETTERS:]
    if any(phrase in near for phrase in phrases["sources"]):
        return True
    for phrase in phrases["saying"]:
        at = near.rfind(phrase)
        if at < 0:
            continue
        before = (clause[-LETTERS:] if behind else "") + near[:at]
        self_at, one = max([(before.rfind(one), one) for one in phrases["selves"]])
        between = before[self_at + len(one) :] if self_at >= 0 else before
        if any(other in between for other in phrases["others"]):
            return True
        directs = any(before.endswith(one) or near.startswith(one, at) for one in phrases["directing"])
        if self_at < 0 and not directs and between.strip("，、,：: ") not in ("", *phrases["beside"]):
            return True
    return False


def _split(span: Span, others: list[Span]) -> Iterator[Span]:
    start, end = span
    for first, last in others:
        if first < end and last > start:
            if first > start:
                yield start, first
            start = max(start, last)
    if start < end:
        yield start, end
