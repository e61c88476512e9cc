"""What the reader must remember between two records, and between two readings of a file that grew.

Nothing here holds a payload. Ids are kept as 64-bit numbers: a session of a gigabyte has a quarter of a million.
"""

from itertools import islice
from zlib import crc32

from thruline.harnesses.jsonl import value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    Code = Literal["Q", "I"]

_POSITIVE = (1 << 63) - 1

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
    "used",
    "version",
    "wall",
)


def key_of(uuid: str) -> int:
    """A record's id as a number under 64 bits; the same for the same text in every process."""
    try:
        # Unlike that of a text, the hash of a number is not salted: it is the number modulo a prime near 2**61.
        return hash(int(uuid.replace("-", ""), 16)) & _POSITIVE
    except ValueError:
        raw = uuid.encode("utf-8", "replace")
        return (crc32(raw) << 32 | crc32(raw, 0x9E3779B9)) & _POSITIVE


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


class Side:
    """The records of one subagent that stand in the main file, between the call that started it and its result."""

    __slots__ = ("agent_id", "first", "last", "outcome", "prompt", "task", "time", "uuid")

    def __init__(
        self,
        first: int,
        uuid: str,
        time: str,
        agent_id: str,
        prompt: int,
        task: str,
        last: int = 0,
        outcome: str = "",
    ) -> None:
        self.first = first
        self.uuid = uuid
        self.time = time
        self.agent_id = agent_id
        self.prompt = prompt  # digest of the task it was given
        self.task = task
        self.last = last or first
        self.outcome = outcome

    def to_list(self) -> "list[Any]":
        """The arguments that make the same again."""
        return [self.first, self.uuid, self.time, self.agent_id, self.prompt, self.task, self.last, self.outcome]


class State:
    """Everything the reader carries from one record to the next."""

    __slots__ = (
        *_CARRIED,
        "calls",
        "counts",
        "inside",
        "lines",
        "packed",
        "path",
        "problems",
        "seen",
        "sides",
        "source",
        "value",
    )

    def __init__(self, path: str, source: str, *, inside: bool) -> None:
        self.path = path
        self.source = source
        self.inside = inside  # a subagent's own file: its records say "sidechain", but here they are the session
        self.counts: dict[str, int] = {}
        self.problems: list[Any] = []
        self.value: Callable[[Any], Any] = value_of
        self.seen: Any = ()  # keys of records that another file of the session already gave
        self.lines: dict[int, int] = {}  # key of a record -> its line, in file order
        self.packed = (0, "", "")  # how many of `lines` the last checkpoint held, and as what
        self.calls: dict[str, OpenCall] = {}
        self.sides: dict[int, Side] = {}  # key of an inline subagent's record -> its Side
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
        self.used: list[str] = []  # ids of the last answers told
        self.tasks: dict[str, list[str]] = {}
        self.agents: dict[str, list[Any]] = {}  # id of a running background subagent -> the start of its Delegated

    def count(self, what: str) -> None:
        """One more of `what`."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def to_dict(self) -> "dict[str, Any]":
        """A plain value that JSON can hold."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in _CARRIED}
        kept["counts"] = dict(self.counts)
        kept["calls"] = {
            call_id: [call.line, call.name, call.action, call.target, call.path, call.extra]
            for call_id, call in self.calls.items()
        }
        known, keys, lines = self.packed
        kept["known"] = len(self.lines)
        kept["keys"] = keys + _pack("Q", list(islice(self.lines, known, None)))
        kept["lines"] = lines + _pack("I", list(islice(self.lines.values(), known, None)))
        sides = list(dict.fromkeys(self.sides.values()))
        kept["sides"] = [side.to_list() for side in sides]
        kept["side_keys"] = [[key, sides.index(side)] for key, side in self.sides.items()]
        return kept

    def take_dict(self, kept: "dict[str, Any]") -> None:
        """Goes on where `to_dict` left off."""
        for name in _CARRIED:
            setattr(self, name, kept[name])
        self.counts = dict(kept["counts"])
        self.calls = {call_id: OpenCall(*call) for call_id, call in kept["calls"].items()}
        self.lines = dict(zip(_unpack("Q", kept["keys"]), _unpack("I", kept["lines"]), strict=True))
        self.packed = (kept["known"], kept["keys"], kept["lines"])
        sides = [Side(*side) for side in kept["sides"]]
        self.sides = {key: sides[at] for key, at in kept["side_keys"]}


def _pack(code: "Code", numbers: "list[int]") -> str:
    # A list of numbers as one text: a JSON list of 25,000 ids costs more to read than the records that were added.
    raw = bytearray(len(numbers) * (8 if code == "Q" else 4))
    if numbers:
        view = memoryview(raw).cast(code)
        for at, number in enumerate(numbers):
            view[at] = number
    return raw.hex()


def _unpack(code: "Code", text: str) -> "list[int]":
    return memoryview(bytes.fromhex(text)).cast(code).tolist() if text else []
