"""What the ark has of a session: all of it, an earlier version, or those files that the client deleted."""

import os

from thruline.errors import NotFound, ThrulineError
from thruline.harnesses.transcripts import find_companions, find_session_id, is_stored, is_there
from thruline.operations.sessions.copies import Copies, write_stored
from thruline.operations.sessions.kept import find_kept, read_kept, restore_kept
from thruline.operations.sessions.located import Located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.ark.entry import Entry
    from thruline.harnesses.registry import Harness


def locate_stored(harness: "Harness", path: str) -> Located:
    """A session that its client keeps in no file of lines, written out as such.

    Beside it lie those of its subagents, also where the client deleted them and the ark still has them.
    """
    copies = write_stored(harness, path)
    name = find_session_id(harness, path)
    kept = _put_beside(harness, name, copies)
    companions = tuple(find_companions(harness, copies.files[0]))
    return Located(harness, name, copies.files, companions, copies.originals | kept, frozenset(kept))


def _put_beside(harness: "Harness", session_id: str, copies: Copies) -> dict[str, str]:
    """Puts what the client deleted of the session, out of the ark, beside its copy; the paths of both."""
    folder = os.path.dirname(copies.files[0])
    made = {}
    try:
        entry = read_kept(harness, session_id) if find_kept() else None
        gone = _find_gone(harness, entry) if entry is not None else set()
        if entry is None or not gone or entry.members[0].path != copies.originals[copies.files[0]]:
            return {}
        restored = restore_kept(entry, only=gone)
        for copy, original in restored.originals.items():
            made[os.path.join(folder, os.path.basename(copy))] = original
            os.rename(copy, os.path.join(folder, os.path.basename(copy)))
    except (OSError, ThrulineError):
        pass  # as below
    return made


def _find_gone(harness: "Harness", entry: "Entry") -> set[str]:
    theirs = {member.path for member in entry.members if member.kind in ("subagent", "base")}
    return {path for path in theirs if not is_there(harness, path)}


def locate_kept(harness: "Harness", entry: "Entry", path: str = "", back: int = 0) -> Located:
    """A session out of the ark, or that of the file which was at `path`; `back` versions before the last."""
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


def locate_version(located: Located, back: int) -> Located:
    """The same session as the ark has it, `back` versions before the last."""
    entry = read_kept(located.harness, located.session_id)
    if entry is None:
        raise NotFound(
            "The ark has no version of it: it has nothing of this session.",
            where=located.session_id,
            next="thruline archive REF",
        )
    return locate_kept(located.harness, entry, back=back)


def add_kept(located: Located) -> Located:
    """The same session with those of its other transcripts that the client deleted, and the ark still has."""
    harness = located.harness
    try:
        entry = read_kept(harness, located.session_id) if find_kept() else None
        if entry is None:
            return located
        gone = _find_gone(harness, entry)
        own = entry.members[0].path
        if not gone or own not in located.files:
            return located
        # With the session's own file, beside which they are found, and all that it goes back to.
        bases = {member.path for member in entry.members if member.kind == "base"}
        restored = restore_kept(entry, own, only=gone | bases | {own})
    except ThrulineError:
        return located  # `doctor` tells of a damaged entry; what the client has can be read without it
    shown = restored.originals
    back = [found for found in find_companions(harness, restored.files[0]) if found.path in restored.originals]
    here = {found.path for found in located.companions}
    back = [found for found in back if shown[found.path] not in here]
    both = sorted([*located.companions, *back], key=lambda found: shown.get(found.path, found.path))
    first = [found for found in both if found.kind == "base"]
    if any(found.kind == "base" for found in back):
        first = [found for found in find_companions(harness, restored.files[0]) if found.kind == "base"]
    companions = (*first, *(found for found in both if found.kind != "base"))
    used = {found.path: shown[found.path] for found in companions if found.path in shown}
    return Located(harness, located.session_id, located.files, companions, used, frozenset(used))
