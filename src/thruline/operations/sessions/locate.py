"""From a reference to a session's files: an id or a prefix of it, a path, `latest` or `current`."""

import os

from thruline.errors import NotFound, Refused, ThrulineError, UsageError
from thruline.harnesses.registry import HARNESSES, Harness
from thruline.harnesses.transcripts import (
    find_companions,
    find_session_id,
    find_stored,
    find_transcripts,
    is_stored,
    recognise,
)
from thruline.layout import find_root
from thruline.operations.sessions.copies import write_stored
from thruline.operations.sessions.kept import find_kept, find_kept_path, read_kept, restore_kept
from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from thruline.ark.entry import Entry

SHORTEST_PREFIX = 8
_ID_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Located:
    """A session's files: its own transcript first, then copies of it elsewhere, and what belongs to it.

    `originals` tells of copies that were written out to be read what they are copies of; `kept` are those of them that
    came out of the ark: the client no longer has their originals. No dataclass, for the quick lane.
    """

    __slots__ = ("companions", "files", "harness", "kept", "originals", "session_id")

    def __init__(
        self,
        harness: Harness,
        session_id: str,
        files: tuple[str, ...],
        companions: tuple[Found, ...],
        originals: "Mapping[str, str] | None" = None,
        kept: frozenset[str] = frozenset(),
    ) -> None:
        self.harness = harness
        self.session_id = session_id
        self.files = files
        self.companions = companions
        self.originals = originals or {}
        self.kept = kept

    @property
    def only_kept(self) -> bool:
        """Whether the session's own transcript is in the ark alone."""
        return self.files[0] in self.kept

    def shown(self, path: str) -> str:
        """The path to tell people: of the original, also where that is gone and a copy was read."""
        return self.originals.get(path, path)

    def sources(self) -> dict[str, str]:
        """The session's transcript files by their label.

        "" is its own, `p1` one it was forked from, `b1` a copy elsewhere, `a1` a subagent's.
        """
        bases = [found.path for found in self.companions if found.kind == "base"]
        agents = [found.path for found in self.companions if found.kind == "subagent"]
        named = {f"b{number}" if number else "": path for number, path in enumerate(self.files)}
        named |= {f"p{number}": path for number, path in enumerate(bases, 1)}
        return named | {f"a{number}": path for number, path in enumerate(agents, 1)}


def locate(ref: str, *, folder: str, session: str = "") -> Located:
    """The session that `ref` names, seen from `folder`. `session` is the id a caller passed for `current`.

    `<ref>@1` is the version before the last that the ark has of it, `@2` the one before that.
    """
    plain, mark, back = ref.rpartition("@")
    if mark and plain and back.isascii() and back.isdecimal() and not os.path.lexists(ref):
        return _locate_version(locate(plain, folder=folder, session=session), int(back))
    if ref == "current":
        return _locate_id(_current_id(session), "current")
    if ref == "latest":
        return _locate_latest(folder)
    if _looks_like_path(ref):
        return _locate_path(ref)
    return _locate_id(ref, ref)


def _looks_like_path(ref: str) -> bool:
    return os.sep in ref or "/" in ref or ref.endswith((".jsonl", ".json")) or os.path.lexists(ref)


def _locate_path(ref: str) -> Located:
    if "\x00" in ref:
        raise Refused("A path cannot hold a NUL byte.", next="thruline sessions list")
    path = os.path.abspath(os.path.expanduser(ref))
    if not os.path.lexists(path):
        harness = find_stored(path)
        if harness is not None:
            return _locate_stored(harness, path)
        kept = find_kept_path(path)
        if kept is not None:
            return _locate_kept(*kept, path)
    harness = recognise(path)
    if is_stored(harness, path):
        return _locate_stored(harness, path)
    companions = tuple(find_companions(harness, path))
    return _add_kept(Located(harness, find_session_id(harness, path), (path,), companions))


def _locate_stored(harness: Harness, path: str) -> Located:
    copies = write_stored(harness, path)
    companions = tuple(find_companions(harness, copies.files[0]))
    return Located(harness, find_session_id(harness, path), copies.files, companions, copies.originals)


def check_id(ref: str) -> str:
    """`ref` if it can be a session id: never a path, a flag or anything else with a meaning of its own."""
    if not ref or ref.startswith("-") or not set(ref) <= _ID_CHARACTERS:
        raise Refused(f"{ref!r} is not a session id.", next="thruline sessions list shows the ids")
    if len(ref) < SHORTEST_PREFIX:
        raise UsageError(
            f'"{ref}" is too short for a session id.',
            where=f"a prefix needs {SHORTEST_PREFIX} characters",
            next="thruline sessions list shows the ids",
        )
    return ref


