"""Around a compaction: what stood before it, what the summary shall keep, what it lost.

The snapshot is taken when the client announces a compaction; it is the list that the summary is held against, since by
the time we hear of that the session may have gone on. It is of the whole session: what an earlier summary lost was told
again, and the next one can lose it again.
"""

import json
import os
from dataclasses import asdict

from thruline.artifacts.lines import parse_row
from thruline.artifacts.pre_compact import FILE, MOST_FILES, PreCompact, render_pre_compact
from thruline.brief.loss import find_lost
from thruline.brief.remember import Fact, find_facts
from thruline.clock import read_clock, render_time
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.engines.rules import Facts
from thruline.errors import ThrulineError
from thruline.gitfacts import Status
from thruline.inject.remember import render_lost
from thruline.operations.work.place import Place
from thruline.operations.work.standing import count_changes
from thruline.operations.work.state import SessionState

_LARGEST = 8 << 20
_SNAPSHOT = "snapshot.json"


def build_facts(facts: Facts) -> list[Fact]:
    """What of a session a summary must not lose."""
    said = [(message.text, message.line) for message in facts.material.humans()]
    return find_facts(facts.signals, said, facts.summary.tasks)


def write_pre_compact(place: Place, session: SessionState, facts: Facts) -> None:
    """Leaves `pre-compact-state.json`: names only."""
    status = facts.git.status if isinstance(facts.git.status, Status) else None
    touched = sorted(facts.ledger.files.values(), key=lambda each: each.last, reverse=True)
    value = PreCompact(
        captured_at=render_time(read_clock()),
        branch=status.branch.name if status else facts.summary.branch,
        uncommitted_changes=count_changes(status, place.project.root) if status else 0,
        recent_files=tuple(each.path for each in touched[:MOST_FILES]),
        session_id=session.session,
        harness=session.harness,
    )
    write_bytes(place.check(os.path.join(place.project.logs, FILE)), render_pre_compact(value), mode=0o600)


def write_snapshot(place: Place, session: SessionState, found: list[Fact]) -> None:
    """Keeps the facts as they stand now."""
    data = json.dumps({"facts": [asdict(fact) for fact in found]}).encode("ascii") + b"\n"
    write_bytes(_build_path(place, session), data, mode=0o600)


def take_loss(session: SessionState, found: list[Fact], summary: str) -> None:
    """Notes what the summary lost, to be told."""
    session.lost = render_lost(find_lost(found, summary)[1], session.session[:8]) if summary else ""


def read_snapshot(place: Place, session: SessionState) -> list[Fact] | None:
    """The facts that were kept; None where there are none."""
    try:
        rows = parse_row(read_own(_build_path(place, session), _LARGEST)).get("facts")
        return [Fact(**row) for row in rows] if isinstance(rows, list) else None
    except (ThrulineError, TypeError):
        return None


def drop_snapshot(place: Place, session: SessionState) -> None:
    """Forgets the snapshot; the next compaction has its own."""
    remove_quietly(_build_path(place, session))


def _build_path(place: Place, session: SessionState) -> str:
    return place.build_kept(session.harness, session.session, _SNAPSHOT)
