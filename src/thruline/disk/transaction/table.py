"""Entries in one SQLite table, each a sheet in a row: a whole change is one commit, and one fsync.

The connection stays open as long as the process: opening one costs more than the commit. WAL, since its commit is a
single append and sync; synchronous=FULL, since a commit that a power cut can undo is no journal.
"""

import os
import sqlite3

from thruline.disk.atomic import sync_folder
from thruline.disk.faults import EACCES, EIO, ENOSPC, build_disk_error
from thruline.disk.transaction.entry import SCHEMA, Entry, build_broken
from thruline.disk.transaction.sheet import parse_sheet, render_sheet
from thruline.errors import DiskError

NAME = "journal.db"

_CREATE = f"""
CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, sheet BLOB NOT NULL);
PRAGMA user_version = {SCHEMA};
"""

_open: dict[str, sqlite3.Connection] = {}
_inherited: list[sqlite3.Connection] = []


def _leave_to_parent() -> None:
    # A connection must not be used, nor closed, by a forked child: its locks are the parent's.
    _inherited.extend(_open.values())
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


class Table:
    """The journal of one folder, in `journal.db`."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, NAME)

    def add(self, entry: Entry) -> None:
        try:
            connection = self._connect()
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO entry VALUES (?, ?)", (entry.id, render_sheet(entry)))
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from None

    def read(self) -> list[Entry]:
        if not os.path.exists(self.path):
            return []
        try:
            return read_entries(self._connect(), self.path)
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.OperationalError | OSError):
                raise self._failed(error) from None
            self.close()
            raise build_broken(self.path, str(error)) from None

    def remove(self, ids: list[int]) -> None:
        if not os.path.exists(self.path):
            return
        try:
            connection = self._connect()
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("DELETE FROM entry WHERE id = ?", [(each,) for each in ids])
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from None

    def close(self) -> None:
        connection = _open.pop(self.path, None)
        if connection is not None:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        if self.path in _open:
            return _open[self.path]
        new = not os.path.exists(self.path)
        # Whoever asks holds the folder's lock, so threads take turns.
        if new:
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))  # SQLite gives its other files the same mode
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA:
                raise build_broken(self.path, f"a newer thruline wrote it (schema {version}, this one knows {SCHEMA})")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # A small log is soon written over in place, and then a sync need not record a new size.
            connection.execute("PRAGMA wal_autocheckpoint = 256")
            # What was changed is someone's text: it must not linger in freed pages.
            connection.execute("PRAGMA secure_delete = ON")
            if version < SCHEMA:
                connection.executescript("BEGIN IMMEDIATE;" + _CREATE + "COMMIT;")
            if new:
                sync_folder(os.path.dirname(self.path))
        except BaseException:
            connection.close()
            raise
        _open[self.path] = connection
        return connection

    def _failed(self, error: sqlite3.Error | OSError) -> DiskError:
        # After an I/O error SQLite's own view may be stale; the next one starts from the file.
        self.close()
        if isinstance(error, OSError):
            return build_disk_error(error, "use", self.path)
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF
        number = {sqlite3.SQLITE_FULL: ENOSPC, sqlite3.SQLITE_IOERR: EIO}.get(code, EACCES)
        return build_disk_error(OSError(number, str(error)), "use", self.path)


def read_entries(connection: sqlite3.Connection, path: str) -> list[Entry]:
    """The entries behind `connection`, oldest first."""
    rows = connection.execute("SELECT sheet FROM entry ORDER BY id").fetchall()
    return [parse_sheet(sheet, path) for (sheet,) in rows]
