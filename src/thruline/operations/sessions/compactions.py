"""What each compaction of a session kept and lost, by its own transcript."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass

from thruline.brief.kept.loss import find_lost
from thruline.brief.kept.remember import Fact, find_facts
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.session import parts
from thruline.signals.miner import SignalMiner


@dataclass(frozen=True, slots=True)
class Compaction:
    """One compaction: where its summary stands, how long that is, and what of the talk before it goes on.

    What a client carries over as it was counts as kept, like what the summary says.
    """

    line: int
    time: str
    trigger: str
    tokens_before: int | None
    tokens_after: int | None
    summary_characters: int
    kept: tuple[Fact, ...]
    lost: tuple[Fact, ...]


def find_compactions(located: Located, *, progress: Callable[[int], None] = lambda line: None) -> list[Compaction]:
    """The compactions of the session, oldest first; one whose summary is not in the transcript is passed over.

    `progress` hears how far the reading is, at every text and every compaction.
    """
    found: list[Compaction] = []
    talk = _Talk()
    last: parts.Compacted | None = None
    before: list[Fact] | None = None
    for part in Reading(located):
        if type(part) is parts.Compacted and not part.source:
            last, before = part, talk.find_facts()
        elif type(part) is parts.Said and part.by == "client" and part.kind == "summary" and not part.source:
            facts = talk.find_facts() if before is None else before
            found.append(_build(part, last, facts))
            last, before = None, None
            progress(part.line)
        elif type(part) is parts.Said:
            progress(part.line)
        talk.see(part)
    return found


def find_session_facts(located: Located) -> list[Fact]:
    """What of the whole session, as far as it is written, a summary must not lose."""
    talk = _Talk()
    for part in Reading(located):
        talk.see(part)
    return talk.find_facts()


def _build(summary: parts.Said, last: parts.Compacted | None, facts: list[Fact]) -> Compaction:
    kept, lost = find_lost(facts, f"{summary.text}\n{last.retained if last else ''}")
    return Compaction(
        summary.line,
        summary.time or (last.time if last else ""),
        last.trigger if last else "",
        last.tokens_before if last else None,
        last.tokens_after if last else None,
        len(summary.text),
        tuple(kept),
        tuple(lost),
    )


class _Talk:
    """What was said and done so far; it can be asked for its facts at any moment, and goes on."""

    def __init__(self) -> None:
        self._miner = SignalMiner()
        self._said: list[tuple[str, int]] = []
        self._tasks: tuple[tuple[str, str], ...] = ()

    def see(self, part: parts.Part) -> None:
        if type(part) is parts.Said and part.by == "human" and not part.source:
            self._said.append((part.text, part.line))
        elif type(part) is parts.Tasks and not part.source:
            self._tasks = part.items
        self._miner.see(part)

    def find_facts(self) -> list[Fact]:
        # Finishing ends a miner, and this one goes on; a copy by pickle is the quickest there is.
        copy: SignalMiner = pickle.loads(pickle.dumps(self._miner, 5))  # noqa: S301 - our own bytes of a moment ago
        return find_facts(copy.finish(), self._said, self._tasks)
