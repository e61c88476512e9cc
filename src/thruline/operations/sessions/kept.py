"""Sessions that are only in the ark: found by name, and read through private copies that go when the command ends."""

import os

from thruline.harnesses.registry import HARNESSES, Harness
from thruline.layout import find_user_paths
from thruline.operations.sessions.copies import Copies, make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from thruline.ark.entries import Entries
    from thruline.ark.entry import Entry

# Every command that names a session comes through here, and most people have no ark: what only the ark needs is
# imported where it is used.
_HEAD = 256 << 10
_DOING = "copy a session out of the ark into"


def find_kept() -> list[tuple[Harness, str]]:
    """Every session in the ark, by its client and id; nothing is opened."""
    if not os.path.isdir(find_user_paths().ark):
        return []
    known = {harness.name: harness for harness in HARNESSES}
    return [(known[shelf], name) for shelf, name in _entries().find_names() if shelf in known]


def read_kept(harness: Harness, session_id: str) -> "Entry | None":
    """What the ark has of a session."""
    return _entries().read(harness.name, session_id)


def find_kept_path(path: str) -> "tuple[Harness, Entry] | None":
    """The session in the ark that the file of this path, now gone, belonged to; its own before those that hold a copy.

    An entry that cannot be read does not stand in the way of the others; where none of those has the file, it may be
    the one, and its error is raised.
    """
    from thruline.errors import ThrulineError

    stem = os.path.basename(path).removesuffix(".jsonl")
    # Its own name first: reading every entry is only for files beside a transcript.
    names = sorted(find_kept(), key=lambda pair: not stem.endswith(pair[1]))
    unread: ThrulineError | None = None
    beside: tuple[Harness, Entry] | None = None
    for harness, session_id in names:
        try:
            entry = read_kept(harness, session_id)
        except ThrulineError as error:
            unread = unread or error
            continue
        kinds = {member.kind for member in entry.members if member.path == path} if entry is not None else set()
        if entry is not None and "session" in kinds:
            return harness, entry
        if entry is not None and kinds:
            beside = beside or (harness, entry)
    if beside is None and unread is not None:
        raise unread
    return beside


def restore_kept(entry: "Entry", path: str = "", *, only: "Collection[str] | None" = None, back: int = 0) -> Copies:
    """The entry's files on disk until this process ends; `files` are its transcripts, or the one that was at `path`.

    `only` are the paths of those to be written (None: all); `back` is how many versions ago the session's own.
    """
    from thruline.ark.store import Ark
    from thruline.config import load_config_tolerant

    user = find_user_paths()
    seconds = load_config_tolerant(None, user, os.environ).disk.lock_seconds
    made = Ark(user.ark, seconds).restore(entry.shelf, entry.name, make_folder(_DOING), only=only, back=back)
    wanted = [path] if path else [member.path for member in entry.members if member.kind == "session"]
    # An earlier version stands alone: copies of the session elsewhere are not as old as it is.
    wanted = wanted[:1] if back else [each for each in wanted if each in made]
    return Copies(tuple(made[each] for each in wanted), {copy: each for each, copy in made.items()})


def read_kept_head(harness: Harness, entry: "Entry") -> dict[str, str]:
    """What the beginning of a session in the ark tells, such as `cwd`; {} where it cannot be had."""
    import shutil

    from thruline.ark.store import Ark
    from thruline.errors import ThrulineError
    from thruline.harnesses.transcripts import read_head

    own = next((member for member in entry.members if member.kind == "session"), None)
    if own is None:
        return {}
    try:
        folder = make_folder(_DOING)
        try:
            path = os.path.join(folder, "head.jsonl")
            with open(path, "xb") as file:
                pieces = Ark(find_user_paths().ark).read(own)
                while file.tell() < _HEAD and (piece := next(pieces, b"")):
                    file.write(piece)
                pieces.close()
            return read_head(harness, path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, ThrulineError):
        return {}


def _entries() -> "Entries":
    from thruline.ark.entries import Entries

    return Entries(os.path.join(find_user_paths().ark, "entries"))
