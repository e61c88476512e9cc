"""The five sections, in one table: enum, file name, heading, order, what a model must answer, and what is checked.

Prompts, finalize, render, verify and docs/formats/section.md all follow this table; tests/brief/test_section.py fails
when one of them does not.
"""

from thruline.brief.pointer import KINDS, Pointer
from thruline.brief.quotation.quote import Quote
from thruline.brief.wording import PLACEHOLDER as PLACEHOLDER
from thruline.value import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNSOURCED = "[unsourced]"
FLAG = "⚑ verify:"
# In a claim's words, where a quotation was lifted out of them, where another claim has it, and where it was removed.
QUOTED = "(quoted below)"
ELSEWHERE = "(quoted elsewhere)"
REMOVED = "(quotation removed: not in the transcript)"
# What leads to quotations that say little without others, which another claim has.
TOGETHER = "Together with words quoted elsewhere:"
MOST_LINES = 400
# The two lists of code-state, which are never merged.
GIT, SESSION = "git says", "the session did"


@dataclass(frozen=True, slots=True)
class Row:
    """One section of the table.

    `floor` is the share of a budget that other sections cannot take from it. `owns` orders the sections where two say
    the same thing: the lowest keeps it. `lists` are the topics that are never left out where they have a claim.
    """

    name: str
    heading: str
    floor: float
    owns: int
    lists: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        return self.name + ".json"


TABLE = (
    Row("convergence", "## Convergence", floor=0.14, owns=2),
    Row("dead_ends", "## Dead-ends", floor=0.22, owns=1),
    Row("code_state", "## Code-state", floor=0.12, owns=5, lists=(GIT, SESSION)),
    Row("open_threads", "## Open-threads & conflicts", floor=0.12, owns=4),
    Row("basics", "## Basics", floor=0.12, owns=3),
)
NAMES = tuple(row.name for row in TABLE)
HEADINGS = {row.heading: row.name for row in TABLE}


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that the next session must know.

    `text` is our own words on one line, no transcript text in it but names (paths, commands, ids) made by
    `names`. `quotes` are the words of others, `pointers` the places that prove the text; a quotation's own
    pointer need not be repeated there. `topic` groups claims under a sub-heading. `weight` (0 to 1) ranks claims within
    their section; `shown` may say where it stands among the claims of its topic instead (0: by weight). `keep` marks
    what is cut last: what the user said and what was rejected. `flag` is a thing to verify, never a verdict.
    `statement` says that there is nothing ("No dead end was found."), which needs no pointer. `origin` is the engine
    that said it, or two joined by `+`. `numbers` are its places among the claims that a model wrote, from 1.
    """

    text: str = ""
    quotes: tuple[Quote, ...] = ()
    pointers: tuple[Pointer, ...] = ()
    topic: str = ""
    weight: float = 0.5
    shown: int = 0
    keep: bool = False
    flag: bool = False
    statement: bool = False
    origin: str = "rules"
    numbers: tuple[int, ...] = ()

    @property
    def unsourced(self) -> bool:
        return not (self.statement or self.quotes or self.pointers)


@dataclass(frozen=True, slots=True)
class Section:
    """A section by name. `failed` is one that no engine could make; it is told by the placeholder.

    `cut` tells that more was found than its claims hold, and had no room.
    """

    name: str
    claims: tuple[Claim, ...] = ()
    failed: bool = False
    cut: bool = False

    @property
    def all_unsourced(self) -> bool:
        said = [claim for claim in self.claims if not claim.statement]
        return bool(said) and all(claim.unsourced for claim in said)


@dataclass(frozen=True, slots=True)
class Brief:
    """The five sections in the table's order, and what they were made from.

    `corrections` are the places of all that the rules mined: those that a brief has no room for are counted in it.
    """

    sections: tuple[Section, ...]
    title: str = ""
    sources: tuple["Source", ...] = ()
    corrections: tuple[Pointer, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One transcript file that a brief points into.

    `label` is "" for the session's own file. `size` and `digest` describe the first `size` bytes, so that a file which
    moved or grew since can still be told from another one. `leaf` is the uuid of the last record. `project` is the
    folder that the session worked in: there its commits and files are looked up.
    """

    path: str
    session: str = ""
    harness: str = ""
    label: str = ""
    leaf: str = ""
    size: int = 0
    digest: str = ""
    project: str = ""


def find_row(name: str) -> Row | None:
    """The row of a section's name; a hyphen is as good as an underscore, and a file name as a name."""
    wanted = name.strip().lower().removesuffix(".json").replace("-", "_")
    return next((row for row in TABLE if row.name == wanted), None)


def order_sections(sections: "dict[str, Section]") -> tuple[Section, ...]:
    """All five in the table's order; a missing one failed."""
    return tuple(sections.get(row.name, Section(row.name, failed=True)) for row in TABLE)


def build_schema(name: str) -> "dict[str, Any]":
    """The JSON schema of what a model answers for one section."""
    pointer = {
        "type": "object",
        "properties": {
            "type": {"enum": list(KINDS)},
            "ref": {"type": "string", "minLength": 1},
            "note": {"type": "string"},
        },
        "required": ["type", "ref"],
    }
    return {
        "type": "object",
        "properties": {
            "section": {"const": name},
            "content": {"type": "string", "minLength": 1},
            "pointers": {"type": "array", "items": pointer},
        },
        "required": ["section", "content", "pointers"],
    }


def check_answer(name: str, value: object) -> list[str]:
    """What is wrong with a model's answer for the section `name`; nothing where it fits `build_schema`."""
    if not isinstance(value, dict):
        return [f"a {type(value).__name__} where one object should be"]
    problems = [f'"{key}" is missing' for key in build_schema(name)["required"] if key not in value]
    if problems:
        return problems
    row = find_row(value["section"]) if isinstance(value["section"], str) else None
    if row is None or row.name != name:
        problems.append(f'"section" is {value["section"]!r:.60}, not "{name}"')
    if not isinstance(value["content"], str) or not value["content"].strip():
        problems.append('"content" is not a text, or an empty one')
    if not isinstance(value["pointers"], list):
        problems.append('"pointers" is not a list')
    return problems
