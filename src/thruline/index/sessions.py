"""Session summaries by file. A row is good while the file's inode, size and time are what they were.

The index saves time and nothing else: who only reads it goes on without it (`optional`) and says so; who must change it
(to forget a session) is told.
"""

import os

from thruline import __version__

try:
    # The module around it adds dates, which we do not store; they cost every list two milliseconds.
    import _sqlite3 as sqlite3
except ImportError:  # another Python
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # Size, time, starter and folder.
    Stamp = tuple[int, float, str, str]

PATIENCE = 5.0  # seconds for another process that writes
SCHEMA = 8

_CREATE = """
create table session (
  path blob primary key, harness text not null, inode integer not null, size integer not null, mtime real not null,
  session_id text not null, cwd text not null, title text not null, turns integer not null, state text not null,
  starter text not null, last_time text not null, problems integer not null
) without rowid;
create table kept (
  path blob primary key, harness text not null, session_id text not null, entry text not null,
  size integer not null, mtime real not null
) without rowid;
create table progress (path blob primary key, summary text not null, checkpoint text not null);
create table made_by (maker text not null)
"""
# What only a session that grew needs is many times larger than its row, and every list would read past it.
_TABLES = ("session", "progress", "kept")
_ROW = "path, harness, inode, size, mtime, session_id, cwd, title, turns, state, starter, last_time, problems"
_KEEP = """
insert or replace into kept select ?, ?, ?, ?, ?, ? where exists (select 1 from session where path = ?)
"""
_MOST_ASKED = 400  # rows asked for by name; more are quicker read all together

# Another version's checkpoints may mean other things, so its rows are not read on from.
_MAKER = f"{SCHEMA} {__version__}"


def _read_maker(db: sqlite3.Connection) -> str:
    try:
        found = db.execute("select maker from made_by").fetchone()
    except sqlite3.OperationalError:  # a new file
        return ""
    return str(found[0]) if found else ""


def _encode(value: "Any") -> "Any":
    # A file's name, and with it a session's id, need not be text; what is not is kept as bytes.
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
    return value


def _decode(values: "list[Any]") -> "list[Any]":
    if bytes not in map(type, values):
        return values
    return [value.decode("utf-8", "surrogatepass") if type(value) is bytes else value for value in values]


class SessionRow:
    """What a list shows of one session."""

    __slots__ = (
        "cwd",
        "harness",
        "inode",
        "last_time",
        "mtime",
        "path",
        "problems",
        "session_id",
        "size",
        "starter",
        "state",
        "title",
        "turns",
    )

    def __init__(
        self,
        path: str,
        harness: str,
        inode: int,
        size: int,
        mtime: float,
        session_id: str,
        cwd: str,
        title: str,
        turns: int,
        state: str,
        starter: str,
        last_time: str,
        problems: int,
    ) -> None:
        self.path = path
        self.harness = harness
        self.inode = inode
        self.size = size
        self.mtime = mtime
        self.session_id = session_id
        self.cwd = cwd
        self.title = title
        self.turns = turns
        self.state = state
        self.starter = starter
        self.last_time = last_time
        self.problems = problems


