"""The rules of redaction, read from `rules.toml` once.

Words and patterns are bytes: text is searched as UTF-8, where case folding and literal search are an order of magnitude
cheaper than on wide strings. A pattern is compiled when its word is first met, so that a text without secrets pays for
none.
"""

import os
import re
from functools import cache

from thruline.datafile import read_data
from thruline.value import dataclass

EDGE = (
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbfv])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m)|(?<=\[[0-9];[0-9]{2}m))"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A secret that is told by its own shape; the fields are those of `[[shape]]`."""

    name: str
    about: str
    words: tuple[bytes, ...]
    pattern: str
    before: str
    lead: int
    quick: str
    anycase: bool
    judge: str
    found: tuple[str, ...]
    survives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A secret that is told by the name it is given to."""

    name: str
    about: str
    found: tuple[str, ...]
    survives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Innocent:
    """What never is a secret: whole values, parts of a stand-in, words of a self-describing value, ends of a name."""

    values: frozenset[str]
    parts: tuple[str, ...]
    telling: tuple[str, ...]
    tails: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything `rules.toml` says; where two rules claim the same text, the earlier one names it."""

    shapes: tuple[Shape, ...]
    named: tuple[Named, ...]
    innocent: Innocent


@cache
def read_rules() -> Rules:
    """The rules that came with this package."""
    table = read_data(os.path.join(os.path.dirname(__file__), "rules.toml"))
    innocent = table["innocent"]
    return Rules(
        shapes=tuple(
            Shape(
                name=row["name"],
                about=row["about"],
                words=tuple(word.encode() for word in row["words"]),
                pattern=row["pattern"],
                before=row.get("before", ""),
                lead=row.get("lead", 0),
                quick=row.get("quick", ""),
                anycase=row.get("anycase", False),
                judge=row.get("judge", ""),
                found=tuple(row["found"]),
                survives=tuple(row["survives"]),
            )
            for row in table["shape"]
        ),
        named=tuple(
            Named(row["name"], row["about"], tuple(row["found"]), tuple(row["survives"])) for row in table["named"]
        ),
        innocent=Innocent(
            values=frozenset(innocent["values"]),
            parts=tuple(innocent["parts"]),
            telling=tuple(innocent["telling"]),
            tails=frozenset(tail.encode() for tail in innocent["tails"]),
        ),
    )


@cache
def compile_pattern(source: str, anycase: bool = False) -> re.Pattern[bytes]:
    """The pattern over UTF-8, with `{edge}` filled in."""
    return re.compile(source.replace("{edge}", EDGE).encode(), re.IGNORECASE if anycase else 0)
