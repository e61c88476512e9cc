"""Whether two corrections say the same: people stop the agent and type it again, often with a reason behind it.

The side it errs on: two. A bare "no, that's wrong" says nothing by itself, so it is the same only about the same thing;
another number, version or name of code is another correction, however alike the words around it are.
"""

import re
from functools import cache

from thruline.pattern import compile_later
from thruline.signals.cues import ENDS, Language, load_refusing, split_words
from thruline.signals.features.text import Text
from thruline.value import dataclass

# So many words of its own, or letters where words are not spaced, a message needs to be known again in another.
LEAST_TERMS, LEAST_LETTERS = 2, 8
# Of so many terms nearly all must be in the other, which is at most so many times as long.
LEAST_SHARED, NEARLY, LONGER = 4, 0.9, 5

# What is named: between quotation marks or marks of code, as a name in code or a path is written, or by a number.
_NAMED = compile_later(
    r"""`[^`\n]{1,60}` | (?<!\w)"[^"\n]{1,60}" | (?<!\w)'[^'\n]{1,60}'(?!\w) | “[^“”\n]{1,60}” | „[^„“”\n]{1,60}[“”]
    | «[^«»\n]{1,60}» | 「[^「」\n]{1,60}」 | (?<!\w)--?[a-z][\w-]+
    | (?<![A-Za-z0-9])[A-Za-z]{0,30}\d+(?:[.:,_-][A-Za-z0-9]+)* | (?<![\w-])[A-Za-z0-9-]{1,60}(?:[_./]+[A-Za-z0-9-]+)+
    | (?<![A-Za-z])[A-Za-z]{0,30}[a-z][A-Z][A-Za-z]*""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """What a message says, folded: its longer words, all of them in a row, and the terms that say something.

    `telling` counts those terms; `denies` tells whether something is not to be, or is not so; `named` are the numbers
    and names in it, in their order.
    """

    words: frozenset[str]
    row: str
    terms: frozenset[str]
    telling: int
    denies: bool
    named: tuple[str, ...]


def fold(own: Text) -> Wording:
    """A message's wording without blanks, case and the marks that end sentences."""
    language = own.language
    words = frozenset([word for word in own.plain if len(word) > 2 or word.isdecimal()])
    if not language.spaced:
        row = "".join([sign for sign in own.text.lower() if sign.isalnum()])
        telling = len(row) // (LEAST_LETTERS // LEAST_TERMS)
        return Wording(words, row, frozenset(), telling, "negation" in own.find("cues"), _find_named(own))
    negations = language.words("negations")
    hollow = (language.words("stop") | language.words("fillers") | _find_refusing(language)) - negations
    denying = negations - language.words("refusals")
    terms = frozenset([word for word in own.plain if word not in hollow])
    telling = len([word for word in terms if len(word) > 2 and word not in negations])
    return Wording(words, f" {' '.join(own.plain)} ", terms, telling, not terms.isdisjoint(denying), _find_named(own))


def is_same(one: Wording, other: Wording, *, about: bool = True) -> bool:
    """Whether two messages say the same; `about` tells whether they are about the same words of the agent."""
    if one.row == other.row:
        return bool(one.row.strip()) and (about or one.telling >= LEAST_TERMS)
    short, long = sorted((one, other), key=lambda wording: len(wording.row))
    if _names_other(short, long):
        return False
    if one.denies == other.denies:
        if short.telling >= LEAST_TERMS and short.row in long.row:
            return True
        small, large = sorted((one.terms, other.terms), key=len)
        near = len(small & large) >= NEARLY * len(small) and len(large) <= LONGER * len(small)
        if len(small) >= LEAST_SHARED and near:
            return True
    return short.named == long.named and _is_alike(one.words, other.words)


def says_more(one: Wording, other: Wording) -> bool:
    """Whether the first of two that say the same says the more, or says it otherwise: the later word stands."""
    return len(one.row) >= len(other.row) or not one.terms <= other.terms


def _names_other(short: Wording, long: Wording) -> bool:
    """Whether one names something that the other does not, or the same in another order.

    A short one that names nothing may go on with names in the long one: that is its reason.
    """
    if set(short.named) == set(long.named):
        return short.named != long.named
    return any(not _holds(long, name) for name in short.named) or (
        bool(short.named) and any(not _holds(short, name) for name in long.named)
    )


def _holds(wording: Wording, name: str) -> bool:
    return name in wording.named or (wording.row.startswith(" ") and f" {name} " in wording.row)


def _find_named(own: Text) -> tuple[str, ...]:
    """The numbers and names of a text, each once, folded as its words are."""
    found = [[word for word in split_words(each.group()) if word not in ENDS] for each in _NAMED.finditer(own.text)]
    return tuple(dict.fromkeys([" ".join(words) for words in found if words]))


def _is_alike(words: frozenset[str], known: frozenset[str]) -> bool:
    """Whether one holds most of the other and is not much longer."""
    small, large = sorted((len(words), len(known)))
    shared = len(words & known)
    return small >= 5 and shared >= 0.75 * small and shared * 2 >= large


@cache
def _find_refusing(language: Language) -> frozenset[str]:
    """The words by which somebody refuses, whatever it is."""
    phrases = load_refusing(language.name)
    listed = [phrase for work in ("before", "no", "it", "lightly", "wrong", "whole") for phrase in phrases[work]]
    return frozenset([word for phrase in listed for word in split_words(phrase)])
