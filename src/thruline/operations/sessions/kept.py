"""Sessions that are only in the ark: found by name, and read through private copies that go when the command ends."""

import os

from thruline.harnesses.registry import HARNESSES, Harness
from thruline.layout import find_user_paths
from thruline.operations.sessions.copies import Copies, make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.ark.entries import Entries
    from thruline.ark.entry import Entry

# Every command that names a session comes through here, and most people have no ark: what only the ark needs is
# imported where it is used.
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
    """The session in the ark that the file of this path, now gone, belonged to."""
    stem = os.path.basename(path).removesuffix(".jsonl")
    # Its own name first: reading every entry is only for files beside a transcript.
    names = sorted(find_kept(), key=lambda pair: pair[1] != stem)
    for harness, session_id in names:
        entry = read_kept(harness, session_id)
        if entry is not None and any(member.path == path for member in entry.members):
            return harness, entry
    return None


def restore_kept(entry: "Entry", path: str = "") -> Copies:
    """The entry's files on disk until this process ends; `files` are its transcripts, or the one that was at `path`."""
    from thruline.ark.store import Ark
    from thruline.config import load_config_tolerant

    user = find_user_paths()
    seconds = load_config_tolerant(None, user, os.environ).disk.lock_seconds
    made = Ark(user.ark, seconds).restore(entry.shelf, entry.name, make_folder(_DOING))
    wanted = [path] if path else [member.path for member in entry.members if member.kind == "session"]
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
                file.write(next(pieces, b""))
                pieces.close()
            return read_head(harness, path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, ThrulineError):
        return {}


def _entries() -> "Entries":
    from thruline.ark.entries import Entries

    return Entries(os.path.join(find_user_paths().ark, "entries"))
