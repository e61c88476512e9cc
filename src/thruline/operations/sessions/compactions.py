"""What each compaction of a session kept and lost, by its own transcript."""

import pickle
from dataclasses import dataclass

from thruline.brief.loss import find_lost
from thruline.brief.remember import Fact, find_facts
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


def find_compactions(located: Located) -> list[Compaction]:
    """The compactions of the session, oldest first; one whose summary is not in the transcript is passed over."""
    found: list[Compaction] = []
    miner = SignalMiner()
    said: list[tuple[str, int]] = []
    tasks: tuple[tuple[str, str], ...] = ()
    last: parts.Compacted | None = None
    before: list[Fact] | None = None
    for part in Reading(located):
        if type(part) is parts.Compacted and not part.source:
            last, before = part, _find_facts(miner, said, tasks)
        elif type(part) is parts.Said and part.by == "client" and part.kind == "summary" and not part.source:
            facts = _find_facts(miner, said, tasks) if before is None else before
            kept, lost = find_lost(facts, f"{part.text}\n{last.retained if last else ''}")
            found.append(
                Compaction(
                    part.line,
                    part.time or (last.time if last else ""),
                    last.trigger if last else "",
                    last.tokens_before if last else None,
                    last.tokens_after if last else None,
                    len(part.text),
                    tuple(kept),
                    tuple(lost),
                )
            )
            last, before = None, None
        elif type(part) is parts.Said and part.by == "human" and not part.source:
            said.append((part.text, part.line))
        elif type(part) is parts.Tasks and not part.source:
            tasks = part.items
        miner.see(part)
    return found


def find_session_facts(located: Located) -> list[Fact]:
    """What of the whole session, as far as it is written, a summary must not lose."""
    miner = SignalMiner()
    said: list[tuple[str, int]] = []
    tasks: tuple[tuple[str, str], ...] = ()
    for part in Reading(located):
        if type(part) is parts.Said and part.by == "human" and not part.source:
            said.append((part.text, part.line))
        elif type(part) is parts.Tasks and not part.source:
            tasks = part.items
        miner.see(part)
    return find_facts(miner.finish(), said, tasks)


def _find_facts(miner: SignalMiner, said: list[tuple[str, int]], tasks: tuple[tuple[str, str], ...]) -> list[Fact]:
    # Finishing ends a miner, and this one goes on; a copy by pickle is the quickest there is.
    copy: SignalMiner = pickle.loads(pickle.dumps(miner, 5))  # noqa: S301 - our own bytes of a moment ago
    return find_facts(copy.finish(), said, tasks)
