"""Entries in one SQLite table, each a sheet in a row: a whole change is one commit, and one fsync.

The connection stays open as long as the process: opening one costs more than the commit. WAL, since its commit is a
single append and sync; synchronous=FULL, since a commit that a power cut can undo is no journal.
"""

import os
import sqlite3
import sys
import time

from thruline.disk.atomic import build_temp_name, move_over, remove_quietly, sync_file, sync_folder, write_all
from thruline.disk.faults import EACCES, EIO, ENOSPC, build_disk_error
from thruline.disk.own import check_own, open_own
from thruline.disk.transaction.entry import (
    LARGEST_ENTRY,
    SCHEMA,
    Entry,
    build_broken,
    build_foreign,
    build_newer,
)
from thruline.disk.transaction.seal import make_key
from thruline.disk.transaction.sheet import parse_sheet, render_sheet
from thruline.errors import DiskError

NAME = "journal.db"

# Word for word what SQLite keeps of it: a database with anything else in it is not ours.
TABLE = "CREATE TABLE entry (id INTEGER PRIMARY KEY, sheet BLOB NOT NULL)"
LARGEST = 1 << 30
SECONDS = 20.0

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
                connection.execute("INSERT INTO entry VALUES (?, ?)", (entry.id, render_sheet(entry, make_key())))
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from None

    def read(self) -> list[Entry]:
        if not os.path.exists(self.path):
            return []
        try:
            return read_entries(self._connect(), self.path, make_key())
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
            limit_time(_open[self.path])
            return _open[self.path]
        check_files(self.path)
        if not os.path.exists(self.path):
            _write_empty(self.path)
        # Whoever asks holds the folder's lock, so threads take turns.
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            check_schema(connection, self.path)
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                raise build_foreign(self.path, "it is not a database that thruline made")
            connection.execute("PRAGMA synchronous = FULL")
            if sys.platform == "darwin":
                connection.execute("PRAGMA fullfsync = ON")
                connection.execute("PRAGMA checkpoint_fullfsync = ON")
            # A small log is soon written over in place, and then a sync need not record a new size.
            connection.execute("PRAGMA wal_autocheckpoint = 256")
            # What was changed is someone's text: it must not linger in freed pages.
            connection.execute("PRAGMA secure_delete = ON")
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


# --- a database that may have come with a clone -------------------------------------------------------------------


def check_files(path: str) -> None:
    """Raises OSError or JournalBroken unless what SQLite would open at `path` and beside it are plain files of ours."""
    for end in ("", "-wal", "-shm"):
        if os.path.lexists(path + end):
            check_own(os.lstat(path + end), path + end, limit=LARGEST)
    # Ours never has one; SQLite would play it back, and it can name a file to be deleted.
    if os.path.lexists(path + "-journal"):
        raise build_foreign(path + "-journal", "no journal of ours has a file of that name beside it")


def check_schema(connection: sqlite3.Connection, path: str) -> None:
    """JournalBroken unless the database holds our one table and nothing else; no query runs longer than SECONDS."""
    limit_time(connection)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_ENTRY + (1 << 20))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise build_newer(path, version)
    found = connection.execute("SELECT type, name, sql FROM sqlite_master LIMIT 2").fetchall()
    if version != SCHEMA or found != [("table", "entry", TABLE)]:
        raise build_foreign(path, "it is not a database that thruline made")


def limit_time(connection: sqlite3.Connection) -> None:
    """Has what runs on `connection` from now on end after SECONDS."""
    ends = time.monotonic() + SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > ends, 100_000)


def read_entries(connection: sqlite3.Connection, path: str, key: bytes) -> list[Entry]:
    """The entries behind `connection`, oldest first; JournalBroken if the machine with `key` did not write one."""
    found = []
    for number, sheet in connection.execute("SELECT id, sheet FROM entry ORDER BY id"):
        entry = parse_sheet(bytes(sheet) if isinstance(sheet, bytes) else b"", path, key)
        if entry.id != number:
            raise build_foreign(path, "an entry has the number of another")
        found.append(entry)
    return found


def _write_empty(path: str) -> None:
    # Made elsewhere and renamed: so it is never seen half made, and never needs a rollback journal.
    folder = os.path.dirname(path)
    temp = os.path.join(folder, build_temp_name())
    try:
        os.close(open_own(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY))  # SQLite gives its other files the same mode
        connection = sqlite3.connect(temp, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("PRAGMA synchronous = OFF")
            connection.executescript(f"{TABLE}; PRAGMA user_version = {SCHEMA};")
        finally:
            connection.close()
        fd = open_own(temp, os.O_WRONLY)
        try:
            # Bytes 18 and 19 of a database say that it has a write-ahead log (sqlite.org/fileformat.html, 1.3.3).
            os.lseek(fd, 18, os.SEEK_SET)
            write_all(fd, b"\2\2")
            sync_file(fd)
        finally:
            os.close(fd)
        move_over(temp, path)
        sync_folder(folder)
    except BaseException:
        remove_quietly(temp)
        raise