def _locate_id(ref: str, told: str) -> Located:
    wanted = check_id(ref).lower()
    named = [
        (harness, found)
        for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~"))
        if found.kind in ("session", "packed") and found.session_id.lower().startswith(wanted)
    ]
    matches = [(harness, found) for harness, found in named if found.kind == "session"]
    ids = {(harness.name, found.session_id) for harness, found in matches}
    # In the client's folder, then in the ark.
    kept = {
        (harness.name, session_id): harness
        for harness, session_id in find_kept()
        if session_id.lower().startswith(wanted) and (harness.name, session_id) not in ids
    }
    ids |= set(kept)
    if not ids and named:
        recognise(named[0][1].path)  # which tells what is to be done with a compressed file
    if not ids:
        clients = ", ".join(harness.title for harness in HARNESSES if _has_home(harness))
        looked = f"looked for transcripts of {clients}," if clients else "no client has a transcript here; looked"
        raise NotFound(
            f'No session "{told}".',
            where=f"{looked} {'and ' if clients else ''}in the ark",
            next="thruline sessions list --all",
        )
    if len(ids) > 1:
        names = ", ".join(sorted(session_id for _, session_id in ids)[:8])
        raise UsageError(f'"{told}" fits {len(ids)} sessions.', where=names, next="give more characters of the id")
    for (_, session_id), harness in kept.items():
        entry = read_kept(harness, session_id)
        if entry is not None:
            return _locate_kept(harness, entry)
    # One id in several files (another account, a copy): the one written last leads, the others are read behind it.
    matches.sort(key=lambda match: match[1].mtime, reverse=True)
    harness, newest = matches[0]
    if is_stored(harness, newest.path):
        return _locate_stored(harness, newest.path)
    files = tuple(found.path for _, found in matches)
    return _add_kept(Located(harness, newest.session_id, files, tuple(find_companions(harness, newest.path))))


def _locate_kept(harness: Harness, entry: "Entry", path: str = "", back: int = 0) -> Located:
    restored = restore_kept(entry, path, back=back)
    files, originals = restored.files, restored.originals
    if is_stored(harness, files[0]):
        # Kept as the file that it was, such as an export: the lines of it are what is read.
        lines = write_stored(harness, files[0])
        originals = originals | {copy: originals[place] for copy, place in lines.originals.items()}
        files = lines.files
    companions = tuple(find_companions(harness, files[0]))
    name = find_session_id(harness, path) if path else entry.name
    return Located(harness, name, files, companions, originals, frozenset(originals))


def _locate_version(located: Located, back: int) -> Located:
    if not back:
        return located
    entry = read_kept(located.harness, located.session_id)
    if entry is None:
        raise NotFound(
            "The ark has no earlier version: it has nothing of this session.",
            where=located.session_id,
            next="thruline archive REF",
        )
    return _locate_kept(located.harness, entry, back=back)


def _add_kept(located: Located) -> Located:
    """The same session with those of its other transcripts that the client deleted, and the ark still has."""
    try:
        entry = read_kept(located.harness, located.session_id) if find_kept() else None
        if entry is None:
            return located
        theirs = {member.path for member in entry.members if member.kind in ("subagent", "base")}
        gone = {path for path in theirs if not os.path.lexists(path)}
        own = entry.members[0].path
        if not gone or own not in located.files:
            return located
        # With the session's own file, beside which they are found, and all that it goes back to.
        bases = {member.path for member in entry.members if member.kind == "base"}
        restored = restore_kept(entry, own, only=gone | bases | {own})
    except ThrulineError:
        return located  # `doctor` tells of a damaged entry; what the client has can be read without it
    back = [found for found in find_companions(located.harness, restored.files[0]) if found.path in restored.originals]
    shown = restored.originals
    here = {found.path for found in located.companions}
    back = [found for found in back if shown[found.path] not in here]
    both = sorted([*located.companions, *back], key=lambda found: shown.get(found.path, found.path))
    first = [found for found in both if found.kind == "base"]
    if any(found.kind == "base" for found in back):
        first = [found for found in find_companions(located.harness, restored.files[0]) if found.kind == "base"]
    companions = (*first, *(found for found in both if found.kind != "base"))
    used = {found.path: shown[found.path] for found in companions if found.path in shown}
    return Located(located.harness, located.session_id, located.files, companions, used, frozenset(used))


def _has_home(harness: Harness) -> bool:
    return any(True for _ in find_transcripts(dict(os.environ), os.path.expanduser("~"), harness.name))


def _locate_latest(folder: str) -> Located:
    # Here and not on top: only this needs the index, and SQLite is a tenth of what reading a session costs.
    from thruline.operations.sessions.listing import list_sessions

    rows = list_sessions(folder=folder).rows
    if not rows:
        root = find_root(folder).path
        raise NotFound("This project has no session yet.", where=root, next="thruline sessions list --all")
    return _locate_path(rows[0].path)


def _current_id(session: str) -> str:
    if session:
        return session
    for harness in HARNESSES:
        value = os.environ.get(harness.session_variable, "") if harness.session_variable else ""
        if value:
            return value
    variables = ", ".join(harness.session_variable for harness in HARNESSES if harness.session_variable)
    raise NotFound(
        "Cannot tell which session runs this command.",
        where=f"neither --session nor {variables} is set",
        next="thruline sessions list, then give the id",
    )
