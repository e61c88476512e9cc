"""What the worker knows of a project's sessions: one file of its own, written whole.

Nothing here is told to anyone; it is what the worker needs to go on after it was killed.
"""

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from thruline.disk.atomic import write_bytes
from thruline.disk.own import read_own
from thruline.errors import ThrulineError

SCHEMA = 1
_LARGEST = 64 << 20


@dataclass(slots=True)
class SessionState:
    """One session, as far as its events and its transcript told.

    `due` are the jobs that wait, with how often each was begun. `turns` counts what people said; `told_turns` is how
    far it had come when a later session was told of it. `handed` is the session that its notes lie ready for.
    `hungry` tells that a start passed without notes, which may still come with the next prompt. `spoke` tells that
    something happened in it between its start and its end. `full` tells that its
    window became too full once; `summary` is that of a compaction until it was looked at, `lost` what is told of it,
    `keep` what the next one is asked to keep. `doubt` is the id of a fork that began under this one's name, in
    the client `doubt_pid`: until the next event, either of the two may be what runs there.
    """

    harness: str
    session: str
    cwd: str = ""
    transcript: str = ""
    pid: int = 0
    born: int = 0
    started_at: float = 0.0
    last_at: float = 0.0
    ended_at: float = 0.0
    reason: str = ""
    said: str = ""
    turns: int = 0
    told_turns: int = -1
    worth: bool = False
    title: str = ""
    branch: str = ""
    handoff: str = ""
    handed: str = ""
    hungry: bool = False
    spoke: bool = False
    warned: bool = False
    drift: str = ""
    task: str = ""
    role: str = ""
    full: bool = False
    summary: str = ""
    compactions: int = 0
    compact_at: float = 0.0
    keep: str = ""
    lost: str = ""
    doubt: str = ""
    doubt_pid: int = 0
    doubt_born: int = 0
    inside: int = 0
    outside: dict[str, int] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        return self.ended_at > 0


@dataclass(slots=True)
class Parked:
    """A job that failed twice and is not tried again by itself."""

    harness: str
    session: str
    job: str
    at: str
    error: str


@dataclass(slots=True)
class WorkState:
    """Everything. `written` is what lies ready, by harness; `told_offset` how far the told lines were read."""

    root: str = ""
    sessions: dict[str, SessionState] = field(default_factory=dict)
    parked: list[Parked] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)
    told_offset: int = 0
    batch: str = ""

    def find(self, harness: str, session: str) -> SessionState:
        """The session's state, made where there is none."""
        return self.sessions.setdefault(build_key(harness, session), SessionState(harness, session))


def build_key(harness: str, session: str) -> str:
    """How a session is named in the state; neither part can hold a colon."""
    return f"{harness}:{session}"


def render_state(state: WorkState) -> dict[str, Any]:
    """The state as JSON can hold it."""
    return {"schema": SCHEMA, **asdict(state)}


def parse_state(row: dict[str, Any]) -> WorkState:
    """The state of such a value; what a newer version wrote, or nobody we know, is passed over."""
    state: WorkState = _fill(WorkState, row)
    state.sessions = {
        key: _fill(SessionState, each) for key, each in row.get("sessions", {}).items() if isinstance(each, dict)
    }
    state.parked = [_fill(Parked, each) for each in row.get("parked", []) if isinstance(each, dict)]
    return state


def read_state(path: str) -> WorkState:
    """The state that was kept; a new one where there is none or none that can be used."""
    try:
        return parse_state(json.loads(read_own(path, _LARGEST)))
    except (ThrulineError, ValueError, TypeError, AttributeError):
        return WorkState()


def write_state(path: str, state: WorkState) -> None:
    """Keeps the state; one that is kept already is not written again."""
    data = json.dumps(render_state(state)).encode("ascii") + b"\n"
    try:
        if read_own(path, _LARGEST) == data:
            return
    except ThrulineError:
        pass  # not there yet, or no longer ours to read: writing tells
    write_bytes(path, data, mode=0o600)


def _fill(kind: Any, row: dict[str, Any]) -> Any:
    return kind(**{each.name: row[each.name] for each in fields(kind) if each.name in row})
