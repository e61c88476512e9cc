"""Events into state: what each one changes, and the rows it leaves. Nothing here touches a disk."""

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from thruline.artifacts.lines import render_row
from thruline.artifacts.relevant_files import build_file_row
from thruline.artifacts.sessions_log import DRIFTED, ENDED, STARTED, render_session_row
from thruline.clock import render_time
from thruline.inject.choose import parse_id
from thruline.layout import find_root
from thruline.operations.work.event import Event
from thruline.operations.work.state import SessionState, WorkState, build_key

# Jobs, in the order in which they are done.
TURN, THRESHOLD, BEFORE, AFTER = "turn", "threshold", "before_compact", "after_compact"
NOTES, END = "notes", "end"
# So many files in another project, and more than in this one, are a session that drifted.
DRIFT_FILES = 3
_FRESH = ("startup", "clear")


@dataclass(slots=True)
class Rows:
    """Lines to be added, by file."""

    sessions: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def fold_events(state: WorkState, events: Iterable[Event], root: str) -> Rows:
    """Takes events in, oldest first, and returns the rows they leave."""
    rows = Rows()
    for event in events:
        for told in event.told:
            take_told(state, told)
        if event.event == "session_start" and event.fork_id:
            _doubt(state, event)
            continue
        session = state.find(event.harness, event.session)
        _see(state, session, event)
        take = _TAKERS.get(event.event)
        if take is not None:
            take(session, event, root, rows)
    return rows


def take_told(state: WorkState, told: str) -> None:
    """Remembers that a later session was told: of which sessions, and how far these had come."""
    for harness, name, turns in parse_id(told):
        session = state.find(harness, name)
        session.told_turns = max(session.told_turns, turns)
        session.handed = ""


def end_session(session: SessionState, at: float, reason: str, rows: Rows) -> None:
    """The session is over: its brief is due."""
    if session.ended:
        return
    session.ended_at, session.reason, session.hungry = at or session.last_at, reason, False
    session.due.setdefault(END, 0)
    _log(rows, ENDED, session, at, reason)


def _doubt(state: WorkState, event: Event) -> None:
    """It may be a fork that begins under its parent's id: the next event tells whose it is."""
    session = state.sessions.get(build_key(event.harness, event.session))
    if session is not None:
        session.doubt, session.doubt_pid, session.doubt_born = event.fork_id, event.pid, event.born


def _see(state: WorkState, session: SessionState, event: Event) -> None:
    for one in state.sessions.values():
        if one.doubt == event.session or (one is session and one.doubt):
            one.doubt, one.doubt_pid, one.doubt_born = "", 0, 0
    if event.at < session.ended_at:
        return  # from before its end, told late
    if event.event != "session_end":
        if session.ended:
            session.ended_at, session.reason = 0.0, ""
        session.pid, session.born = event.pid or session.pid, event.born or session.born
    session.spoke = session.spoke or event.event not in ("session_start", "session_end")
    session.last_at = max(session.last_at, event.at)
    # The first folder is where the session was started; later ones are where the agent went.
    session.cwd = session.cwd or event.cwd
    session.transcript = event.transcript or session.transcript


def _start(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    session.started_at = event.at
    session.hungry = event.source in _FRESH and not any(map(parse_id, event.told))
    _log(rows, STARTED, session, event.at, event.source)


def _turn(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    session.hungry = False
    session.said = digest_said(event.said)
    session.due[TURN] = 0


def _threshold(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    session.full = True
    session.due[THRESHOLD] = 0


def _before_compact(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    session.hungry = False
    session.compact_at = event.at
    session.due[BEFORE] = session.due[NOTES] = 0


def _after_compact(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    session.summary = event.summary
    session.compactions += 1
    session.due[AFTER] = 0


def _end(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    if event.at < session.started_at:
        return  # of an earlier run of the same session, told late
    end_session(session, event.at, event.reason, rows)


def _touch(session: SessionState, event: Event, root: str, rows: Rows) -> None:
    for path, how in event.files:
        row = build_file_row(
            path,
            how,
            timestamp=render_moment(event.at),
            root=root,
            cwd=event.cwd or root,
            harness=event.harness,
            session_id=event.session,
        )
        if row is None:
            continue
        rows.files.append(render_row(row))
        if "outside" in row:
            _count_outside(session, str(row["file_path"]))
        else:
            session.inside += 1
    _note_drift(session, event.at, rows)


def _count_outside(session: SessionState, path: str) -> None:
    other = find_root(os.path.dirname(path))
    # Notes in a home or a temporary folder are no other project.
    if other.kind != "folder":
        session.outside[other.path] = session.outside.get(other.path, 0) + 1


def _note_drift(session: SessionState, at: float, rows: Rows) -> None:
    most = max(session.outside, key=session.outside.__getitem__, default="")
    if most and most != session.drift and session.outside[most] >= max(DRIFT_FILES, session.inside + 1):
        session.drift = most
        _log(rows, DRIFTED, session, at, most)


def _log(rows: Rows, kind: str, session: SessionState, at: float, detail: str) -> None:
    rows.sessions.append(
        render_session_row(
            kind,
            timestamp=render_moment(at),
            harness=session.harness,
            session_id=session.session,
            cwd=session.cwd,
            detail=detail,
        )
    )


def render_moment(at: float) -> str:
    """Seconds since 1970 as we write times."""
    return render_time(datetime.fromtimestamp(max(0.0, at), UTC))


def digest_said(text: str) -> str:
    """What tells an agent's last words, without keeping them; "" where there are none."""
    words = " ".join(text.split())
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16] if words else ""


_TAKERS: dict[str, Callable[[SessionState, Event, str, Rows], None]] = {
    "session_start": _start,
    "turn_end": _turn,
    "threshold": _threshold,
    "before_compact": _before_compact,
    "after_compact": _after_compact,
    "session_end": _end,
    "tool_done": _touch,
    "tool_failed": _touch,
}
