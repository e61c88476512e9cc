"""The sessions of a project, or of the whole machine, newest first.

The first run reads every transcript once; afterwards only what changed. What was scanned is kept even if the user
stops in the middle.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_transcripts, open_reader
from thruline.index.sessions import SessionIndex, SessionRow
from thruline.layout import find_root, find_user_paths
from thruline.session.found import Found
from thruline.session.summary import Summary

# Told after each file that had to be read: how many are done, of how many, and the bytes of both.
Progress = Callable[[int, int, int, int], None]


@dataclass(frozen=True, slots=True)
class SessionList:
    """What was asked for, and how many sessions there are in all."""

    rows: tuple[SessionRow, ...]
    total: int
    root: str


def list_sessions(
    *,
    folder: str = "",
    harness: str = "",
    since: float = 0.0,
    limit: int = 0,
    progress: Progress | None = None,
) -> SessionList:
    """Sessions of the project that `folder` belongs to (all projects where it is empty), newest first."""
    root = find_root(folder).path if folder else ""
    found = [
        (known, file)
        for known, file in find_transcripts(dict(os.environ), os.path.expanduser("~"), harness)
        if file.kind == "session"
    ]
    index = SessionIndex(find_user_paths().index)
    try:
        rows = _bring_up_to_date(index, found, progress, whole=not harness)
    finally:
        index.close()
    wanted = [row for row in rows if row.mtime >= since and (not root or _belongs(row.cwd, root))]
    wanted.sort(key=lambda row: row.mtime, reverse=True)
    return SessionList(tuple(wanted[:limit] if limit else wanted), len(wanted), root)


def _belongs(cwd: str, root: str) -> bool:
    # By the folder recorded inside, not by the client's folder name: that encoding maps many paths to one.
    return cwd == root or cwd.startswith(root + os.sep) or (bool(cwd) and os.path.realpath(cwd) == root)


def _bring_up_to_date(
    index: SessionIndex, found: list[tuple[Harness, Found]], progress: Progress | None, *, whole: bool
) -> list[SessionRow]:
    known = index.read_rows()
    rows: list[SessionRow] = []
    stale: list[tuple[Harness, Found, SessionRow | None]] = []
    for harness, file in found:
        row = known.pop(file.path, None)
        if row is not None and (row.size, row.mtime) == (file.size, file.mtime):
            rows.append(row)
        else:
            stale.append((harness, file, row))
    if whole and known:
        index.drop_rows(list(known))
    # Newest first, so that an interrupted scan has what people look for.
    stale.sort(key=lambda each: each[1].mtime, reverse=True)
    total = sum(file.size for _, file, _ in stale)
    done = 0
    for number, (harness, file, row) in enumerate(stale, 1):
        rows.append(_scan(index, harness, file, row))
        done += file.size
        if progress is not None:
            progress(number, len(stale), done, total)
    return rows


def _scan(index: SessionIndex, harness: Harness, file: Found, before: SessionRow | None) -> SessionRow:
    """Reads the file, or only what was added to it since `before`, and keeps the row."""
    summary, checkpoint = Summary(), None
    problems = 0
    try:
        inode = os.stat(file.path).st_ino
        if before is not None and before.inode == inode and before.size <= file.size:
            fields, checkpoint = index.read_progress(file.path)
            summary, problems = Summary.from_fields(fields), before.problems
        # Live: a session may be running, and an unfinished line of it is no problem but the next reading's beginning.
        reader = open_reader(harness, file.path, live=True, checkpoint=checkpoint)
        for part in reader:
            summary.see(part)
    except OSError as error:
        # Deleted or closed to us while we looked: it is listed with what is known, and the next run tries again.
        summary.state = f"unreadable: {error.strerror}"
        return _build_row(harness, file, summary, inode=0, problems=0)
    shown = Summary.from_fields(summary.to_fields())
    for part in reader.pending():
        shown.see(part)
    row = _build_row(harness, file, shown, inode=inode, problems=problems + len(reader.problems))
    index.write_row(row, summary.to_fields(), reader.checkpoint())
    return row


def _build_row(harness: Harness, file: Found, summary: Summary, *, inode: int, problems: int) -> SessionRow:
    return SessionRow(
        path=file.path,
        harness=harness.name,
        inode=inode,
        size=file.size,
        mtime=file.mtime,
        session_id=summary.session_id or file.session_id,
        cwd=summary.cwd,
        title=summary.title or summary.first_prompt,
        turns=summary.turns,
        state=summary.state,
        last_time=summary.last_time,
        problems=problems,
    )
