"""A look at what journals hold, for doctor: nothing is written, locked or recovered."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from thruline.disk.atomic import read_bytes
from thruline.disk.transaction.entry import Entry
from thruline.disk.transaction.place import KEPT
from thruline.disk.transaction.roots import find_pointers, read_pointer, read_state
from thruline.disk.transaction.sheet import find_sheets, parse_sheet
from thruline.disk.transaction.table import NAME, read_entries
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths


@dataclass(frozen=True, slots=True)
class JournalFound:
    """One file of a journal folder that matters.

    `kind`: `table` and `sheet` hold entries, `pointer` names the project that does, `kept` is our version of a file
    that recovery left alone. `broken_off` says that a change was not finished; entries without it only wait to be
    settled. `problem` says why it cannot be read.
    """

    path: str
    kind: str
    entries: int
    files: tuple[str, ...]
    broken_off: bool
    problem: str = ""


def find_journals(project: ProjectPaths) -> list[JournalFound]:
    """What the journal folder of `project` holds; empty where nothing waits."""
    if not os.path.isdir(project.journal):
        return []
    open_now = not read_state(project).clean
    found = []
    table = os.path.join(project.journal, NAME)
    if os.path.exists(table):
        found.append(_look(table, "table", open_now, _read_copy))
    for path in find_sheets(project.journal):
        found.append(_look(path, "sheet", open_now, _read_sheet))
    for path in find_pointers(project):
        try:
            found.append(JournalFound(path, "pointer", 1, (read_pointer(path).root,), open_now))
        except ThrulineError as error:
            found.append(JournalFound(path, "pointer", 0, (), open_now, error.what))
    kept = os.path.join(project.journal, KEPT)
    if os.path.isdir(kept):
        found += [JournalFound(os.path.join(kept, name), "kept", 0, (), False) for name in sorted(os.listdir(kept))]
    return [each for each in found if each.entries or each.problem or each.kind == "kept"]


def _look(path: str, kind: str, open_now: bool, read: Callable[[str], list[Entry]]) -> JournalFound:
    try:
        entries = read(path)
    except ThrulineError as error:
        return JournalFound(path, kind, 0, (), open_now, error.what)
    except (sqlite3.Error, OSError) as error:
        return JournalFound(path, kind, 0, (), open_now, f"It cannot be read: {error}.")
    names = tuple(sorted({each.path for entry in entries for each in entry.files}))
    return JournalFound(path, kind, len(entries), names, open_now and bool(entries))


def _read_sheet(path: str) -> list[Entry]:
    return [parse_sheet(read_bytes(path), path)]


def _read_copy(path: str) -> list[Entry]:
    # Even a read-only connection to a WAL database writes beside it; a copy may be written beside at will.
    with tempfile.TemporaryDirectory(prefix="thruline-") as folder:
        for end in ("", "-wal"):
            if os.path.exists(path + end):
                shutil.copyfile(path + end, os.path.join(folder, NAME + end))
        connection = sqlite3.connect(os.path.join(folder, NAME), isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            return read_entries(connection, path) if "entry" in tables else []
        finally:
            connection.close()
