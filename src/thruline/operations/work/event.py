"""Events as hooks leave them in the spool (docs/design/0016-hooks-at-work.md)."""

import os
from dataclasses import dataclass
from typing import Any

from thruline.artifacts.lines import parse_row
from thruline.disk.atomic import remove_quietly
from thruline.disk.own import read_own
from thruline.errors import NotFound, ThrulineError
from thruline.layout import is_safe_id, is_safe_name

SCHEMA = 1
# A batch is taken in together; what is left is the next one.
MOST = 500
# A hook lives for seconds; an unfinished file of this age has no owner.
STALE_SECONDS = 3600.0
_LARGEST = 8 << 20
_LATEST = 253_402_300_000.0  # the end of the year 9999, after which there is no date


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `name` is its file in the spool; what a client did not tell is empty."""

    name: str
    event: str
    at: float
    harness: str
    session: str
    root: str = ""
    cwd: str = ""
    transcript: str = ""
    pid: int = 0
    born: int = 0
    source: str = ""
    reason: str = ""
    said: str = ""
    files: tuple[tuple[str, str], ...] = ()
    told: tuple[str, ...] = ()
    agent: str = ""
    fork_id: str = ""
    summary: str = ""
    percent: int = -1


def find_names(folder: str) -> list[str]:
    """The finished events in `folder`, oldest first."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))
    except OSError:
        return []


def read_events(folder: str, names: list[str]) -> tuple[list[Event], list[str]]:
    """The events of these names in order of time, and the names of those that cannot be used."""
    events, bad = [], []
    for name in names:
        try:
            event = parse_event(name, parse_row(read_own(os.path.join(folder, name), _LARGEST)))
        except NotFound:
            continue
        except ThrulineError:
            event = None
        if event is None:
            bad.append(name)
        else:
            events.append(event)
    return sorted(events, key=lambda one: (one.at, one.name)), bad


def parse_event(name: str, row: dict[str, Any]) -> Event | None:
    """The event of a row; None where it names no session that we could keep a file for, or is newer than we are."""
    harness, session = _text(row, "harness"), _text(row, "session")
    if row.get("schema") != SCHEMA or not is_safe_name(harness) or not is_safe_id(session) or not _text(row, "event"):
        return None
    if not 0 <= _number(row, "at") < _LATEST:
        return None
    return Event(
        name,
        _text(row, "event"),
        float(_number(row, "at")),
        harness,
        session,
        root=_text(row, "root"),
        cwd=_path(row, "cwd"),
        transcript=_full_path(row, "transcript"),
        pid=int(_number(row, "pid")),
        born=int(_number(row, "born")),
        source=_text(row, "source"),
        reason=_text(row, "reason"),
        said=_text(row, "said"),
        files=tuple(_pairs(row.get("files"))),
        told=tuple(each for each in _list(row.get("told")) if isinstance(each, str)),
        agent=_text(row, "agent"),
        fork_id=_text(row, "fork_id"),
        summary=_text(row, "summary"),
        percent=int(_number(row, "percent")),
    )


def sweep_drafts(folder: str, now: float) -> None:
    """Removes what killed hooks left unfinished."""
    try:
        drafts = [each for each in os.scandir(folder) if each.name.startswith(".") and each.is_file()]
    except OSError:
        return
    for draft in drafts:
        if now - draft.stat(follow_symlinks=False).st_mtime > STALE_SECONDS:
            remove_quietly(draft.path)


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _path(row: dict[str, Any], key: str) -> str:
    path = _text(row, key)
    return path if is_path(path) else ""


def _full_path(row: dict[str, Any], key: str) -> str:
    path = _path(row, key)
    return path if os.path.isabs(path) else ""


def is_path(text: str) -> bool:
    """Whether the system could have a file of this name; asked for others, it raises instead of saying no."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _number(row: dict[str, Any], key: str) -> float:
    value = row.get(key)
    # A client's own odd numbers must not become an exception far from here.
    return value if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15 else 0


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _pairs(value: object) -> list[tuple[str, str]]:
    pairs = [each for each in _list(value) if isinstance(each, list) and len(each) == 2]
    return [(path, how) for path, how in pairs if isinstance(path, str) and isinstance(how, str) and is_path(path)]
