"""The sessions of a project, or of the whole machine, newest first.

The first run reads every transcript once; afterwards only what changed. What was scanned is kept even if the user
stops in the middle.
"""

import os

from thruline.harnesses.transcripts import find_transcripts
from thruline.index.sessions import SessionIndex
from thruline.layout import find_root, find_user_paths

# Where nothing is new, nothing is opened: what reads transcripts or the ark is imported when it is needed.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from thruline.harnesses.registry import Harness
    from thruline.index.sessions import SessionRow
    from thruline.session.found import Found

    # Sessions that only the ark has, by the path they had.
    Kept = dict[str, tuple[Harness, Found]]
    # What chooses and orders a session, known or just read: time, path, starter and folder.
    Line = tuple[float, str, str, str]
    # Told after each file that had to be read: how many are done, of how many, and the bytes of both.
    Progress = Callable[[int, int, int, int], None]

_UNKNOWN = (-1, 0.0, "", "")  # no file has this size


class SessionList:
    """What was asked for, and how many sessions there are in all.

    `kept` are the paths of those only in the ark. `trouble` says why the next list will not be faster than this one.
    `id_length` is how much of an id tells it from every other one. `packed` are transcripts, of whatever project, that
    their client compressed: they cannot be read, and are not among the rows. `closed` are folders of transcripts that
    may not be read.
    """

    __slots__ = ("closed", "id_length", "kept", "packed", "root", "rows", "total", "trouble")

    def __init__(
        self,
        rows: "tuple[SessionRow, ...]",
        total: int,
        root: str,
        kept: "frozenset[str]",
        trouble: str,
        id_length: int,
        packed: "tuple[str, ...]" = (),
        closed: "tuple[str, ...]" = (),
    ) -> None:
        self.rows = rows
        self.total = total
        self.root = root
        self.kept = kept
        self.trouble = trouble
        self.id_length = id_length
        self.packed = packed
        self.closed = closed


def list_sessions(
    *,
    folder: str = "",
    harness: str = "",
    since: float = 0.0,
    limit: int = 0,
    progress: "Progress | None" = None,
    copies: bool = False,
) -> SessionList:
    """Sessions of the project that `folder` belongs to (all projects where it is empty), newest first.

    Of one that has several files, such as under two accounts, only the newest, unless with `copies`.
    """
    root = find_root(folder).path if folder else ""
    files = list(find_transcripts(dict(os.environ), os.path.expanduser("~"), harness))
    found = [(known, file) for known, file in files if file.kind == "session"]
    packed = tuple([file.path for _, file in files if file.kind == "packed"])
    closed = tuple([file.path for _, file in files if file.kind == "closed"])
    index = SessionIndex(find_user_paths().index, optional=True)
    try:
        kept, fresh = _find_only_kept(index, found, harness)
        found += kept.values()
        lines, scanned = _bring_up_to_date(index, found, kept, progress, whole=not harness)
        if fresh:
            index.write_kept(fresh)
        ids = [file.session_id for _, file in found]
        wanted = _choose(lines, root, since)
        if not copies and len(set(ids)) < len(ids):
            wanted = _drop_copies(wanted, found)
        shown = [path for _, path, _, _ in (wanted[:limit] if limit else wanted)]
        # Another process may have dropped a row since we saw it.
        rows = index.read_rows([path for path in shown if path not in scanned]) | scanned
    finally:
        index.close()
    length = find_prefix_length(ids)
    own = tuple([rows[path] for path in shown if path in rows])
    return SessionList(own, len(wanted), root, frozenset(kept), index.trouble, length, packed, closed)


def find_prefix_length(ids: "list[str]") -> int:
    """How many characters tell these ids apart: 8 where that is enough, else up to the next dash that is."""
    different = len(set(ids))
    for length in (8, 13, 18, 23):
        if len({one[:length] for one in ids}) == different:
            return length
    return max((len(one) for one in ids), default=8)


