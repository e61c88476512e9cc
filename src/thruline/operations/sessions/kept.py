"""Sessions that are only in the ark: found by name, and read through private copies that go when the command ends.

Readers take a path. So a session of the ark is written out below the user's state as it lay in the client's folder,
with everything beside it, and every place in it means what it meant.
"""

import atexit
import os
from dataclasses import dataclass

from thruline.disk.atomic import build_temp_name, is_left_over, make_folders
from thruline.disk.faults import build_disk_error
from thruline.harnesses.registry import HARNESSES, Harness
from thruline.layout import find_user_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.ark.entries import Entries
    from thruline.ark.entry import Entry

# Every command that names a session comes through here, and most people have no ark: what only the ark needs is
# imported where it is used.


@dataclass(frozen=True, slots=True)
class Restored:
    """A session's files written out of the ark. `originals` tells where each copy's original was."""

    files: tuple[str, ...]
    originals: dict[str, str]


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


def restore_kept(entry: "Entry", path: str = "") -> Restored:
    """The entry's files on disk until this process ends; `files` are its transcripts, or the one that was at `path`."""
    from thruline.ark.store import Ark
    from thruline.config import load_config_tolerant

    user = find_user_paths()
    seconds = load_config_tolerant(None, user, os.environ).disk.lock_seconds
    folder = _make_folder(user.restored)
    made = Ark(user.ark, seconds).restore(entry.shelf, entry.name, folder)
    wanted = [path] if path else [member.path for member in entry.members if member.kind == "session"]
    return Restored(tuple(made[each] for each in wanted), {copy: each for each, copy in made.items()})


def read_kept_head(harness: Harness, entry: "Entry") -> dict[str, str]:
    """What the beginning of a session in the ark tells, such as `cwd`; {} where it cannot be had."""
    import shutil

    from thruline.ark.store import Ark
    from thruline.errors import ThrulineError
    from thruline.harnesses.transcripts import read_head

    own = next((member for member in entry.members if member.kind == "session"), None)
    if own is None:
        return {}
    user = find_user_paths()
    try:
        folder = _make_folder(user.restored)
        try:
            path = os.path.join(folder, "head")
            with open(path, "xb") as file:
                pieces = Ark(user.ark).read(own)
                file.write(next(pieces, b""))
                pieces.close()
            return read_head(harness, path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except (OSError, ThrulineError):
        return {}


def drop_restored(restored: Restored) -> None:
    """Removes the copies before the process ends."""
    import shutil

    base = find_user_paths().restored
    for copy in restored.originals:
        shutil.rmtree(os.path.join(base, os.path.relpath(copy, base).split(os.sep)[0]), ignore_errors=True)
        return


def sweep_restored() -> None:
    """Removes the copies of commands that were killed."""
    import shutil

    base = find_user_paths().restored
    for name in os.listdir(base) if os.path.isdir(base) else ():
        if is_left_over(name):
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)


def _make_folder(base: str) -> str:
    import shutil

    folder = os.path.join(base, build_temp_name())
    try:
        make_folders(base, 0o700)
        sweep_restored()
        os.mkdir(folder, 0o700)
    except OSError as error:
        raise build_disk_error(error, "copy a session out of the ark into", base) from None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _entries() -> "Entries":
    from thruline.ark.entries import Entries

    return Entries(os.path.join(find_user_paths().ark, "entries"))