class SessionIndex:
    """The rows of `index.db`; every write is committed at once, so what was scanned survives Ctrl-C.

    With `optional`, an index that cannot be opened is empty, one that cannot be written stays as it is, and `trouble`
    says why.
    """

    def __init__(self, path: str, *, optional: bool = False) -> None:
        self.trouble = ""
        self._path = path
        self._optional = optional
        try:
            if not os.path.isdir(os.path.dirname(path)):
                from thruline.disk.atomic import make_folders

                make_folders(os.path.dirname(path), 0o700)
            self._db = self._open()
        except (OSError, sqlite3.DatabaseError) as error:
            self._tell(error)
            self._db = sqlite3.connect(":memory:", isolation_level=None)
            self._db.executescript(_CREATE)

    def _tell(self, error: Exception) -> None:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        if not self._optional:
            from thruline.errors import DiskError

            raise DiskError(
                f"Cannot use the index of sessions: {reason}.", where=self._path, next="thruline doctor"
            ) from None
        self.trouble = f"{reason} ({self._path})"

    def _open(self) -> sqlite3.Connection:
        try:
            return self._prepare()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise  # held by another process, or not ours to write: no reason to throw it away
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(self._path + suffix):
                    os.remove(self._path + suffix)
            return self._prepare()

    def _prepare(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)
        try:
            # A row written anew is overwritten too: what `forget` erases must not lie elsewhere in the file.
            db.execute("pragma secure_delete=on")
            if _read_maker(db) != _MAKER:
                db.execute("pragma journal_mode=wal")
                db.execute("begin immediate")
                if _read_maker(db) != _MAKER:  # else another process was quicker
                    for table in (*_TABLES, "made_by"):
                        db.execute(f"drop table if exists {table}")
                    for statement in _CREATE.split(";"):
                        db.execute(statement)
                    db.execute("insert into made_by values (?)", [_MAKER])
                db.execute("commit")
            if os.stat(self._path).st_mode & 0o777 != 0o600:
                os.chmod(self._path, 0o600)
        except (OSError, sqlite3.DatabaseError):
            db.close()
            raise
        return db

    def _write(self, *changes: "tuple[str, list[list[Any]]]") -> None:
        if self.trouble:
            return
        try:
            self._db.execute("begin immediate")
            try:
                for statement, rows in changes:
                    self._db.executemany(statement, [[*map(_encode, row)] for row in rows])
                self._db.execute("commit")
            finally:
                if self._db.in_transaction:
                    self._db.execute("rollback")
        except sqlite3.OperationalError as error:
            self._tell(error)

    def read_stamps(self) -> "dict[str, Stamp]":
        """What tells, for every row by path, whether its file changed and whether a list is about it."""
        rows = self._db.execute("select path, size, mtime, starter, cwd from session")
        stamps = {os.fsdecode(path): (size, mtime, starter, cwd) for path, size, mtime, starter, cwd in rows}
        for path, (size, mtime, starter, cwd) in stamps.items():
            if type(cwd) is bytes:
                stamps[path] = (size, mtime, starter, *_decode([cwd]))
        return stamps

    def read_rows(self, paths: "list[str] | None" = None) -> "dict[str, SessionRow]":
        """The rows of these files that are known, or every row, by path."""
        select = f"select {_ROW} from session"  # noqa: S608
        if paths is None or len(paths) > _MOST_ASKED:
            rows = self._db.execute(select).fetchall()
        else:
            marks = ", ".join("?" * len(paths))
            rows = self._db.execute(
                f"{select} where path in ({marks})", [os.fsencode(path) for path in paths]
            ).fetchall()
        found = [SessionRow(os.fsdecode(path), *_decode(rest)) for path, *rest in rows]
        return {row.path: row for row in found}

    def read_kept(self) -> "dict[tuple[str, str], tuple[str, str, int, float]]":
        """Of sessions that only the ark had: by client and id, the entry's stamp and what it says of the file."""
        rows = self._db.execute("select path, harness, session_id, entry, size, mtime from kept")
        found = [(os.fsdecode(path), _decode(rest)) for path, *rest in rows]
        return {(harness, name): (entry, path, *rest) for path, (harness, name, entry, *rest) in found}

    def write_kept(self, kept: "list[tuple[str, str, str, str, int, float]]") -> None:
        """Keeps (path, client, id, stamp, size, time) of what only the ark has; of files that have a row, no others.

        So whoever forgets a row forgets this with it.
        """
        rows = [[path := os.fsencode(first), *rest, path] for first, *rest in kept]
        self._write((_KEEP, rows))

    def write_row(self, row: SessionRow, summary: "dict[str, Any]", checkpoint: "dict[str, Any]") -> None:
        """Keeps one row with what is needed to read on, replacing what was known of that file."""
        import json

        # A path is bytes that need not be text.
        path = os.fsencode(row.path)
        values = [path, *(getattr(row, name.strip()) for name in _ROW.split(",")[1:])]
        marks = ", ".join("?" * len(values))
        self._write(
            (f"insert or replace into session ({_ROW}) values ({marks})", [values]),  # noqa: S608
            ("insert or replace into progress values (?, ?, ?)", [[path, json.dumps(summary), json.dumps(checkpoint)]]),
        )

    def read_progress(self, path: str) -> "tuple[dict[str, Any], dict[str, Any]]":
        """The summary and the checkpoint that were kept for a file whose row is known."""
        import json

        found = self._db.execute(
            "select summary, checkpoint from progress where path = ?", [os.fsencode(path)]
        ).fetchone()
        return json.loads(found[0]), json.loads(found[1])

    def drop_rows(self, paths: "list[str]") -> None:
        """Forgets files that are gone."""
        gone = [[os.fsencode(path)] for path in paths]
        self._write(*((f"delete from {table} where path = ?", gone) for table in _TABLES))  # noqa: S608

    def erase_rows(self, paths: "list[str]") -> None:
        """Forgets files so that their rows cannot be read back from the file either."""
        self._db.execute("pragma secure_delete=on")
        self.drop_rows(paths)
        self._db.execute("pragma wal_checkpoint(truncate)").fetchall()

    def close(self) -> None:
        """Lets the file go."""
        self._db.close()
