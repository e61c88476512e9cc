"""Sessions written out as files until the command ends: out of the ark, or out of a client's database.

Readers take a path, and every place in a session must mean what it meant. So a session that is no file of lines (any
more) becomes one, below the user's state, private, with everything beside it that lay beside it.
"""

import atexit
import os

from thruline.disk.atomic import build_temp_name, is_left_over, make_folders
from thruline.disk.faults import build_disk_error
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_companions, read_lines
from thruline.layout import find_user_paths

_DOING = "write a copy of a session into"


class Copies:
    """Files written out. `files` are a session's transcripts; `originals` tells of every copy where its original is."""

    __slots__ = ("files", "originals")

    def __init__(self, files: tuple[str, ...], originals: dict[str, str]) -> None:
        self.files = files
        self.originals = originals


def write_stored(harness: Harness, path: str) -> Copies:
    """The session at `path`, which its client keeps in no file of lines, and those of its subagents, as such files."""
    folder = make_folder()
    made: dict[str, str] = {}
    for place in dict.fromkeys([path, *(found.path for found in find_companions(harness, path))]):
        copy = os.path.join(folder, os.path.splitext(os.path.basename(place))[0] + ".jsonl")
        try:
            with open(copy, "xb", opener=_open_private) as file:
                file.writelines(read_lines(harness, place))
        except OSError as error:
            raise build_disk_error(error, _DOING, folder) from None
        made[copy] = place
    return Copies((next(iter(made)),), made)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def make_folder(doing: str = _DOING) -> str:
    """A folder of this process, gone when it ends; what killed commands left goes now. An error says `doing` what."""
    import shutil

    base = find_user_paths().restored
    folder = os.path.join(base, build_temp_name())
    try:
        make_folders(base, 0o700)
        sweep_copies()
        os.mkdir(folder, 0o700)
    except OSError as error:
        raise build_disk_error(error, doing, base) from None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def drop_copies(copies: Copies) -> None:
    """Removes the copies before the process ends."""
    import shutil

    base = find_user_paths().restored
    for copy in copies.originals:
        shutil.rmtree(os.path.join(base, os.path.relpath(copy, base).split(os.sep)[0]), ignore_errors=True)
        return


def sweep_copies() -> None:
    """Removes the copies of commands that were killed."""
    import shutil

    base = find_user_paths().restored
    for name in os.listdir(base) if os.path.isdir(base) else ():
        if is_left_over(name):
            shutil.rmtree(os.path.join(base, name), ignore_errors=True)
