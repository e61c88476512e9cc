"""Around a compaction: what stood before it, what the summary shall keep, what it lost.

The snapshot is taken when the client announces a compaction; it is the list that the summary is held against, since by
the time we hear of that the session may have gone on. It is of the whole session: what an earlier summary lost was told
again, and the next one can lose it again.
"""

import json
import math
import os
import time
from dataclasses import asdict
from typing import Any

from thruline.artifacts.lines import parse_row
from thruline.artifacts.pre_compact import FILE, MOST_FILES, PreCompact, render_pre_compact
from thruline.brief.kept.loss import find_lost
from thruline.brief.kept.remember import Fact, find_facts
from thruline.clock import parse_time, read_clock, render_time
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.engines.rules import Facts, GitState
from thruline.errors import ThrulineError
from thruline.gitfacts import Status
from thruline.inject.remember import render_lost
from thruline.operations.sessions.compactions import find_compactions, find_session_facts
from thruline.operations.sessions.locate import Located
from thruline.operations.work.place import Place
from thruline.operations.work.standing import find_changed
from thruline.operations.work.state import SessionState

_LARGEST = 8 << 20
_SNAPSHOT = "snapshot.json"
# A client that does not send the summary writes it at about the time it says that it is done.
_LOOKS, _PAUSE = 6, 0.2
_SLACK = 1.0


def build_facts(facts: Facts) -> list[Fact]:
    """What of a session a summary must not lose."""
    said = [(message.text, message.line) for message in facts.material.humans()]
    return find_facts(facts.signals, said, facts.summary.tasks)


def write_pre_compact(place: Place, session: SessionState, git: GitState, facts: Facts | None) -> None:
    """Leaves `pre-compact-state.json`, names only; without a transcript, by what git says alone."""
    status, root = git.status if isinstance(git.status, Status) else None, place.project.root
    changed = find_changed(status, root) if status else []
    touched = sorted(facts.ledger.files.values(), key=lambda each: each.last, reverse=True) if facts else []
    value = PreCompact(
        captured_at=render_time(read_clock()),
        branch=status.branch.name if status else facts.summary.branch if facts else "",
        uncommitted_changes=len(changed),
        recent_files=tuple([each.path for each in touched] or [os.path.join(root, path) for path in changed])[
            :MOST_FILES
        ],
        session_id=session.session,
        harness=session.harness,
    )
    write_bytes(place.check(os.path.join(place.project.logs, FILE)), render_pre_compact(value), mode=0o600)


def write_snapshot(place: Place, session: SessionState, facts: Facts) -> None:
    """Keeps the facts as they stand now."""
    data = json.dumps({"facts": [asdict(fact) for fact in build_facts(facts)]}).encode("ascii") + b"\n"
    write_bytes(_build_path(place, session), data, mode=0o600)


def take_loss(place: Place, session: SessionState, located: Located | None) -> None:
    """Notes what the last summary lost, to be told. The event has the summary, or else the transcript will soon."""
    before = _read_snapshot(place, session)
    lost: list[Fact] = []
    if session.summary and before is not None:
        lost = find_lost(_parse_facts(before), session.summary)[1]
    elif session.summary and located is not None:  # nobody announced it
        lost = find_lost(find_session_facts(located), session.summary)[1]
    elif located is not None:
        lost = _read_loss(located, session.compact_at)
    session.lost = render_lost(lost, session.session[:8])
    session.summary = ""
    remove_quietly(_build_path(place, session))


def _read_loss(located: Located, after: float) -> list[Fact]:
    for look in range(_LOOKS):
        time.sleep(_PAUSE if look else 0.0)
        found = find_compactions(located)
        if found and _read_moment(found[-1].time) >= after - _SLACK:
            return list(found[-1].lost)
    return []


def _read_moment(text: str) -> float:
    # One without a time may be the one that we wait for.
    try:
        return parse_time(text).timestamp()
    except (ThrulineError, ValueError):
        return math.inf


def _read_snapshot(place: Place, session: SessionState) -> dict[str, Any] | None:
    try:
        return parse_row(read_own(_build_path(place, session), _LARGEST)) or None
    except ThrulineError:
        return None


def _parse_facts(row: dict[str, Any]) -> list[Fact]:
    try:
        return [Fact(**each) for each in row["facts"]]
    except (KeyError, TypeError):
        return []


def _build_path(place: Place, session: SessionState) -> str:
    return place.build_kept(session.harness, session.session, _SNAPSHOT)
