"""What the rules need of a session, kept while its parts pass by: words, refusals, failures, plans, tasks."""

import re
from collections.abc import Callable, Iterable

from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.pickup_prompt import split_prompt
from thruline.value import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Words held of one agent's text and of all of them; the longest sessions say far more than a brief can weigh.
LONGEST_TEXT = 12_000
MOST_TEXT = 4_000_000
# Of what was thought, and of what subagents came back with, the newest: a bonus, never a source to rely on.
MOST_THOUGHT, MOST_REPORTS = 40_000, 40
THOUGHT, REPORT = "thought", "report"
# A look, and what a command led into a file: nobody knows whether that is work.
_NO_EDIT = ("read", "written")


@dataclass(slots=True)
class Message:
    """Somebody's words and where they stand in the talk.

    `final` is true of an agent's text after which nothing was done before the next person spoke. `turn` counts the
    person's messages so far. `about` is the call that was refused or the question that was answered.
    """

    by: str
    kind: str
    text: str
    line: int
    uuid: str
    source: str
    turn: int
    final: bool = False
    about: str = ""
    commits: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that ended badly: `refused`, `error` or `interrupted`."""

    name: str
    action: str
    target: str
    outcome: str
    text: str
    line: int
    source: str
    turn: int
    uuid: str = ""


@dataclass(slots=True)
class Material:
    """The fold. Give it each part with `see`, then `finish`."""

    messages: list[Message] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    plans: list[parts.Planned] = field(default_factory=list)
    asked: list[parts.Asked] = field(default_factory=list)
    summaries: list[parts.Said] = field(default_factory=list)
    # What a person gave to a slash command, and plans that the client handed over: requests in the client's name.
    handed: list[parts.Said] = field(default_factory=list)
    rewinds: list[parts.Rewound] = field(default_factory=list)
    delegations: list[parts.Delegated] = field(default_factory=list)
    thoughts: list[Message] = field(default_factory=list)
    reports: list[Message] = field(default_factory=list)
    # Where each file was changed: its lines and paths, in order.
    edits: list[tuple[int, str]] = field(default_factory=list)
    tasks: parts.Tasks | None = None
    title: parts.Changed | None = None
    pulls: list[parts.Changed] = field(default_factory=list)
    # The branches that it was on, each with the line from which on.
    branches: list[tuple[int, str]] = field(default_factory=list)
    # The packet that the session was begun with, and the line of its prompt.
    continued: tuple[str, int] = ("", 0)
    turns: int = 0
    last_line: int = 0
    # What people said since the agent last said or did anything.
    unheard: list[Message] = field(default_factory=list)
    _calls: dict[str, parts.Call] = field(default_factory=dict)
    _last: Message | None = None
    _finished: dict[str, list[Message]] = field(default_factory=dict)
    _held: int = 0
    _thought_size: int = 0

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        self.see_all((part,))

    def see_all(self, found: Iterable[parts.Part]) -> None:
        """Takes parts in, one after another."""
        last_line = self.last_line
        for part in found:
            take = _TAKERS.get(type(part))
            if take is not None:
                take(self, part)
            if part.line > last_line and not part.source:
                last_line = part.line
        self.last_line = last_line

    def finish(self) -> None:
        """What was said last is final too."""
        self._settle()
        self._finished = {by: self._find_by(by) for by in ("human", "agent")}

    def humans(self) -> list[Message]:
        """What people said."""
        return self._find_by("human")

    def agents(self) -> list[Message]:
        """What the agent said."""
        return self._find_by("agent")

    def _find_by(self, by: str) -> list[Message]:
        known = self._finished.get(by)  # twenty rules ask, and a long session has thousands of messages
        return [message for message in self.messages if message.by == by] if known is None else known

    def is_left_behind(self, message: Message) -> bool:
        """Whether the user went back on it: it belongs to a way that was left, and the talk goes on without it."""
        return any(one.first <= message.line <= one.last and one.source == message.source for one in self.rewinds)

    def summarised(self) -> list[Message]:
        """The client's last summary, for a session in which the agent says nothing else."""
        return [self._read_summary(part) for part in self.summaries[-1:]]

    def begins_with_summary(self) -> bool:
        """Whether it goes on with a session whose own transcript is another one."""
        return bool(self.summaries) and all(message.line > self.summaries[0].line for message in self.messages[:1])

    def _read_summary(self, part: parts.Said) -> Message:
        return Message(
            "client", part.kind, _find_body(part.text), part.line, part.uuid, part.source, self.turns, final=True
        )

    def _settle(self) -> None:
        if self._last is not None:
            self._last.final = True
            self._last = None

    def _said(self, part: parts.Said) -> None:
        if part.by == "client":
            if part.kind == "summary":
                self.summaries.append(part)
            elif (part.kind == "command" and part.about.strip()) or part.kind == "plan":
                self.handed.append(part)
            return
        if not part.text.strip() or (part.by == "agent" and part.source):
            return
        text = part.text
        if part.by == "human":
            self._settle()
            self.turns += 1
            packet_id, text = split_prompt(text)
            if packet_id:
                self.continued = (packet_id, part.line)
            if not text:
                return
        elif self._held > MOST_TEXT:
            self._forget_oldest()
        if part.by != "human":
            text = text[:LONGEST_TEXT]
        message = Message(part.by, part.kind, text, part.line, part.uuid, part.source, self.turns, about=part.about)
        self.messages.append(message)
        if part.by == "human":
            self.unheard.append(message)
        elif part.by == "agent":
            self.unheard.clear()
            self._last = message
            self._held += len(text)

    def _forget_oldest(self) -> None:
        # What was said on the way, long ago, is the least needed; how turns ended and what people said stays.
        kept = []
        for at, message in enumerate(self.messages):
            if message.by == "agent" and not message.final and at * 2 < len(self.messages):
                self._held -= len(message.text)
            else:
                kept.append(message)
        self.messages = kept
        self._held = min(self._held, MOST_TEXT // 2)

    def _call(self, part: parts.Call) -> None:
        self._last = None
        if not part.source:
            self.unheard.clear()
        self._calls[part.call_id] = part

    def _result(self, part: parts.Result) -> None:
        call = self._calls.pop(part.call_id, None)
        if part.changes and not part.source:
            self.edits += [(part.line, path) for path, how in part.changes if how not in _NO_EDIT]
        if part.outcome in (parts.ERROR, parts.REFUSED, parts.INTERRUPTED) and call is not None:
            self.failures.append(
                Failure(
                    call.name,
                    call.action,
                    call.target,
                    part.outcome,
                    part.text,
                    part.line,
                    part.source,
                    self.turns,
                    part.uuid,
                )
            )
        elif part.text and call is not None and call.action == "delegate" and not part.source:
            self.reports.append(self._note(part, REPORT))
            del self.reports[:-MOST_REPORTS]
        if part.commits:
            said = next((message for message in reversed(self.messages) if message.by == "agent"), None)
            if said is not None:
                said.commits += len(part.commits)

    def _note(self, part: parts.Result | parts.Thought, kind: str) -> Message:
        return Message("agent", kind, part.text[:LONGEST_TEXT], part.line, part.uuid, part.source, self.turns)

    def _thought(self, part: parts.Thought) -> None:
        if part.source or not part.text:
            return
        self.thoughts.append(self._note(part, THOUGHT))
        self._thought_size += len(self.thoughts[-1].text)
        while self._thought_size > MOST_THOUGHT and len(self.thoughts) > 1:
            self._thought_size -= len(self.thoughts.pop(0).text)

    def _changed(self, part: parts.Changed) -> None:
        if part.name == "title" and not part.source:
            self.title = part
        elif part.name == "pull" and not part.source:
            self.pulls.append(part)
        elif part.name == "branch" and not part.source:
            self.branches.append((part.line, part.value))

    def _planned(self, part: parts.Planned) -> None:
        self.plans.append(part)

    def _asked(self, part: parts.Asked) -> None:
        self.asked.append(part)

    def _tasks(self, part: parts.Tasks) -> None:
        if not part.source:
            self.tasks = part

    def _rewound(self, part: parts.Rewound) -> None:
        self.rewinds.append(part)

    def _delegated(self, part: parts.Delegated) -> None:
        self.delegations.append(part)


def _find_body(text: str) -> str:
    """A summary without what the client says around it, the same every time: its list of findings, if it has one.

    The last list counts: before it the model thinks aloud.
    """
    starts = [match.end() for match in _SUMMARY.finditer(text)]
    at = starts[-1] if starts else 0
    items = list(_ITEM.finditer(text, at))
    if not items:
        return text
    lines = text[items[0].start() :].split("\n")
    while lines and not _ITEM.match(lines[-1]) and not lines[-1].startswith((" ", "\t")):
        lines.pop()
    return "\n".join(lines)


# Where a summary begins behind what leads to it, and what a list or a heading begins with.
_SUMMARY = compile_later(r"^[ \t]*(?:<summary>|#*[ \t]*summary:?[ \t]*$)", re.IGNORECASE | re.MULTILINE)
_ITEM = compile_later(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)]|#{1,6})[ \t]+\S", re.MULTILINE)


_TAKERS: "dict[type[parts.Part], Callable[[Material, Any], None]]" = {
    parts.Said: Material._said,
    parts.Thought: Material._thought,
    parts.Call: Material._call,
    parts.Result: Material._result,
    parts.Changed: Material._changed,
    parts.Planned: Material._planned,
    parts.Asked: Material._asked,
    parts.Tasks: Material._tasks,
    parts.Rewound: Material._rewound,
    parts.Delegated: Material._delegated,
}
