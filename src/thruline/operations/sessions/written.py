"""Where a result may be written: over no transcript, and over nothing that the command reads."""

import os

from thruline.errors import Refused, ThrulineError
from thruline.harnesses.transcripts import find_sidecars, recognise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from thruline.operations.sessions.located import Located

# How files begin that may hold sessions and that no reader recognises as they are: a client's database, packed ones.
_HOLDERS = (b"SQLite format 3\x00", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")


def check_out(out: str, located: "Located | None" = None, read: "Iterable[tuple[str, str]]" = ()) -> None:
    """Refused where writing to `out` would destroy a transcript, or one of the files that are `read`: (path, what).

    Compared as files, not as names: a link, another spelling and a second name of a file are that file.
    """
    if not os.path.exists(out):
        return
    for path, what in (*read, *_find_files(located)):
        if _is_same(path, out):
            raise _refuse(out, what)
    if os.path.isfile(out) and _holds_session(out):
        raise _refuse(out, "a transcript")


def _refuse(out: str, what: str) -> Refused:
    return Refused(f"This is {what}, which would be overwritten.", where=out, next="give another --out")


def _find_files(located: "Located | None") -> "Iterator[tuple[str, str]]":
    """All files of a session, as its client has them, and copies of ours."""
    if located is None:
        return
    own = [*located.files, *(found.path for found in located.companions)]
    for path in own:
        yield path, "a transcript of the session"
        # A session in a store is known by a path below the store's own file.
        shown = located.shown(path)
        while shown and not os.path.exists(shown) and shown != os.path.dirname(shown):
            shown = os.path.dirname(shown)
        yield shown, "a transcript of the session"
    for found in find_sidecars(located.harness, located.shown(located.files[0])):
        yield found.path, "a file of the session"


def _is_same(path: str, out: str) -> bool:
    try:
        return os.path.samefile(path, out)
    except (OSError, ValueError):
        return False


def _holds_session(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(max(map(len, _HOLDERS)))
    except OSError:
        return False  # what cannot be read is told by whoever writes there
    if head.startswith(_HOLDERS):
        return True
    try:
        recognise(path)
    except ThrulineError:
        return False
    return True