def _choose(lines: "list[Line]", root: str, since: float) -> "list[Line]":
    """Those of the project at `root` (of all, where it is empty) that were written after `since`, newest first."""
    there: dict[str, bool] = {}  # thousands of sessions, a few folders
    wanted = []
    for line in lines:
        mtime, _, starter, cwd = line
        # A subagent's file is part of the session that started it, not a session of its own.
        if starter or mtime < since:
            continue
        if root and cwd not in there:
            there[cwd] = _belongs(cwd, root)
        if not root or there[cwd]:
            wanted.append(line)
    wanted.sort(key=lambda line: line[0], reverse=True)
    return wanted


def _drop_copies(lines: "list[Line]", found: "list[tuple[Harness, Found]]") -> "list[Line]":
    """Without the older files of one session: its id names them all, and the newest leads."""
    names = {file.path: (harness.name, file.session_id) for harness, file in found}
    seen: set[tuple[str, str]] = set()
    newest = []
    for line in lines:
        name = names[line[1]]
        if name not in seen:
            seen.add(name)
            newest.append(line)
    return newest


def _belongs(cwd: str, root: str) -> bool:
    # By the folder recorded inside, not by the client's folder name: that encoding maps many paths to one.
    if cwd == root or cwd.startswith(root + os.sep):
        return True
    # Recorded by way of a link, of the project or of a folder above it; a root is where the links lead.
    real = os.path.realpath(cwd) if os.path.isabs(cwd) else ""
    return real == root or real.startswith(root + os.sep)


def _find_only_kept(
    index: SessionIndex, found: "list[tuple[Harness, Found]]", harness: str
) -> "tuple[Kept, list[tuple[str, str, str, str, int, float]]]":
    """The sessions that only the ark has, and what the index should know of those it did not."""
    kept: Kept = {}
    fresh: list[tuple[str, str, str, str, int, float]] = []
    ark = find_user_paths().ark
    if not os.path.isdir(ark):
        return kept, fresh
    from thruline.ark.names import find_names, read_stamp
    from thruline.harnesses.registry import HARNESSES
    from thruline.session.found import Found

    here = {(known.name, file.session_id) for known, file in found}
    clients = {known.name: known for known in HARNESSES if not harness or known.name == harness}
    seen = index.read_kept()
    for shelf, name, place in find_names(os.path.join(ark, "entries")):
        if shelf not in clients or (shelf, name) in here:
            continue
        stamp = read_stamp(place)
        known = seen.get((shelf, name))
        if known is not None and known[0] == stamp:
            file = Found(known[1], name, known[2], known[3])
        else:
            entry = _read_entry(clients[shelf], name, place)
            if entry is None:
                continue
            file = entry
            if file.path != place:  # a damaged entry may be mended: it is tried again each time
                fresh.append((file.path, shelf, name, stamp, file.size, file.mtime))
        kept[file.path] = (clients[shelf], file)
    return kept, fresh


def _read_entry(harness: "Harness", session_id: str, place: str) -> "Found | None":
    """The session of an entry; one that cannot be read stands for itself, so that its row can say why."""
    from thruline.errors import ThrulineError
    from thruline.operations.sessions.kept import read_kept
    from thruline.session.found import Found

    try:
        entry = read_kept(harness, session_id)
    except ThrulineError:
        status = os.stat(place)
        return Found(place, session_id, status.st_size, status.st_mtime)
    if entry is None or not entry.members:
        return None
    own = entry.members[0]
    return Found(own.path, entry.name, own.size, own.mtime)


def _bring_up_to_date(
    index: SessionIndex, found: "list[tuple[Harness, Found]]", kept: "Kept", progress: "Progress | None", *, whole: bool
) -> "tuple[list[Line], dict[str, SessionRow]]":
    """A line for every file, and the rows of those that had to be read."""
    known = index.read_stamps()
    lines: list[Line] = []
    stale: list[tuple[Harness, Found]] = []
    for harness, file in found:
        size, mtime, starter, cwd = known.pop(file.path, _UNKNOWN)
        if size == file.size and mtime == file.mtime:
            lines.append((mtime, file.path, starter, cwd))
        else:
            stale.append((harness, file))
    if whole and known:
        index.drop_rows(list(known))
    if not stale:
        return lines, {}
    from thruline.operations.sessions.scanning import scan_stale

    rows = scan_stale(index, stale, kept, progress)
    lines += [(row.mtime, row.path, row.starter, row.cwd) for row in rows]
    return lines, {row.path: row for row in rows}
