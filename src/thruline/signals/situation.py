"""A human message in its situation: what the agent had just said and done, and what it answered.

People correct politely; the words alone do not tell. So a message waits until the agent's answer has been seen.
"""

from thruline.session import parts
from thruline.value import dataclass, field

# How much around a message is kept: the last steps before it, the first and the last steps of the answer.
BEFORE, ANSWER_HEAD, ANSWER_TAIL = 5, 4, 5
LONGEST_TEXT = 3000


@dataclass(slots=True)
class Step:
    """One thing the agent did: said a text (`action` is `text`) or called a tool (`text` is the call's target).

    Not frozen: thousands are made, and a frozen one takes twice as long.
    """

    action: str
    text: str
    paths: tuple[str, ...] = ()
    line: int = 0


@dataclass(slots=True)
class Situation:
    """A message, before and after. `answered` is false where the answer's beginning is not known."""

    said: parts.Said
    before: tuple[Step, ...] = ()
    earlier: str = ""
    interrupted: bool = False
    refused: Step | None = None
    first: bool = False
    head: list[Step] = field(default_factory=list)
    tail: list[Step] = field(default_factory=list)
    answered: bool = True

    def answer(self, step: Step) -> None:
        """Takes in one step of the agent's answer."""
        if len(self.head) < ANSWER_HEAD:
            self.head.append(step)
        else:
            self.tail.append(step)
            if len(self.tail) > ANSWER_TAIL:
                del self.tail[0]

    @property
    def after(self) -> list[Step]:
        """What is known of the answer."""
        return self.head + self.tail


class SituationBuilder:
    """Takes the session's parts; `see` returns a situation whose answer is complete, else None."""

    __slots__ = ("_before", "_calls", "_earlier", "_interrupted", "_pending", "_started")

    def __init__(self) -> None:
        self._before: list[Step] = []
        self._calls: dict[str, Step] = {}
        self._earlier = ""
        self._interrupted = False
        self._pending: Situation | None = None
        self._started = False

    def see(self, part: parts.Part) -> Situation | None:
        """The situation that `part` completes: the next person's message ends the answer to the last one."""
        kind = type(part)
        if kind is parts.Said:
            return self._said(part)  # type: ignore[arg-type]
        if kind is parts.Call:
            self._call(part)  # type: ignore[arg-type]
        elif kind is parts.Planned and part.text:  # type: ignore[attr-defined]
            self._add(Step("plan", part.text[:LONGEST_TEXT], (), part.line))  # type: ignore[attr-defined]
        elif kind is parts.Result and part.outcome == parts.INTERRUPTED:  # type: ignore[attr-defined]
            self._interrupted = True
        return None

    def finish(self) -> Situation | None:
        """The last situation, its answer as far as it came."""
        done, self._pending = self._pending, None
        return done

    def _said(self, part: parts.Said) -> Situation | None:
        if part.source:
            return None
        if part.by == "agent":
            if part.text.strip():
                self._add(Step("text", part.text[:LONGEST_TEXT], (), part.line))
            return None
        if part.by == "client":
            if part.kind == "interrupt":
                self._interrupted = True
            return None
        done = self._pending
        refused = self._calls.get(part.call_id) if part.kind == "rejection" else None
        self._pending = Situation(
            part, tuple(self._before), self._earlier, self._interrupted, refused, first=not self._started
        )
        self._earlier = part.text[:LONGEST_TEXT]
        self._before.clear()
        self._calls.clear()
        self._interrupted = False
        return done

    def _call(self, part: parts.Call) -> None:
        if part.source:
            return
        step = Step(part.action, part.target, part.paths, part.line)
        self._calls[part.call_id] = step
        self._add(step)

    def _add(self, step: Step) -> None:
        self._started = True
        self._before.append(step)
        if len(self._before) > BEFORE:
            del self._before[0]
        if self._pending is not None:
            self._pending.answer(step)


def describe(step: Step | None) -> str:
    """A step in a few words, to say what a message is about."""
    return "" if step is None else f"{step.action} {step.text}".strip()
