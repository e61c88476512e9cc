"""Who can be asked: the shape of every engine that answers with a model, and of what it answers."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from thruline.errors import UsageError
from thruline.extract.question import Question

# What stands before the colon of an engine's name, and the module that opens it; `rules` and `agent` ask nobody here.
MODULES = {"command": "thruline.engines.command", "api": "thruline.engines.api"}


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost. `dollars` is None where nobody can say; `exact` is false where tokens are an estimate."""

    read: int = 0
    written: int = 0
    cached: int = 0
    dollars: float | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: `text`, or in `problem` why nothing did. A failed answer may have cost something too.

    `after` is in how many seconds a server that was too busy wants to be asked again; None where it was not that.
    """

    text: str
    model: str
    usage: Usage = Usage()
    problem: str = ""
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What an engine is told beside the question: the user's settings. `base_url` is that of a local server.

    `keys` are by provider: a key goes to the one it was given for, and to nobody else.
    """

    timeout: float = 300.0
    model: str = ""
    base_url: str = ""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)


class Asker(Protocol):
    """An opened engine. Several threads ask at once; `stop` being set ends a running question soon."""

    name: str
    model: str
    priced: bool  # whether an answer may say what it cost in money

    def ask(self, question: Question, stop: threading.Event) -> Answer:
        """One answer; never raises for what a model, a network or a foreign program did."""
        ...


def parse_engine(text: str) -> tuple[str, str]:
    """Kind and rest of an engine's name: `rules`, `agent`, `command:<harness>`, `api:<model>`."""
    kind, _, rest = text.partition(":")
    if kind in ("rules", "agent") and not rest:
        return kind, ""
    if kind in MODULES and rest:
        return kind, rest
    raise UsageError(
        f'There is no engine "{text}".', where="--engine", next="rules, agent, command:<harness> or api:<model>"
    )
