"""Text that tries to instruct whoever reads it, told by rules.

A transcript holds pages, files and messages that others wrote; some are made to be obeyed. The rules
(`injection.toml`) look for the shapes such text has: taking back earlier instructions, posing as the system or as a
tool call, asking to run or send something behind the user's back. What they find is reported with its place. They err
on the side of finding: a false alarm costs one line of the brief and takes no quotation away, since those are inert.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate

from thruline.brief.attempts.inert import find_signs, find_spans, fold, fold_ascii, replace_signs
from thruline.datafile import read_data
from thruline.pattern import compile_later
from thruline.value import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import AnyStr

# A name has no blanks: `IGNORE_PREVIOUS_INSTRUCTIONS.md`, `ignore%20all-rules`.
_JOINTS = compile_later(r"%20|[_.+/\\-]+")
_PIECES = compile_later(r"(?:[/\\]|::|__)\s*")
_CAMEL = compile_later(r"(?<=[a-z])(?=[A-Z])")
_ENDING = compile_later(r"(?:\.[A-Za-z0-9]{1,5}){1,2}\Z")
_AROUND = ".,;:!?()[]{}<>*\"'"
# A sentence has three words; where every letter may be a word there is no telling.
_FEWEST_JOINTS = 2
# With so many dots in a part they are blanks, and the last word is none of a file's endings.
_SPOKEN_DOTS = 3
# Longer texts are looked at piece by piece, so that no pattern ever sees more.
_PIECE = 4_000
_OVERLAP = 400
# Between texts that are looked through as one: no text in UTF-8 has it.
_BETWEEN = b"\xff"
# One word in a code span that only looks like a tag is the name of that tag.
_NAMES_OF_TAGS = frozenset(("tag", "tool call"))
_ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Rule:
    """A shape of text that wants to be obeyed, with examples of what it finds and what it leaves alone.

    A text must hold a literal of each list of `needs` before `pattern` is compiled and tried, and what `near` finds,
    where that is given. Whatever it finds begins with one of `starts`, where those are given.
    """

    name: str
    needs: tuple[tuple[str, ...], ...]
    near: str
    starts: tuple[str, ...]
    pattern: str
    found: tuple[str, ...]
    survives: tuple[str, ...]


def read_rules() -> tuple[Rule, ...]:
    """What is looked for in any text."""
    return _read("injection.toml")


def read_orders() -> tuple[Rule, ...]:
    """What is looked for where nobody speaks: in a claim's words and in names."""
    return _read("orders.toml")


def read_duties() -> tuple[Rule, ...]:
    """What of a model's words obliges or allows anybody to anything."""
    return _read("duties.toml")


def read_approvals() -> tuple[Rule, ...]:
    """What of a claim's words says what the user wants or gave leave to."""
    return _read("approvals.toml")


@cache
def _read(file: str) -> tuple[Rule, ...]:
    table = read_data(os.path.join(os.path.dirname(__file__), file))
    words, literals = table.get("words", {}), table.get("literals", {})
    return tuple(
        Rule(
            row["name"],
            tuple(tuple(literals[one] if isinstance(one, str) else one) for one in row["needs"]),
            row.get("near", ""),
            tuple(row.get("starts", ())),
            _fill(row["pattern"], words),
            tuple(row["found"]),
            tuple(row["survives"]),
        )
        for row in table["rule"]
    )


def _fill(pattern: str, words: dict[str, str]) -> str:
    """The pattern with what several of a file say alike, which is written there once."""
    for name, each in words.items():
        pattern = pattern.replace(f"{{{name}}}", each)
    return pattern


def find_attempts(text: str) -> tuple[str, ...]:
    """The names of the rules that find `text` trying to instruct its reader; none for ordinary text."""
    rules: Sequence[Rule] = read_rules()
    if len(text) > _PIECE and text.isascii():
        # A literal is found at memory speed; few texts hold one, and only those pay for the patterns.
        whole = fold(text)
        rules = [rule for rule in rules if _may_find(rule.needs, whole)]
    return search_attempts(text, rules)


def search_attempts(text: str, rules: Sequence[Rule]) -> tuple[str, ...]:
    """The names of those of `rules` that find something in `text`."""
    found: dict[str, None] = {}
    for at in range(0, max(len(text), 1) if rules else 0, _PIECE - _OVERLAP):
        folded = fold(text[at : at + _PIECE])
        for rule in rules:
            if rule.name not in found and _may_find(rule.needs, folded) and _finds(rule, folded):
                found[rule.name] = None
    return tuple(found)


def _may_find(needs: "Iterable[Iterable[AnyStr]]", folded: "AnyStr") -> bool:
    for literals in needs:
        for literal in literals:
            if literal in folded:
                break
        else:
            return False
    return True


def _finds(rule: Rule, folded: str) -> bool:
    pattern = _compile(rule.pattern)
    if not rule.starts:
        return pattern.search(folded) is not None
    for start in rule.starts:
        at = folded.find(start)
        while at >= 0:
            if pattern.match(folded, at):
                return True
            at = folded.find(start, at + 1)
    return False


