"""Which earlier sessions the next one is told about, and under which id that is remembered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_OTHERS = 5
_KIND = "resume"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A session that no later one was told about, as far as its `turns` go.

    `ended` tells that it is over; else its client (`pid`, of `born`) may still run, and then nobody else hears of it.
    `handoff` is the path of its brief, "" where none was written yet.
    """

    harness: str
    session: str
    turns: int
    at: str
    ended: bool
    pid: int = 0
    born: int = 0
    title: str = ""
    branch: str = ""
    handoff: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The session that is told in full, and those that are named with the path of their brief."""

    full: Waiting
    others: tuple[Waiting, ...] = ()


def choose(waiting: Iterable[Waiting]) -> Choice | None:
    """The newest that ended, and a line for each older one; where none ended, the newest that still runs, alone.

    What runs comes second: its client may go on for days, and what ended must not wait for that.
    """
    newest = sorted(waiting, key=lambda one: (one.at, one.session), reverse=True)
    ended = [one for one in newest if one.ended]
    if ended:
        return Choice(ended[0], tuple(one for one in ended[1:] if one.handoff))
    return Choice(newest[0]) if newest else None


def build_id(choice: Choice) -> str:
    """What the told text is known by: each session in it, and how far it had come."""
    told = (choice.full, *choice.others)
    return " ".join([_KIND, *(f"{one.harness}:{one.session}:{one.turns}" for one in told)])


def parse_id(text: str) -> Sequence[tuple[str, str, int]]:
    """(harness, session, turns) of every session that a told text was about; none where it was no such text."""
    kind, *words = text.split(" ")
    found = []
    for word in words if kind == _KIND else ():
        harness, _, rest = word.partition(":")
        session, _, turns = rest.rpartition(":")
        if turns.isdigit():
            found.append((harness, session, int(turns)))
    return found
