"""What a driver notes beside a loop, so that another can go on where it was killed: `loops/<id>.run.json`.

Written before the loop's own file counts an iteration: a note that is one ahead tells of one that was not begun, a note
of the same number of one that was begun and not answered. Either way it is that iteration's turn, and none is lost.
"""

import json
from dataclasses import asdict, dataclass

from thruline.artifacts.lines import parse_row
from thruline.child import end_group
from thruline.disk.atomic import Lock, remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.errors import LockTimeout, ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.loops.listing import build_loop_path
from thruline.process import is_same_running, read_process

NOTE, STOP, LOCK = ".run.json", ".stop", ".run.lock"
_LARGEST = 1 << 16


@dataclass(frozen=True, slots=True)
class RunNote:
    """An iteration on its way: in whose session, with which failure of `--until` before it, by which process."""

    iteration: int
    session: str = ""
    failure: str = ""
    pid: int = 0
    born: int = 0


def read_note(paths: ProjectPaths, loop_id: str) -> RunNote | None:
    """What the last driver left; None where it ended by itself, or left nothing that can be used."""
    try:
        row = parse_row(read_own(build_loop_path(paths, loop_id, NOTE), _LARGEST))
    except ThrulineError:
        return None
    kinds = {"iteration": int, "session": str, "failure": str, "pid": int, "born": int}
    if any(type(row.get(name)) is not kind for name, kind in kinds.items()):
        return None
    return RunNote(**{name: row[name] for name in kinds})


def write_note(paths: ProjectPaths, loop_id: str, note: RunNote) -> None:
    """Notes it; whole, and for the user alone."""
    data = json.dumps({"schema": 1, **asdict(note)}).encode("ascii") + b"\n"
    write_bytes(build_loop_path(paths, loop_id, NOTE), data, mode=0o600)


def remove_note(paths: ProjectPaths, loop_id: str) -> None:
    """The run is over."""
    remove_quietly(build_loop_path(paths, loop_id, NOTE))


def find_born(pid: int) -> int:
    """When a process began, by which it is known from a later one of the same number."""
    return read_process(pid)[2]


def end_orphan(note: RunNote) -> bool:
    """Ends a client that a killed driver left running; whether there was one. One of unknown birth is left alone."""
    if note.pid > 1 and note.born and is_same_running(note.pid, note.born):
        end_group(note.pid)
        return True
    return False


def end_left_running(paths: ProjectPaths, loop_id: str, *, for_good: bool = False) -> None:
    """Ends the client of a driver that was killed; one that lives sees by itself what became of its loop.

    With a client its note goes too, as when the driver lives: that iteration was given. One that was counted and not
    given stays noted for the next run, unless the loop is over `for_good`.
    """
    note = read_note(paths, loop_id)
    if note is None:
        return
    try:
        with Lock(build_loop_path(paths, loop_id, LOCK), 0.0):
            end_orphan(note)
            if note.pid or for_good:
                remove_note(paths, loop_id)
    except LockTimeout:
        pass
