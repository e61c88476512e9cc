"""Text that tries to instruct whoever reads it, told by rules.

A transcript holds pages, files and messages that others wrote; some are made to be obeyed. The rules
(`injection.toml`) look for the shapes such text has: taking back earlier instructions, posing as the system or as a
tool call, asking to run or send something behind the user's back. What they find is reported with its place. They err
on the side of finding: a false alarm costs one line of the brief and takes no quotation away, since those are inert.
"""

import os
import re
from collections.abc import Sequence
from functools import cache

from thruline.brief.inert import find_spans, fold, lower_plain
from thruline.datafile import read_data
from thruline.pattern import compile_later
from thruline.value import dataclass

# A name has no blanks: `IGNORE_PREVIOUS_INSTRUCTIONS.md`, `ignore%20all-rules`.
_JOINTS = compile_later(r"%20|[_.+/\\-]+")
_CAMEL = compile_later(r"(?<=[a-z])(?=[A-Z])")
# Longer texts are looked at piece by piece, so that no pattern ever sees more.
_PIECE = 4_000
_OVERLAP = 400
# One word in a code span that only looks like a tag is the name of that tag.
_NAMES_OF_TAGS = frozenset(("tag", "tool call"))


@dataclass(frozen=True, slots=True)
class Rule:
    """A shape of text that wants to be obeyed, with examples of what it finds and what it leaves alone.

    A text must hold one of `words`, and one of `also` where there are any, before `pattern` is compiled and tried.
    """

    name: str
    words: tuple[str, ...]
    also: tuple[str, ...]
    pattern: str
    found: tuple[str, ...]
    survives: tuple[str, ...]


@cache
def read_rules() -> tuple[Rule, ...]:
    """The rules that came with this package."""
    table = read_data(os.path.join(os.path.dirname(__file__), "injection.toml"))
    return tuple(
        Rule(
            row["name"],
            tuple(row["words"]),
            tuple(row.get("also", ())),
            row["pattern"],
            tuple(row["found"]),
            tuple(row["survives"]),
        )
        for row in table["rule"]
    )


def find_attempts(text: str) -> tuple[str, ...]:
    """The names of the rules that find `text` trying to instruct its reader; none for ordinary text."""
    rules: Sequence[Rule] = read_rules()
    if len(text) > _PIECE and text.isascii():
        # A literal is found at memory speed; few texts hold one, and only those pay for the patterns.
        whole = fold(text)
        rules = [rule for rule in rules if _may_find(rule, whole)]
    found: dict[str, None] = {}
    for at in range(0, max(len(text), 1) if rules else 0, _PIECE - _OVERLAP):
        folded = fold(text[at : at + _PIECE])
        for rule in rules:
            if rule.name not in found and _may_find(rule, folded) and _compile(rule.pattern).search(folded):
                found[rule.name] = None
    return tuple(found)


def _may_find(rule: Rule, folded: str) -> bool:
    for words in (rule.words, rule.also):
        for word in words:
            if word in folded:
                break
        else:
            if words:
                return False
    return True


def find_suspects(texts: Sequence[str]) -> list[int]:
    """Which of many texts hold the words of some rule; the others cannot have an attempt in them.

    Most texts repeat the same words, so first each different word of all of them is looked at once.
    """
    words = " ".join(set(lower_plain("\n".join(texts)).split()))
    narrowed = [rule for rule in read_rules() if _may_hold(rule, words)]
    if not narrowed:
        return []
    # Folded: what a rule looks for may be broken over two lines, or have something invisible in it.
    folded = map(fold, texts)
    return [number for number, text in enumerate(folded) if any(_may_find(rule, text) for rule in narrowed)]


def _may_hold(rule: Rule, words: str) -> bool:
    """Whether these words, in any order, could be those of a text that `_may_find` is true of."""
    return all(
        any(all(piece in words for piece in looked_for.split()) for looked_for in listed)
        for listed in (rule.words, rule.also)
        if listed
    )


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find_in_name(name: str) -> tuple[str, ...]:
    """The same for a path, a branch or another name, whose words are joined by other signs than blanks."""
    found = find_attempts(name) + find_attempts(_JOINTS.sub(" ", _CAMEL.sub(" ", name)))
    blank = any(character.isspace() for character in name.strip())
    return tuple(rule for rule in dict.fromkeys(found) if blank or rule not in _NAMES_OF_TAGS)


def find_in_words(text: str) -> tuple[str, ...]:
    """The same for a claim's words, in which a code span of one word is a name."""
    names = [span.strip("`") for _, span in find_spans(text) if not any(c.isspace() for c in span)]
    for name in names:
        text = text.replace(f"`{name}`", "name")
    found = find_attempts(text) + tuple(rule for name in names for rule in find_in_name(name))
    # A name may stand in the words without a code span.
    joined = tuple(rule for rule in find_attempts(_JOINTS.sub(" ", text)) if rule not in _NAMES_OF_TAGS)
    return tuple(dict.fromkeys(found + joined))