def find_suspects(texts: Sequence[str]) -> dict[int, list[Rule]]:
    """Which of many texts hold what some rules need, by their numbers; the others cannot have an attempt in them.

    All are looked through as one: a literal that none of them holds is asked for once.
    """
    plain = _join_plain(texts)
    beyond = not all(map(str.isascii, texts))
    each = plain.split(_BETWEEN)
    ends = list(accumulate(map(len, each), lambda end, size: end + size + 1))
    holders: dict[bytes, list[int]] = {}
    found: dict[int, list[Rule]] = {}
    for rule, (first, *others) in _encode_needs():
        if rule.near:
            for number in {bisect_right(ends, hit.start()) for hit in _compile_near(rule.near).finditer(plain)}:
                found.setdefault(number, []).append(rule)
            continue
        for literal in first:
            if literal not in holders:
                holders[literal] = _find_holders(literal, plain, ends) if beyond or literal.isascii() else []
        for number in {number for literal in first for number in holders[literal]}:
            if _may_find(others, each[number]):
                found.setdefault(number, []).append(rule)
    return found


def _find_holders(literal: bytes, plain: bytes, ends: list[int]) -> list[int]:
    """The numbers of the texts that hold a literal; text `n` of `plain` ends at `ends[n]`."""
    found: list[int] = []
    at = plain.find(literal)
    while at >= 0:
        found.append(bisect_right(ends, at))
        at = plain.find(literal, ends[found[-1]])
    return found


@cache
def _encode_needs() -> list[tuple[Rule, list[list[bytes]]]]:
    return [(rule, [[literal.encode() for literal in need] for need in rule.needs]) for rule in read_rules()]


def _join_plain(texts: Sequence[str]) -> bytes:
    """The texts, folded as far as literals can tell, and what stands between them."""
    # Bytes: a single sign beyond Latin would make the whole text twice as long, and slower to search.
    # Sign by sign: to normalise whole texts takes ten times as long. Marks that would be put together with the letter
    # before them stay apart, and no literal has such a letter.
    signs = [text if text.isascii() else replace_signs(text, find_signs(text)) for text in texts]
    return fold_ascii(_BETWEEN.join([text.encode("utf-8", "surrogatepass") for text in signs]))


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _compile_near(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode())


def find_in_name(name: str) -> tuple[str, ...]:
    """The same for a path, a branch or another name, whose words are joined by other signs than blanks."""
    found = find_attempts(name) + find_attempts(_split_words(_drop_pair(name)))
    blank = any(character.isspace() for character in name.strip())
    return tuple(rule for rule in dict.fromkeys(found) if blank or rule not in _NAMES_OF_TAGS)


def _drop_pair(name: str) -> str:
    """The name without a last part of two words: `ignore-previous.test.ts` is a name, and says nothing yet."""
    *_, last = _PIECES.split(name)
    two = len(_split_words(_ENDING.sub("", last)).split()) == 2
    return name[: len(name) - len(last)] if two and not any(map(str.isspace, last)) else name


def find_address(name: str) -> tuple[str, ...]:
    """The rules that find a name, or several with blanks between them, speaking to a reader.

    Words that are joined by other signs do so only from their start: `please_push.md`, not `test_please_wait.py`.
    """
    joined = _JOINTS.sub(" ", _CAMEL.sub(" ", name))
    orders = [rule for rule in _read_addresses() if _may_find(rule.needs, fold(joined))]
    if not orders:
        return ()  # as nearly all: what a rule needs stands in no piece either
    parts = [piece for part in _PIECES.split(name) for piece in (part, *part.split())]
    pieces = [fold(_JOINTS.sub(" ", _CAMEL.sub(" ", piece))) for piece in parts]
    speaks = any(_compile(rule.pattern).match(piece) for rule in orders for piece in pieces)
    return (_ADDRESS,) if speaks or search_attempts(name, orders) else ()


@cache
def _read_addresses() -> tuple[Rule, ...]:
    return tuple(rule for rule in read_orders() if rule.name == _ADDRESS)


def find_sentence(name: str) -> tuple[str, ...]:
    """The rules that find a name, or parts of it in a row, being a whole sentence to its reader (`named.toml`).

    Only from where a part of the name begins: `test_delete_all_and_push.py` says what it tests.
    """
    words = _split_words(name)
    if name.isascii() and words.strip().count(" ") < _FEWEST_JOINTS:
        return ()
    folded = fold(words)
    rules = [rule for rule in _read("named.toml") if _may_find(rule.needs, folded)]
    if not rules:
        return ()  # as nearly all
    parts = [fold(_split_words(_drop_ending(part))) for part in _PIECES.split(name)]
    said = [" ".join(filter(None, parts[at:])) for at in range(len(parts))]
    return tuple(dict.fromkeys(rule.name for rule in rules for one in said if _compile(rule.pattern).match(one)))


def _drop_ending(part: str) -> str:
    return _ENDING.sub("", part) if part.count(".") < _SPOKEN_DOTS else part


def read_sentences() -> tuple[Rule, ...]:
    """What a name may not say."""
    return _read("named.toml")


def _split_words(name: str) -> str:
    return _JOINTS.sub(" ", _CAMEL.sub(" ", name))


def find_in_words(text: str) -> tuple[str, ...]:
    """The same for a claim's words, in which a code span of one word is a name."""
    names = [span.strip("`") for _, span in find_spans(text) if not any(c.isspace() for c in span)]
    for name in names:
        text = text.replace(f"`{name}`", "name")
    found = find_attempts(text) + tuple(rule for name in names for rule in find_in_name(name) + find_sentence(name))
    found += tuple(rule for word in text.split() for rule in find_sentence(word.strip(_AROUND)))
    # A name may stand in the words without a code span.
    joined = tuple(rule for rule in find_attempts(_JOINTS.sub(" ", text)) if rule not in _NAMES_OF_TAGS)
    return tuple(dict.fromkeys(found + joined))
