"""`logs/last-session.json`: how the last session left the project. Described in docs/formats/last-session.md."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from thruline.artifacts.lines import parse_row
from thruline.disk.own import read_capped
from thruline.errors import ThrulineError

FILE = "last-session.json"
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class LastSession:
    """The state after a session's last turn.

    The first five fields are those of seed 002. `forge_task` is what the session worked on, in words of its task list
    or its title. `ended` tells that the client said goodbye; else it may still run. `git` says why git could not tell,
    "" where it could. `drift` is the other project that the session wrote mostly into.
    """

    ended_at: str
    branch: str
    uncommitted_changes: int
    forge_phase: str
    forge_task: str
    session_id: str = ""
    harness: str = ""
    ended: bool = False
    turns: int = 0
    git: str = ""
    drift: str = ""


def render_last_session(last: LastSession) -> bytes:
    """The bytes of the file."""
    return (json.dumps({"schema": 1, **asdict(last)}, indent=2) + "\n").encode("ascii")


def read_last_session(path: str) -> LastSession | None:
    """What the file says; None where there is none, or none that can be used."""
    try:
        row = parse_row(read_capped(path, _LARGEST))
    except ThrulineError:
        return None
    return parse_last_session(row) if row else None


def parse_last_session(row: dict[str, Any]) -> LastSession:
    """The value of a row; a field of another type counts as missing, an unknown one is somebody else's."""
    kinds = {"str": (str, ""), "int": (int, 0), "bool": (bool, False)}
    made: dict[str, Any] = {}
    for field in fields(LastSession):
        kind, nothing = kinds[str(getattr(field.type, "__name__", field.type))]
        value = row.get(field.name)
        made[field.name] = value if type(value) is kind else nothing
    return LastSession(**made)
