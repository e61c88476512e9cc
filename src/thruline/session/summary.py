"""A session in a few facts: what a list shows, and where every later room begins."""

from thruline.session import parts
from thruline.session.identity import Identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

# How a session stands at its end, from the last thing that happened in it.
EMPTY, ANSWERED, UNANSWERED, MID_TURN, INTERRUPTED = "empty", "answered", "unanswered", "mid-turn", "interrupted"


class Summary(Identity):
    """Give it each part with `see`; plain fields, so that it can be kept in an index."""

    __slots__ = (
        "agent_texts",
        "branch",
        "calls",
        "compactions",
        "context",
        "errors",
        "first_prompt",
        "first_time",
        "folders",
        "humans",
        "last_time",
        "models",
        "output_tokens",
        "parent",
        "plan",
        "refusals",
        "rewinds",
        "starter",
        "state",
        "subagents",
        "tasks",
        "title",
        "versions",
        "window",
    )

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.first_prompt = ""
        self.branch = ""
        self.parent = ""
        self.starter = ""
        self.folders: list[str] = []
        self.models: list[str] = []
        self.versions: list[str] = []
        self.first_time = ""
        self.last_time = ""
        self.humans: dict[str, int] = {}
        self.agent_texts = 0
        self.calls = 0
        self.errors = 0
        self.refusals = 0
        self.compactions = 0
        self.rewinds = 0
        self.subagents = 0
        self.output_tokens = 0
        self.context = 0
        self.window = 0
        self.tasks: list[tuple[str, str]] = []
        self.plan = ""
        self.state = EMPTY

    def to_fields(self) -> "dict[str, Any]":
        """Everything it knows, as JSON can hold it."""
        return {name: getattr(self, name) for name in _FIELDS}

    @classmethod
    def from_fields(cls, fields: "dict[str, Any]") -> "Summary":
        """The summary that `to_fields` was asked of, to go on from there. Its lists are its own."""
        made = cls()
        for name in _FIELDS:
            if name in fields:
                value = fields[name]
                setattr(made, name, value.copy() if isinstance(value, list | dict) else value)
        return made

    @property
    def turns(self) -> int:
        return self.humans.get("turn", 0) + self.humans.get("queued", 0)

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        self.see_all((part,))

    def see_all(self, found: "Collection[parts.Part]") -> None:
        """Takes parts in, one after another."""
        super().see_all(found)
        last_time = self.last_time
        for part in found:
            if part.time:
                last_time = part.time
                if not self.first_time:
                    self.first_time = last_time
            take = _TAKERS.get(type(part))
            if take is not None:
                take(self, part)
        self.last_time = last_time

    def _said(self, part: parts.Said) -> None:
        if part.by == "human":
            self.humans[part.kind] = self.humans.get(part.kind, 0) + 1
            if not self.first_prompt and part.kind == "turn":
                self.first_prompt = " ".join(part.text[:400].split())[:120]
            self.state = UNANSWERED
        elif part.by == "agent":
            self.agent_texts += 1
            self.state = ANSWERED
        elif part.kind == "interrupt":
            self.state = INTERRUPTED

    def _call(self, part: parts.Call) -> None:
        self.calls += 1
        self.state = MID_TURN

    def _result(self, part: parts.Result) -> None:
        self.state = INTERRUPTED if part.outcome == parts.INTERRUPTED else MID_TURN
        if part.outcome == parts.ERROR:
            self.errors += 1
        elif part.outcome == parts.REFUSED:
            self.refusals += 1

    def _compacted(self, part: parts.Compacted) -> None:
        self.compactions += 1

    def _rewound(self, part: parts.Rewound) -> None:
        self.rewinds += 1

    def _delegated(self, part: parts.Delegated) -> None:
        self.subagents += 1

    def _tasks(self, part: parts.Tasks) -> None:
        self.tasks = list(part.items)

    def _planned(self, part: parts.Planned) -> None:
        if part.verdict != "refused" and part.text:
            self.plan = part.text

    def _used(self, part: parts.Used) -> None:
        self.output_tokens += part.output_tokens
        self.context = part.context
        self.window = part.window or self.window
        if part.model and part.model not in self.models:
            self.models.append(part.model)

    def _changed(self, part: parts.Changed) -> None:
        if part.name == "version":
            if part.value not in self.versions:
                self.versions.append(part.value)
        elif part.name == "folder":
            if part.value not in self.folders:
                self.folders.append(part.value)
        elif part.name == "model":
            if part.value not in self.models:
                self.models.append(part.value)
        elif part.name in ("title", "branch", "parent", "starter"):
            setattr(self, part.name, part.value)


_FIELDS = (*Identity.__slots__, *Summary.__slots__)

_TAKERS: "dict[type[parts.Part], Callable[[Summary, Any], None]]" = {
    parts.Said: Summary._said,
    parts.Call: Summary._call,
    parts.Result: Summary._result,
    parts.Compacted: Summary._compacted,
    parts.Rewound: Summary._rewound,
    parts.Delegated: Summary._delegated,
    parts.Tasks: Summary._tasks,
    parts.Planned: Summary._planned,
    parts.Used: Summary._used,
    parts.Changed: Summary._changed,
}
