"""A session in one screen: what it was about, how it stands, what it touched."""

from dataclasses import dataclass

from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.session.ledger import Ledger
from thruline.session.parts import Problem
from thruline.session.summary import Summary


@dataclass(frozen=True, slots=True)
class SessionView:
    """Everything a person or a later room asks about a session first."""

    located: Located
    summary: Summary
    ledger: Ledger
    problems: tuple[Problem, ...]
    counts: dict[str, int]


def show_session(located: Located) -> SessionView:
    """Reads the session once and folds what it tells."""
    summary, ledger = Summary(), Ledger()
    reading = Reading(located)
    for found in reading.blocks():
        summary.see_all(found)
        ledger.see_all(found)
    return SessionView(located, summary, ledger, tuple(reading.problems), reading.counts)
