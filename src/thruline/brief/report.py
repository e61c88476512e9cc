"""What was found in a file of ours, and the file without what is wrong."""

from collections import Counter

from thruline.brief.verify import MISSING, MOVED, REATTRIBUTED, SECRET, TURNED
from thruline.value import dataclass

MALFORMED = "malformed"
FABRICATED = "fabricated"
NO_SOURCE = "unsourced"
STRAY = "stray"
HEADING = "heading"
LABEL = "label"
SOURCE = "source"  # a line of the Sources is not true
WHAT = {
    MISSING: "the words stand nowhere in the sources",
    TURNED: "a part was left out that turns it, or what is left is no clause",
    MOVED: "right words, wrong place",
    REATTRIBUTED: "right words, wrong speaker",
    SECRET: "a secret stands in it unmarked",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is not as it should be: on `line` (1-based) of the file. `now` is what a repair puts there.

    `section` is the one of the five that the line belongs to, "" for another line.
    """

    line: int
    kind: str
    what: str
    was: str = ""
    now: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """How a file was found. `text` is the file repaired; equal to what it was where nothing is wrong.

    `flagged` are the sections in which no claim has a source: a thing to know, not a failure where each is marked.
    """

    quotes: Counter[str]
    pointers: Counter[str]
    facts: Counter[str]
    claims: int
    unsourced: int
    flagged: tuple[str, ...]
    troubles: tuple[Trouble, ...]
    text: str
