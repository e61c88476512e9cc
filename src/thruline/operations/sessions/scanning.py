"""Reading the sessions that a list does not know yet: new ones whole, grown ones from where the last reading ended."""

import os
from collections.abc import Callable
from functools import partial

from thruline.errors import NotFound, ThrulineError
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_bases, is_stored, open_reader
from thruline.index.sessions import SessionIndex, SessionRow
from thruline.operations.sessions.copies import Copies, drop_copies, write_stored
from thruline.operations.sessions.kept import read_kept, restore_kept
from thruline.operations.sessions.proof import prove_read
from thruline.session.found import Found
from thruline.session.summary import Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.operations.sessions.listing import Kept, Progress


_BUGS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def scan_stale(
    index: SessionIndex, stale: list[tuple[Harness, Found]], kept: "Kept", progress: "Progress | None"
) -> list[SessionRow]:
    """The rows of these files, each kept in the index as soon as it is made."""
    before = index.read_rows([file.path for _, file in stale])
    rows = []
    total = sum(file.size for _, file in stale)
    done = 0
    # Newest first, so that an interrupted scan has what people look for.
    for number, (harness, file) in enumerate(sorted(stale, key=lambda each: each[1].mtime, reverse=True), 1):
        if file.path in kept:
            rows.append(_scan_copy(index, harness, file, partial(_restore, harness, file.session_id)))
        elif is_stored(harness, file.path):
            rows.append(_scan_copy(index, harness, file, partial(write_stored, harness, file.path)))
        else:
            rows.append(_scan(index, harness, file, before.get(file.path)))
        done += file.size
        if progress is not None:
            progress(number, len(stale), done, total)
    return rows


def _restore(harness: Harness, session_id: str) -> Copies:
    entry = read_kept(harness, session_id)
    if entry is None:
        raise NotFound("It is no longer in the ark.")
    return restore_kept(entry)


def _scan_copy(index: SessionIndex, harness: Harness, file: Found, make: Callable[[], Copies]) -> SessionRow:
    """Reads a session that must be written out first, from the ark or a store; its row stands under its own path."""
    try:
        copies = make()
    except ThrulineError as error:
        damaged = Summary()
        damaged.state = "unreadable: " + error.what.rstrip(".").lower()
        return _build_row(harness, file, damaged, inode=0, problems=0)
    try:
        return _scan(index, harness, file, None, copies.files[0])
    finally:
        drop_copies(copies)


def _scan(index: SessionIndex, harness: Harness, file: Found, before: SessionRow | None, path: str = "") -> SessionRow:
    """Reads the file, or only what was added to it since `before`, and keeps the row. `path` is where it lies now."""
    summary, checkpoint = Summary(), None
    problems = 0
    path = path or file.path
    try:
        inode = os.stat(path).st_ino
        # Of the same length and not as it was, it did not grow: somebody wrote in it.
        if before is not None and before.inode == inode and before.size < file.size:
            fields, known = index.read_progress(file.path)
            if known["proof"] == prove_read(path, known["offset"]):
                summary, checkpoint, problems = Summary.from_fields(fields), known, before.problems
        if checkpoint is None:
            _see_bases(harness, path, summary)
        # Live: a session may be running, and an unfinished line of it is no problem but the next reading's beginning.
        reader = open_reader(harness, path, live=True, checkpoint=checkpoint)
        for found in reader.blocks():
            summary.see_all(found)
    except OSError as error:
        # Deleted or closed to us while we looked: it is listed with what is known, and the next run tries again.
        summary.state = f"unreadable: {error.strerror}"
        return _build_row(harness, file, summary, inode=0, problems=0)
    except _BUGS as error:
        # A reader that fails on one file must not hide all others; asked for by itself, that session tells it in full.
        summary.state = f"unreadable: a bug in thruline ({type(error).__name__})"
        return _build_row(harness, file, summary, inode=0, problems=0)
    shown = Summary.from_fields(summary.to_fields())
    reached = reader.checkpoint()
    try:
        # What waits for later records counts as it stands now; so does a last record that still lacks its line end.
        grew = file.size > reached["offset"]
        for found in open_reader(harness, path, checkpoint=reached).blocks() if grew else [reader.pending()]:
            shown.see_all(found)
        reached["proof"] = prove_read(path, reached["offset"])
    except OSError:
        return _build_row(harness, file, shown, inode=0, problems=problems)
    row = _build_row(harness, file, shown, inode=inode, problems=problems + len(reader.problems))
    index.write_row(row, summary.to_fields(), reached)
    return row


def _see_bases(harness: Harness, path: str, summary: Summary) -> None:
    # What was said before a fork belongs to it, also where its file does not repeat that; its place is its own.
    for base in find_bases(harness, path):
        for found in open_reader(harness, base.path, label="p1", until=base.until).blocks():
            summary.see_all(found)
    summary.cwd = summary.starter = summary.parent = ""


def _build_row(harness: Harness, file: Found, summary: Summary, *, inode: int, problems: int) -> SessionRow:
    return SessionRow(
        path=file.path,
        harness=harness.name,
        inode=inode,
        size=file.size,
        mtime=file.mtime,
        # By its file, as it is found again; what stands inside may be the id of the session it was copied from.
        session_id=file.session_id,
        cwd=summary.cwd,
        title=summary.title or summary.first_prompt,
        turns=summary.turns,
        state=summary.state,
        starter=summary.starter,
        last_time=summary.last_time,
        problems=problems,
    )
