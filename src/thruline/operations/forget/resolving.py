"""From a reference to the one session that may be forgotten by it."""

import os

from thruline.errors import NotFound, Refused, UsageError
from thruline.harnesses.transcripts import find_session_id, find_transcripts
from thruline.operations.sessions.kept import find_kept, find_kept_path
from thruline.operations.sessions.locate import check_id, choose_named


def resolve(ref: str) -> tuple[str, str]:
    """(harness, id) of the session that an id, a prefix of one, or the path of its own transcript names."""
    if os.sep in ref or "/" in ref or ref.endswith(".jsonl"):
        return _resolve_path(os.path.abspath(os.path.expanduser(ref)))
    if ref in ("latest", "current"):
        raise UsageError(
            f'"{ref}" names another session every time.', where="thruline forget", next="give the id or the path"
        )
    wanted = check_id(ref).lower()
    known = {(harness.name, name) for harness, name in find_kept()}
    known |= {
        (harness.name, found.session_id)
        for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~"))
        if found.kind == "session"
    }
    fitting = choose_named(known, wanted, ref)
    if not fitting:
        raise NotFound(
            f'No session "{ref}".', where="looked at every client and in the ark", next="thruline sessions list --all"
        )
    return next(iter(fitting))


def _resolve_path(path: str) -> tuple[str, str]:
    for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~")):
        if found.path == path:
            if found.kind != "session" and found.session_id != find_session_id(harness, path):
                raise _build_beside(path, found.session_id)
            return harness.name, found.session_id
    kept = find_kept_path(path)
    if kept is None:
        raise NotFound("No client and no ark has this file.", where=path, next="thruline sessions list --all")
    known, entry = kept
    if not any(member.path == path and member.kind == "session" for member in entry.members):
        raise _build_beside(path, entry.name)
    return known.name, entry.name


def _build_beside(path: str, session_id: str) -> Refused:
    # Only that session's own transcript stands for it: whoever names another file may mean another session.
    return Refused(
        f"This file is kept as a part of session {session_id}, and is forgotten with it.",
        where=path,
        next=f"thruline forget {session_id}",
    )
