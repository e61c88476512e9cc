"""How large the files of a session are and what tells them from others: numbers alone, before anything is read.

Apart from `describe`, which makes a brief's Sources of them: a reading begins before a brief's rooms are imported.
"""

import os

from thruline.digest import sha256
from thruline.operations.sessions.reading import build_unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.operations.sessions.locate import Located

_SAMPLE = 64 << 10
_BLOCK = 1 << 20


class Measured:
    """One file: `path` as it is shown, its size, and the digest of its ends."""

    __slots__ = ("digest", "path", "size")

    def __init__(self, path: str, size: int, digest: str) -> None:
        self.path = path
        self.size = size
        self.digest = digest


def measure_file(located: "Located", path: str) -> Measured:
    """The file at `path`, one of the session's, as it is now."""
    try:
        size = os.path.getsize(path)
        return Measured(located.shown(path), size, digest_file(path, size))
    except OSError as error:
        raise build_unread(error, "again", located.shown(path)) from None


def measure_files(located: "Located") -> int:
    """The bytes of all files of a session as they are now; one that is gone has none."""
    return sum(os.path.getsize(path) for path in located.sources().values() if os.path.exists(path))


def stamp_files(located: "Located") -> str:
    """What another writing of any file of a session changes, in its middle too: for a cache, which must not lie.

    No part of a brief's own Sources: a file that was only copied or touched is the same to whoever verifies.
    """
    digest = sha256()
    for label, path in sorted(located.sources().items()):
        digest.update(f"{label}\0{_stamp(path, copied=path in located.originals)}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _stamp(path: str, *, copied: bool) -> str:
    try:
        if copied:
            # Written by us just now, out of a store or the ark: its times tell nothing, and it was read whole anyway.
            return _digest_whole(path)
        found = os.stat(path)
    except OSError:
        return ""  # gone since it was found
    # Whoever writes in place and puts the time of the last writing back still changes the inode's own.
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_dev} {found.st_ino}"


def _digest_whole(path: str) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def digest_file(path: str, size: int) -> str:
    """What tells this file from another, of its first `size` bytes: their two ends, and how many they are."""
    digest = sha256(str(size).encode())
    with open(path, "rb") as file:
        digest.update(file.read(min(size, _SAMPLE)))
        file.seek(max(0, size - _SAMPLE))
        digest.update(file.read(min(size, _SAMPLE)))
    return digest.hexdigest()[:16]
