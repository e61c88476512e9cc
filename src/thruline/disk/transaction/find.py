"""A look at what journals hold, for doctor: nothing is locked or recovered, and nothing written below the project."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from thruline.disk.atomic import build_temp_name, is_left_over, make_folders
from thruline.disk.own import check_own
from thruline.disk.transaction.aside import ASIDE
from thruline.disk.transaction.entry import SET_ASIDE, Entry
from thruline.disk.transaction.place import KEPT
from thruline.disk.transaction.roots import (
    LOCK,
    STATE,
    check_folder,
    find_pointers,
    read_pointer,
    read_state,
)
from thruline.disk.transaction.seal import read_key
from thruline.disk.transaction.sheet import find_sheets, read_sheet
from thruline.disk.transaction.table import NAME, check_files, check_schema, read_entries
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths, find_user_paths


@dataclass(frozen=True, slots=True)
class JournalFound:
    """One file of a journal folder that matters.

    `kind`: `table` and `sheet` hold entries, `pointer` names the project that does, `kept` is our version of a file
    that recovery left alone, `aside` is what was moved away, `odd` what cannot be a file of ours. `broken_off` says
    that a change was not finished; entries without it only wait to be settled. `problem` says why it cannot be read,
    `next` what to do then; `foreign`, that it may be moved aside.
    """

    path: str
    kind: str
    entries: int
    files: tuple[str, ...]
    broken_off: bool
    problem: str = ""
    next: str = ""

    @property
    def foreign(self) -> bool:
        return self.next == SET_ASIDE


def find_journals(project: ProjectPaths) -> list[JournalFound]:
    """What the journal folder of `project` holds; empty where nothing waits. Refused if a link leads it elsewhere."""
    if not os.path.isdir(project.journal):
        return []
    check_folder(project)
    found = _find_odd(project.journal)
    if found:
        # The rest is read once these are out of the way.
        return found
    open_now = not read_state(project).clean
    table = os.path.join(project.journal, NAME)
    if os.path.exists(table):
        found.append(_look(table, "table", open_now, _read_table))
    for path in find_sheets(project.journal):
        found.append(_look(path, "sheet", open_now, lambda path: [read_sheet(path, read_key())]))
    for path in find_pointers(project):
        try:
            found.append(JournalFound(path, "pointer", 1, (read_pointer(path, read_key()).root,), open_now))
        except ThrulineError as error:
            found.append(JournalFound(path, "pointer", 0, (), open_now, error.what, error.next))
    for kind in (KEPT, ASIDE):
        folder = os.path.join(project.journal, kind)
        if os.path.isdir(folder):
            found += [
                JournalFound(os.path.join(folder, name), kind, 0, (), False) for name in sorted(os.listdir(folder))
            ]
    return [each for each in found if each.entries or each.problem or each.kind in (KEPT, ASIDE)]


def _find_odd(folder: str) -> list[JournalFound]:
    # Links, devices, others' files where ours should be, and what SQLite would play back.
    found = []
    names = [LOCK, STATE, NAME, NAME + "-wal", NAME + "-shm"]
    for path in [*(os.path.join(folder, name) for name in names), *find_sheets(folder)]:
        if os.path.lexists(path):
            try:
                check_own(os.lstat(path), path)
            except OSError as error:
                what = f"It is no file of ours: {error.strerror}."
                found.append(JournalFound(path, "odd", 0, (), False, what, SET_ASIDE))
    for name in (KEPT, ASIDE):
        if os.path.islink(os.path.join(folder, name)):
            what = "It is no folder of ours: it is a link."
            found.append(JournalFound(os.path.join(folder, name), "odd", 0, (), False, what, SET_ASIDE))
    return found


def _look(path: str, kind: str, open_now: bool, read: Callable[[str], list[Entry]]) -> JournalFound:
    try:
        entries = read(path)
    except ThrulineError as error:
        return JournalFound(path, kind, 0, (), open_now, error.what, error.next)
    except (sqlite3.Error, OSError) as error:
        return JournalFound(path, kind, 0, (), open_now, f"It cannot be read: {error}.")
    names = tuple(sorted({each.path for entry in entries for each in entry.files}))
    return JournalFound(path, kind, len(entries), names, open_now and bool(entries))


def _read_table(path: str) -> list[Entry]:
    check_files(path)
    wal = path + "-wal"
    if not os.path.exists(wal) or not os.path.getsize(wal):
        return _read_database(path, path)
    # Even a read-only connection to a database with a log writes beside it; a copy may be written beside at will.
    folder = _make_folder()
    try:
        copy = os.path.join(folder, NAME)
        for end in ("", "-wal"):
            shutil.copyfile(path + end, copy + end)
        return _read_database(copy, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read_database(path: str, told: str) -> list[Entry]:
    still = "" if path != told else "&immutable=1"
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=rw{still}", uri=True, isolation_level=None)
    try:
        check_schema(connection, told)
        return read_entries(connection, told, read_key())
    finally:
        connection.close()


def _make_folder() -> str:
    # In the user's state, under a name that tells whose it is: what a killed doctor left goes with the next one.
    base = find_user_paths().copies
    make_folders(base, 0o700)
    for name in os.listdir(base):
        if is_left_over(name):
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)
    folder = os.path.join(base, build_temp_name())
    os.mkdir(folder, 0o700)
    return folder
