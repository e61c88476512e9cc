"""What the reader remembers between records, and how that becomes a plain value for a checkpoint."""

from zlib import crc32

from thruline.harnesses.codex.reader.words import parse_json
from thruline.harnesses.jsonl import copy_value, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from thruline.harnesses.lines import Lines
    from thruline.session.parts import Part

MASK = (1 << 63) - 1
_REMEMBERED = 256

# Fields that a checkpoint carries as they are.
_CARRIED = (
    "agents",
    "base",
    "branch",
    "compacted",
    "context",
    "cwd",
    "done",
    "folders",
    "heard",
    "inside",
    "mode",
    "model",
    "nth",
    "parent",
    "plan",
    "prompts",
    "running",
    "runs",
    "searched",
    "session_id",
    "spoke",
    "starter",
    "thought",
    "thread_key",
    "title",
    "total",
    "turn_key",
    "turns",
    "version",
    "window",
)


def digest(text: str) -> int:
    """CRC-32 of a text."""
    return crc32(text.encode("utf-8", "replace"))


class OpenCall:
    """A call whose end has not come yet. `extra` is what must be known of it then."""

    __slots__ = ("action", "cwd", "extra", "line", "name", "target", "time", "uuid")

    def __init__(
        self, line: int, uuid: str, time: str, name: str, action: str, target: str, cwd: str, extra: "Any" = None
    ) -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.name = name
        self.action = action
        self.target = target
        self.cwd = cwd
        self.extra = extra

    def to_list(self) -> "list[Any]":
        """The arguments that make the same again."""
        return [self.line, self.uuid, self.time, self.name, self.action, self.target, self.cwd, self.extra]


class State:
    """Everything the reader carries from one record to the next, and where it is: line, uuid, time, size."""

    __slots__ = (
        *_CARRIED,
        "calls",
        "counts",
        "ended",
        "key",
        "line",
        "out",
        "own",
        "parse",
        "path",
        "problems",
        "seen",
        "size",
        "source",
        "time",
        "tokens",
        "until",
        "uuid",
        "value",
    )

    def __init__(self, path: str, source: str, until: int, *, tokens: bool = True) -> None:
        self.path = path
        self.source = source
        self.tokens = tokens  # whether anybody asks what answers cost
        self.until = until  # records from this ordinal on are another session's; 0 for none
        self.ended = False
        self.line = self.size = self.key = 0
        self.uuid = self.time = ""
        self.out: list[Part] = []
        self.counts: dict[str, int] = {}
        self.problems: list[Any] = []
        self.value: Callable[[Any], Any] = value_of
        self.parse: Callable[[Any], Any] = parse_json
        self.own: Lines | None = None  # what is being read
        self.seen: Any = ()  # keys of records that another file of the session already gave
        self.calls: dict[str, OpenCall] = {}
        # Facts told on change
        self.session_id = self.cwd = self.branch = self.version = self.model = self.mode = self.title = self.parent = ""
        self.starter = ""
        self.folders: list[str] = []
        self.base: list[Any] = []  # [thread, ordinal]: where the history before this file stands
        self.inside = False  # a subagent's own rollout: its prompts are another agent's
        # Keys: ordinals count from the thread; before there were ordinals, records are counted from their turn
        self.thread_key = self.turn_key = self.nth = 0
        # Both grow by one from line to line, so a file is a few runs: [key, line, how many]
        self.runs: list[list[int]] = []
        # Prompts as lineage sees them: [line, key, key of the record before, digest, time]
        self.prompts: list[list[Any]] = []
        self.turns: list[int] = []  # lines of the prompts that were not rolled back
        # The same words come in two forms; which form came last, and with which words
        self.heard: list[Any] = []  # [form, digest] of the last prompt
        self.spoke = self.thought = False  # told since the model's own record of it
        self.plan = ""  # proposed, and not yet answered
        # Ends of calls: the first account of one counts
        self.done: dict[str, int] = {}  # ids of the last calls that ended, oldest first
        self.running: dict[str, str] = {}  # number of a running process -> the call that started it
        self.searched = ""  # the last web search, which older versions tell twice
        # Tokens
        self.total = -1
        self.context = self.window = 0
        self.compacted = False  # a compaction was told; the event about it follows
        self.agents: dict[str, list[Any]] = {}  # id of a running subagent -> the start of its Delegated

    def count(self, what: str) -> None:
        """One more of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def pass_record(self, name: str, ordinal: int, line: int) -> bool:
        """Counts a record and notes its key; false where it is not to be told: a copy, or behind the end.

        `ordinal` is negative where the record has none.
        """
        counts = self.counts
        if ordinal >= 0:
            if ordinal >= self.until > 0:
                self.ended = True
                return False
            key = (self.thread_key + ordinal) & MASK
        else:
            self.nth += 1
            key = (self.turn_key + self.nth) & MASK
        try:
            counts[name] += 1
        except KeyError:
            counts[name] = 1
        self.key = key
        if key in self.seen and self._is_told(key, line):
            counts["copy"] = counts.get("copy", 0) + 1
            return False
        run = self.runs[-1] if self.runs else None
        if run is not None and key == run[0] + run[2] and line == run[1] + run[2]:
            run[2] += 1
        else:
            self.runs.append([key, line, 1])
        return True

    def _is_told(self, key: int, line: int) -> bool:
        # A thread that went on in two places has other records under the same ordinals; a copy is one to the byte.
        from thruline.harnesses.elsewhere import Elsewhere  # here: only a session of several files needs it

        if not isinstance(self.seen, Elsewhere) or self.own is None:
            return True
        own = self.own
        return self.seen.find(
            key, own.size_of(line), lambda raw: raw.rstrip() == (own.read_again(line) or b"").rstrip()
        )

    def build_lines(self) -> "dict[int, int]":
        """Key of a record -> its line, in file order; of two records with the same key the first."""
        lines: dict[int, int] = {}
        for key, line in self.find_records():
            lines.setdefault(key, line)
        return lines

    def find_records(self) -> "Iterator[tuple[int, int]]":
        """(key, line) of every record, in file order."""
        for key, line, number in self.runs:
            for at in range(number):
                yield key + at, line + at

    def finish(self, call_id: str) -> None:
        """Remembers that a call ended, so that a second account of its end is not told."""
        self.done[call_id] = 1
        if len(self.done) > _REMEMBERED:
            del self.done[next(iter(self.done))]

    def to_dict(self) -> "dict[str, Any]":
        """A plain value that JSON can hold."""
        kept: dict[str, Any] = {name: copy_value(getattr(self, name)) for name in _CARRIED}
        kept["counts"] = dict(self.counts)
        kept["calls"] = {call_id: call.to_list() for call_id, call in self.calls.items()}
        return kept

    def take_dict(self, kept: "dict[str, Any]") -> None:
        """Goes on where `to_dict` left off."""
        for name in _CARRIED:
            setattr(self, name, copy_value(kept[name]))
        self.counts = dict(kept["counts"])
        self.calls = {call_id: OpenCall(*call) for call_id, call in kept["calls"].items()}
