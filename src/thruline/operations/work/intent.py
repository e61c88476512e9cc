"""A batch of events taken in exactly once.

What a batch does (rows added to files, a new state, events removed from the spool) is written down before any of it
is done. Whoever finds such a note does what is still missing: adds the rows that are not there yet, keeps the state,
removes the events. So a process may die between any two calls, and no event counts twice or not at all.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from thruline.clock import read_clock, render_time
from thruline.disk.atomic import append_lines, remove_quietly, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.own import read_own
from thruline.errors import NotFound, ThrulineError
from thruline.operations.work.state import Parked, WorkState, parse_state, render_state, write_state

_LARGEST = 128 << 20


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch. `rows` are lines by file, `sizes` how long each file was before; `names` the events in `spool`."""

    spool: str
    names: tuple[str, ...]
    rows: dict[str, list[str]]
    sizes: dict[str, int]
    state: dict[str, Any]


def take_batch(
    intent: str,
    path: str,
    spool: str,
    names: list[str],
    rows: dict[str, list[str]],
    new: WorkState,
    check: Callable[[str], str],
) -> WorkState:
    """Does all of a batch and returns the state; `path` is the state's file, `intent` that of the note.

    `check` refuses where not to write.
    Rows that cannot be written are given up and parked: a project on a full or read-only disk must not hold the rest.
    """
    used = {}
    for file, lines in rows.items():
        try:
            if lines:
                used[check(file)] = lines
        except ThrulineError as error:
            park_rows(new, error)
    sizes = {file: _measure(file) for file in used}
    batch = Batch(spool, tuple(names), used, sizes, render_state(new))
    note = {"spool": spool, "names": names, "rows": used, "sizes": sizes, "state": batch.state}
    write_bytes(intent, json.dumps(note).encode("ascii") + b"\n", mode=0o600)
    return _finish(intent, path, batch)


def finish_batch(intent: str, path: str) -> None:
    """Does what an earlier process left of its batch; nothing where it left none."""
    try:
        raw = read_own(intent, _LARGEST)
    except NotFound:
        return
    try:
        note = json.loads(raw)
        batch = Batch(note["spool"], tuple(note["names"]), note["rows"], note["sizes"], note["state"])
    except (ValueError, KeyError, TypeError):
        # Written whole or not at all, so this is no note of ours; the events are still in the spool.
        remove_quietly(intent)
        return
    _finish(intent, path, batch)


def park_rows(state: WorkState, error: ThrulineError) -> None:
    """Remembers that rows were given up; once for each reason."""
    parked = Parked(
        "", "", "rows", render_time(read_clock()), error.what + (f" ({error.where})" if error.where else "")
    )
    state.parked = [*(each for each in state.parked if each.error != parked.error), parked]


def _finish(intent: str, path: str, batch: Batch) -> WorkState:
    state = parse_state(batch.state)
    for file, lines in batch.rows.items():
        try:
            missing = _find_missing(file, batch.sizes.get(file, 0), lines)
            append_lines(file, [line.encode("ascii") for line in missing], mode=0o600)
        except ThrulineError as error:
            park_rows(state, error)
    write_state(path, state)
    for name in batch.names:
        _remove(os.path.join(batch.spool, name))
    _remove(intent)
    return state


def _remove(path: str) -> None:
    # Not quietly: an event that stays would be taken in again, and a note that stays would bring an old state back.
    # Whoever hears of it ends here, and the next worker finishes the batch.
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise build_disk_error(error, "remove", path) from None


def _find_missing(file: str, size: int, lines: list[str]) -> list[str]:
    # Others may add to the file too, so ours are looked for and not counted.
    try:
        with open(file, "rb") as opened:
            opened.seek(min(size, os.fstat(opened.fileno()).st_size))
            there = opened.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return lines
    except OSError as error:
        raise build_disk_error(error, "read", file) from None
    missing = []
    for line in lines:
        if line in there:
            there.remove(line)
        else:
            missing.append(line)
    return missing


def _measure(file: str) -> int:
    try:
        return os.path.getsize(file)
    except OSError:
        return 0
