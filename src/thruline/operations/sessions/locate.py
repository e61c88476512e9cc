"""From a reference to a session's files: an id or a prefix of it, a path, `latest` or `current`."""

import os

from thruline.errors import NotFound, Refused, UsageError
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
from thruline.operations.sessions.in_ark import add_kept, locate_kept, locate_stored, locate_version
from thruline.operations.sessions.kept import find_kept, find_kept_path, read_kept
from thruline.operations.sessions.located import Located as Located
from thruline.session.names import TOLD, is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.session.found import Found

SHORTEST_PREFIX = 8


def locate(ref: str, *, folder: str, session: str = "") -> Located:
    """The session that `ref` names, seen from `folder`. `session` is the id a caller passed for `current`.

    `<ref>@0` is the last version that the ark has of it, whatever became of the client's; `@1` the one before that.
    """
    plain, back = split_version(ref)
    if back is not None:
        return _locate_version(plain, back, folder, session)
    if ref == "current":
        return _locate_id(_current_id(session, folder), "current")
    if ref == "latest":
        return _locate_latest(folder)
    if _looks_like_path(ref):
        return _locate_path(ref)
    return _locate_id(ref, ref)


def split_version(ref: str) -> "tuple[str, int | None]":
    """A reference without `@<number>`, and that number; None where there is none, or where a file has that name."""
    plain, mark, back = ref.rpartition("@")
    if mark and plain and back.isascii() and back.isdecimal() and not os.path.lexists(ref):
        return plain, int(back)
    return ref, None


def _locate_version(plain: str, back: int, folder: str, session: str) -> Located:
    if _looks_like_path(plain):
        # Asked first: what the client has of it now may be no session any more.
        path = os.path.abspath(os.path.expanduser(plain))
        kept = find_kept_path(path)
        if kept is not None and kept[1].members[0].path == path:
            return locate_kept(*kept, back=back)
    return locate_version(locate(plain, folder=folder, session=session), back)


def _looks_like_path(ref: str) -> bool:
    return os.sep in ref or "/" in ref or ref.endswith((".jsonl", ".json")) or os.path.lexists(ref)


def _locate_path(ref: str) -> Located:
    if "\x00" in ref:
        raise Refused("A path cannot hold a NUL byte.", where=repr(ref), next="thruline sessions list")
    path = os.path.abspath(os.path.expanduser(ref))
    if not os.path.lexists(path):
        harness = find_stored(path)
        if harness is not None:
            return locate_stored(harness, path)
        kept = find_kept_path(path)
        if kept is not None:
            return locate_kept(*kept, path)
    harness = recognise(path)
    if is_stored(harness, path):
        return locate_stored(harness, path)
    companions = tuple(find_companions(harness, path))
    return add_kept(Located(harness, find_session_id(harness, path), (path,), companions))


def check_id(ref: str) -> str:
    """`ref` if it can be a session id: never a path, a flag or anything else with a meaning of its own."""
    if not is_id(ref):
        raise Refused(f"{ref!r} is not a session id.", where=TOLD, next="thruline sessions list shows the ids")
    if len(ref) < SHORTEST_PREFIX:
        raise UsageError(
            f'"{ref}" is too short for a session id.',
            where=f"a prefix needs {SHORTEST_PREFIX} characters",
            next="thruline sessions list shows the ids",
        )
    return ref


def choose_named(ids: "set[tuple[str, str]]", wanted: str, told: str) -> "set[tuple[str, str]]":
    """The one of these (client, id) that `wanted`, in small letters, names: as a whole, else by its beginning.

    None of them where there is none; an error where there are several, which says `told`.
    """
    whole = {pair for pair in ids if pair[1].lower() == wanted}
    fitting = whole or {pair for pair in ids if pair[1].lower().startswith(wanted)}
    if len(fitting) > 1:
        names = ", ".join([f"{harness}:{name}" if whole else name for harness, name in sorted(fitting)[:8]])
        advice = "give the path of its transcript" if whole else "give more characters of the id"
        raise UsageError(f'"{told}" fits {len(fitting)} sessions.', where=names, next=advice)
    return fitting


def _locate_id(ref: str, told: str) -> Located:
    wanted = check_id(ref).lower()
    files = list(find_transcripts(dict(os.environ), os.path.expanduser("~")))
    named = [
        (harness, found)
        for harness, found in files
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
    ids = choose_named(ids | set(kept), wanted, told)
    if not ids and named:
        recognise(named[0][1].path)  # which tells what is to be done with a compressed file
    if not ids:
        raise NotFound(f'No session "{told}".', where=_tell_looked(files), next="thruline sessions list --all")
    for name, session_id in ids & set(kept):
        entry = read_kept(kept[name, session_id], session_id)
        if entry is not None:
            return locate_kept(kept[name, session_id], entry)
    matches = [(harness, found) for harness, found in matches if (harness.name, found.session_id) in ids]
    # One id in several files (another account, a copy): the one written last leads, the others are read behind it.
    matches.sort(key=lambda match: match[1].mtime, reverse=True)
    harness, newest = matches[0]
    if is_stored(harness, newest.path):
        return locate_stored(harness, newest.path)
    own = tuple(found.path for _, found in matches)
    return add_kept(Located(harness, newest.session_id, own, tuple(find_companions(harness, newest.path))))


def _tell_looked(files: "list[tuple[Harness, Found]]") -> str:
    """Where a session was looked for in vain."""
    titles = {harness.title: None for harness, found in files if found.kind != "closed"}
    closed = [found.path for _, found in files if found.kind == "closed"]
    looked = (
        f"looked for transcripts of {', '.join(titles)}, and" if titles else "no client has a transcript here; looked"
    )
    more = f" and {len(closed) - 1} more" if len(closed) > 1 else ""
    return f"{looked} in the ark" + (f", but not into {closed[0]}{more}, which may not be read" if closed else "")


def _locate_latest(folder: str) -> Located:
    # Here and not on top: only this needs the index, and SQLite is a tenth of what reading a session costs.
    from thruline.operations.sessions.listing import list_sessions

    found = list_sessions(folder=folder)
    if not found.rows:
        where = find_root(folder).path + (f"; {found.closed[0]} may not be read" if found.closed else "")
        raise NotFound("This project has no session yet.", where=where, next="thruline sessions list --all")
    return _locate_path(found.rows[0].path)


def find_told() -> "list[tuple[Harness, str]]":
    """The sessions that the environment names, each with its client.

    Several where one client runs inside the tool shell of another: each sets its own variable and leaves the others'.
    """
    named = ((harness, os.environ.get(harness.session_variable, "")) for harness in HARNESSES)
    return [(harness, value) for harness, value in named if harness.session_variable and value]


def check_told(told: "list[tuple[Harness, str]]") -> None:
    """Raises where several sessions are named: which of them is the inner one, nothing there says."""
    if len(told) > 1:
        raise UsageError(
            f"Cannot tell which session is meant: the environment names {len(told)}.",
            where=", ".join(f"{harness.name}:{value} ({harness.session_variable})" for harness, value in told),
            next="say which: its id instead of current, or --session ID",
        )


def _current_id(session: str, folder: str) -> str:
    if session:
        return session
    told = find_told()
    check_told(told)
    if told:
        return told[0][1]
    # Here: a tool's shell has the variable, and few commands come from anywhere else.
    from thruline.operations.sessions.running import find_busy

    return find_busy(find_root(folder).path)[1]
