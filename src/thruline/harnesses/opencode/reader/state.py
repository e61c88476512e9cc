"""What the reader must remember between two records: little, since a record holds a whole message."""

from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import copy_value
from thruline.session.parts import Changed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.session.parts import Part

# Plain fields that a checkpoint carries as they are.
_CARRIED = (
    "calls",
    "cwd",
    "keys",
    "last",
    "left",
    "mode",
    "model",
    "parent",
    "prompts",
    "revert",
    "session_id",
    "starter",
    "title",
    "version",
)


class State:
    """Everything the reader carries from one record to the next, and where it stands in this one."""

    __slots__ = (*_CARRIED, "counts", "line", "out", "path", "problems", "seen", "source", "time", "tokens", "uuid")

    def __init__(self, path: str, source: str, *, tokens: bool = True) -> None:
        self.path = path
        self.source = source
        self.tokens = tokens  # whether anybody asks what answers cost
        self.line = 0
        self.uuid = self.time = ""
        self.out: list[Part] = []
        self.counts: dict[str, int] = {}
        self.problems: list[Any] = []
        self.seen: Any = ()  # keys of records that another file of the session already gave
        # Facts told on change
        self.session_id = self.cwd = self.version = self.model = self.mode = self.title = self.parent = ""
        self.starter = ""  # the session that started this one as a subagent: its prompts are another agent's
        self.keys: list[list[int]] = []  # [key, line] of each record
        self.last = 0  # key of the record before
        self.prompts: list[list[Any]] = []  # as lineage sees them: [line, key, key before, digest, time]
        self.calls: dict[str, int] = {}  # how often an id of a call was seen: some models number theirs anew each turn
        self.revert = ""  # the message from which on everything was undone, while that can be taken back
        self.left = 0  # its line

    def count(self, what: str) -> None:
        """One more of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def tell(self, name: str, value: "Any") -> None:
        """Adds a fact about the session where it is another than before."""
        if isinstance(value, str) and value and getattr(self, name) != value:
            setattr(self, name, value)
            self.out.append(Changed(self.line, name, value, uuid=self.uuid, time=self.time, source=self.source))

    def build_lines(self) -> "dict[int, int]":
        """Every record read so far, key -> line, in file order."""
        return {key: line for key, line in self.keys}  # noqa: C416 - each is a list

    def pass_record(self, role: str, created: "Any", name: str) -> bool:
        """Remembers a record; True where another file of the session gave it already.

        A fork copies messages under new ids and keeps the moment they were made, to the millisecond. So a record's key
        is that moment and its role; where there is none it is its id.
        """
        key = key_of(f"{role} {created}" if isinstance(created, int) else name)
        if not role and not name:
            return False
        self.keys.append([key, self.line])
        if key in self.seen:
            self.count("copy")
            return True
        return False

    def to_dict(self) -> "dict[str, Any]":
        """A plain value that JSON can hold."""
        return {name: copy_value(getattr(self, name)) for name in _CARRIED} | {"counts": dict(self.counts)}

    def take_dict(self, kept: "dict[str, Any]") -> None:
        """Goes on where `to_dict` left off."""
        for name in _CARRIED:
            setattr(self, name, copy_value(kept[name]))
        self.counts = dict(kept["counts"])
