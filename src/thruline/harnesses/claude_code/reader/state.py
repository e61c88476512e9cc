"""What the reader must remember between two records, and between two readings of a file that grew.

Nothing here holds a payload. Ids are kept as they stand until they are many, then as 64-bit numbers: a session of a
gigabyte has a quarter of a million.
"""

from thruline.harnesses.claude_code.reader.keys import Marks, find, merge, pack, parse_numbers
from thruline.harnesses.claude_code.reader.originals import Originals
from thruline.harnesses.claude_code.reader.sides import Sides
from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import copy_value, value_of
from thruline.harnesses.lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from thruline.harnesses.claude_code.reader.keys import Segment

# Plain fields that a checkpoint carries as they are.
_CARRIED = (
    "agents",
    "branch",
    "cwd",
    "delivered",
    "expected",
    "left",
    "mode",
    "model",
    "named",
    "parent",
    "prompts",
    "queue",
    "session_id",
    "tasks",
    "tip",
    "title",
    "turns",
    "usage",
    "version",
    "wall",
)

# As many records as a dict may hold; more are packed, at a tenth of the memory.
_MOST_LINES = 1 << 16


class OpenCall:
    """A call whose result has not come yet."""

    __slots__ = ("action", "extra", "line", "name", "path", "target")

    def __init__(self, line: int, name: str, action: str, target: str, path: str, extra: "Any" = None) -> None:
        self.line = line
        self.name = name
        self.action = action
        self.target = target
        self.path = path
        self.extra = extra


class State:
    """Everything the reader carries from one record to the next."""

    __slots__ = (
        *_CARRIED,
        "calls",
        "counts",
        "inside",
        "known",
        "lines",
        "marks",
        "originals",
        "path",
        "problems",
        "seen",
        "sides",
        "source",
        "tokens",
        "used",
        "value",
    )

    def __init__(self, path: str, source: str, *, inside: bool, tokens: bool = True) -> None:
        self.path = path
        self.source = source
        self.tokens = tokens  # whether anybody asks what answers cost
        self.inside = inside  # a subagent's own file: its records say "sidechain", but here they are the session
        self.counts: dict[str, int] = {}
        self.problems: list[Any] = []
        self.value: Callable[[Any], Any] = value_of
        self.seen: Any = ()  # keys of records that another file of the session already gave
        self.marks: Marks | None = None  # of the packed ones, where there are many
        self.originals = Originals(Lines(path))
        self.lines: dict[str, int] = {}  # id of a record -> its line
        self.known: list[Segment] = []  # the same of many and of earlier readings, packed, by key
        self.calls: dict[str, OpenCall] = {}
        self.sides = Sides()
        # Facts told on change
        self.session_id = self.cwd = self.branch = self.version = self.model = self.mode = self.title = self.parent = ""
        self.named = False  # the person gave the title; one that the client makes up does not replace it
        # Prompts as lineage sees them: [line, key, key of the parent, digest, time]
        self.prompts: list[list[Any]] = []
        # Branches
        self.tip = 0  # line of the last record of the conversation
        self.wall = 0  # line of the last compaction: nothing before it can be gone back to with certainty
        self.turns: list[int] = []  # lines of the prompts on the active branch since then
        self.left: list[list[int]] = []  # lines left behind: [first, last]
        # Queued prompts: [line, time, text]
        self.queue: list[list[Any]] = []
        self.expected: list[list[Any]] = []  # taken from the queue; the user record should follow
        self.delivered: list[int] = []  # digests of the last ones told
        # Tokens of the answer that is being written: [id, line, uuid, time, model, input, output, context]
        self.usage: list[Any] = []
        self.used: dict[str, None] = {}  # ids of the last answers told, the oldest first
        self.tasks: dict[str, list[str]] = {}
        self.agents: dict[str, list[Any]] = {}  # id of a running background subagent -> the start of its Delegated

    def count(self, what: str) -> None:
        """One more of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def line_of(self, uuid: str) -> int:
        """The line of a record that was read, now or by an earlier reading; 0 for one that was not."""
        line = self.lines.get(uuid, 0)
        if line or not self.known:
            return line
        key = key_of(uuid)
        return find(self.known, key) if self.marks is None or self.marks.may_have(key) else 0

    def is_known(self, uuid: str) -> bool:
        """Whether a record was read, here or from another file of the session."""
        return self.line_of(uuid) > 0 or (bool(self.seen) and key_of(uuid) in self.seen)

    def is_told(self, uuid: str, line: int) -> bool:
        """Whether the record of this id that another file gave says what the one at `line` says."""
        from thruline.harnesses.elsewhere import Elsewhere  # here: only a session of several files needs it

        if not isinstance(self.seen, Elsewhere):
            return True  # nothing is known of it but its id
        originals = self.originals
        return self.seen.find(key_of(uuid), originals.size_of(line), lambda raw: originals.is_copy(uuid, raw, line))

    def note(self, uuid: str, line: int) -> None:
        """Remembers a record that was read."""
        self.lines[uuid] = line
        if len(self.lines) >= _MOST_LINES:
            self.pack_lines()

    def pack_lines(self) -> None:
        """Keeps what is known of the records at a tenth of the memory, where they are many."""
        if len(self.lines) >= _MOST_LINES:
            packed = self._pack()
            if self.marks is None:
                self.marks = Marks(self.known)
            self.marks.add(packed[0])
            self.known.append(packed)
            self.lines = {}

    def _pack(self) -> "Segment":
        return pack({key_of(uuid): line for uuid, line in self.lines.items()})

    def build_lines(self) -> "dict[int, int]":
        """Every record read so far, key -> line, in file order."""
        found: dict[int, int] = {}
        for keys, lines in [*self.known, self._pack()]:
            for line, key in sorted(zip(lines, keys, strict=True)):
                found[key] = line
        return found

    def spread(self) -> None:
        """Makes many look-ups among the records of earlier readings quick."""
        self.marks = Marks(self.known)

    def copy(self) -> "State":
        """A state to try something on; only what is read, not changed, is shared with this one."""
        made = State(self.path, self.source, inside=self.inside)
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        for name in _CARRIED:
            setattr(made, name, copy_value(getattr(self, name)))
        made.counts = dict(self.counts)
        made.calls = dict(self.calls)
        made.used = dict(self.used)
        made.sides = Sides.from_lists(self.sides.to_lists())
        return made

    def to_dict(self) -> "dict[str, Any]":
        """A plain value that JSON can hold."""
        kept: dict[str, Any] = {name: copy_value(getattr(self, name)) for name in _CARRIED}
        kept["counts"] = dict(self.counts)
        kept["used"] = list(self.used)
        kept["calls"] = {
            call_id: [call.line, call.name, call.action, call.target, call.path, call.extra]
            for call_id, call in self.calls.items()
        }
        kept["known"] = [[keys.hex(), lines.hex()] for keys, lines in merge([*self.known, self._pack()])]
        kept["sides"] = self.sides.to_lists()
        return kept

    def take_dict(self, kept: "dict[str, Any]") -> None:
        """Goes on where `to_dict` left off."""
        for name in _CARRIED:
            setattr(self, name, copy_value(kept[name]))
        self.counts = dict(kept["counts"])
        self.used = dict.fromkeys(kept["used"])
        self.calls = {call_id: OpenCall(*call) for call_id, call in kept["calls"].items()}
        self.lines = {}
        self.known = [(parse_numbers("Q", keys), parse_numbers("I", lines)) for keys, lines in kept["known"]]
        self.sides = Sides.from_lists(kept["sides"])
