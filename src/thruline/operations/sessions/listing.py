"""The sessions of a project, or of the whole machine, newest first.

The first run reads every transcript once; afterwards only what changed. What was scanned is kept even if the user
stops in the middle.
"""

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.errors import ThrulineError
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_transcripts, open_reader
from thruline.index.sessions import SessionIndex, SessionRow
from thruline.layout import find_root, find_user_paths
from thruline.operations.sessions.kept import drop_restored, find_kept, read_kept, restore_kept
from thruline.session.found import Found
from thruline.session.summary import Summary

# Sessions that only the ark has, by the path they had.
Kept = dict[str, tuple[Harness, Entry]]
# Told after each file that had to be read: how many are done, of how many, and the bytes of both.
Progress = Callable[[int, int, int, int], None]

_SAMPLE = 4096


@dataclass(frozen=True, slots=True)
class SessionList:
    """What was asked for, and how many sessions there are in all.

    `kept` are the paths of those only in the ark. `trouble` says why the next list will not be faster than this one.
    `id_length` is how much of an id tells it from every other one.
    """

    rows: tuple[SessionRow, ...]
    total: int
    root: str
    kept: frozenset[str] = frozenset()
    trouble: str = ""
    id_length: int = 8


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
    kept = _find_only_kept(found, harness)
    found += [(known, _describe(entry)) for known, entry in kept.values()]
    index = SessionIndex(find_user_paths().index, optional=True)
    try:
        rows = _bring_up_to_date(index, found, kept, progress, whole=not harness)
    finally:
        index.close()
    # A subagent's file is part of the session that started it, not a session of its own.
    own = [row for row in rows if not row.starter]
    wanted = [row for row in own if row.mtime >= since and (not root or _belongs(row.cwd, root))]
    wanted.sort(key=lambda row: row.mtime, reverse=True)
    shown = tuple(wanted[:limit] if limit else wanted)
    length = find_prefix_length([file.session_id for _, file in found])
    return SessionList(shown, len(wanted), root, frozenset(kept), index.trouble, length)


def find_prefix_length(ids: list[str]) -> int:
    """How many characters tell these ids apart: 8 where that is enough, else up to the next dash that is."""
    different = len(set(ids))
    for length in (8, 13, 18, 23):
        if len({one[:length] for one in ids}) == different:
            return length
    return max((len(one) for one in ids), default=8)


def _belongs(cwd: str, root: str) -> bool:
    # By the folder recorded inside, not by the client's folder name: that encoding maps many paths to one.
    return cwd == root or cwd.startswith(root + os.sep) or (bool(cwd) and os.path.realpath(cwd) == root)


def _find_only_kept(found: list[tuple[Harness, Found]], harness: str) -> Kept:
    here = {(known.name, file.session_id) for known, file in found}
    kept = {}
    for known, session_id in find_kept():
        if (known.name, session_id) in here or (harness and known.name != harness):
            continue
        try:
            entry = read_kept(known, session_id)
        except ThrulineError:
            continue  # damaged: a list goes on without it, asking for it by name tells what is wrong
        if entry is not None and entry.members:
            kept[entry.members[0].path] = (known, entry)
    return kept


def _describe(entry: Entry) -> Found:
    own = entry.members[0]
    return Found(own.path, entry.name, own.size, own.mtime)


def _bring_up_to_date(
    index: SessionIndex, found: list[tuple[Harness, Found]], kept: Kept, progress: Progress | None, *, whole: bool
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
        rows.append(
            _scan_kept(index, harness, file, kept[file.path][1])
            if file.path in kept
            else _scan(index, harness, file, row)
        )
        done += file.size
        if progress is not None:
            progress(number, len(stale), done, total)
    return rows


def _scan_kept(index: SessionIndex, harness: Harness, file: Found, entry: Entry) -> SessionRow:
    """Reads a session that is only in the ark; its row stands under the path it had."""
    try:
        restored = restore_kept(entry)
    except ThrulineError as error:
        damaged = Summary()
        damaged.state = "unreadable: " + error.what.rstrip(".").lower()
        return _build_row(harness, file, damaged, inode=0, problems=0)
    try:
        return _scan(index, harness, file, None, restored.files[0])
    finally:
        drop_restored(restored)


def _scan(index: SessionIndex, harness: Harness, file: Found, before: SessionRow | None, path: str = "") -> SessionRow:
    """Reads the file, or only what was added to it since `before`, and keeps the row. `path` is where it lies now."""
    summary, checkpoint = Summary(), None
    problems = 0
    path = path or file.path
    try:
        inode = os.stat(path).st_ino
        if before is not None and before.inode == inode and before.size <= file.size:
            fields, known = index.read_progress(file.path)
            if known["proof"] == _prove(path, known["offset"]):
                summary, checkpoint, problems = Summary.from_fields(fields), known, before.problems
        # Live: a session may be running, and an unfinished line of it is no problem but the next reading's beginning.
        reader = open_reader(harness, path, live=True, checkpoint=checkpoint)
        for part in reader:
            summary.see(part)
    except OSError as error:
        # Deleted or closed to us while we looked: it is listed with what is known, and the next run tries again.
        summary.state = f"unreadable: {error.strerror}"
        return _build_row(harness, file, summary, inode=0, problems=0)
    shown = Summary.from_fields(summary.to_fields())
    reached = reader.checkpoint()
    try:
        # What waits for later records counts as it stands now; so does a last record that still lacks its line end.
        rest = open_reader(harness, path, checkpoint=reached) if file.size > reached["offset"] else reader.pending()
        for part in rest:
            shown.see(part)
        reached["proof"] = _prove(path, reached["offset"])
    except OSError:
        return _build_row(harness, file, shown, inode=0, problems=problems)
    row = _build_row(harness, file, shown, inode=inode, problems=problems + len(reader.problems))
    index.write_row(row, summary.to_fields(), reached)
    return row


def _prove(path: str, offset: int) -> int:
    """A check of what was read: a file written anew under the same inode is not one that grew."""
    with open(path, "rb") as file:
        head = file.read(min(offset, _SAMPLE))
        file.seek(max(0, offset - _SAMPLE))
        return zlib.crc32(file.read(min(offset, _SAMPLE)), zlib.crc32(head))


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
