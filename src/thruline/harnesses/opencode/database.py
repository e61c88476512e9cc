"""This client's database, opened so that it and the folder it lies in stay as they were.

It is in write-ahead mode. A plain read-only connection to such a file makes two files beside it and leaves them there.
So: while the client has it open, both are there, and we join as one more reader, which holds up no writer. While
nobody has it open there is nothing to share: it is read as a file that does not change, and afterwards it is checked
that it did not. A log without its index (somebody copied the files, or moved them) cannot be read without a change,
and to leave it out would be to show an older state as if it were today's: that is refused.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from thruline.errors import Conflict, DiskError, FormatError, Refused

_PATIENCE = 5.0  # seconds for the client's own moments of sole use
_NEWER = ("no such table", "no such column")


@contextmanager
def open_database(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that can only read, in one unchanging view of the data; errors say which database."""
    with _translated(path):
        before = _stamp(path)
        if _is_alone(path):
            with _connected(path, "immutable=1") as db:
                yield db
            if not _is_alone(path) or _stamp(path) != before:
                raise Conflict("The client wrote to its database while it was read.", where=path, next="try again")
        elif os.path.exists(path + "-shm"):
            with _connected(path, "mode=ro") as db:
                yield db
        else:
            raise Refused(
                "Beside this database lies a log of changes that only its client can merge.",
                where=path + "-wal",
                next="start the client once, or put the file that ends in -shm beside it again",
            )


@contextmanager
def _connected(path: str, how: str) -> Iterator[sqlite3.Connection]:
    name = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    db = sqlite3.connect(f"file:{name}?{how}", uri=True, timeout=_PATIENCE, isolation_level=None)
    try:
        # Whatever is asked: no statement of ours can change a byte.
        db.execute("pragma query_only=on")
        db.text_factory = _decode
        db.execute("begin")
        yield db
    finally:
        db.close()


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


@contextmanager
def _translated(path: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if any(mark in str(error) for mark in _NEWER):
            raise Refused(
                f"The tables of this database are not those that are known ({error}).",
                where=path,
                next="upgrade thruline; until then, let the client export the session and give that file",
            ) from None
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise FormatError(
                f"The database is damaged: {error}.", path=path, next="let the client repair it"
            ) from None
        raise DiskError(f"Cannot read the database: {error}.", where=path, next="try again") from None
    except OSError as error:
        raise DiskError(
            f"Cannot read the database: {error.strerror}.", where=path, next="check its permissions"
        ) from None


def _is_alone(path: str) -> bool:
    """Whether nobody has it open, and nothing waits in a log."""
    try:
        waiting = os.path.getsize(path + "-wal") > 0
    except FileNotFoundError:
        waiting = False
    return not waiting and not os.path.exists(path + "-shm")


def _stamp(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns
