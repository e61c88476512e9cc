"""The transcripts that a brief is made from, described so that they are found again (`source.py`).

Apart from that half, which opens the ark: a brief is made often and read again seldom.
"""

import os
from collections.abc import Sequence

from thruline.brief.section import Source
from thruline.digest import sha256
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import build_unread
from thruline.value import replace

_SAMPLE = 64 << 10
_BLOCK = 1 << 20


def describe_sources(
    located: Located, *, session: str, leaf: str, labels: Sequence[str] = (), project: str = ""
) -> tuple[Source, ...]:
    """The session's own file, and those of `labels` (subagents, copies) that a brief points into."""
    files = located.sources()
    own = _describe(located, files[""])
    own = replace(own, session=session or located.session_id, harness=located.harness.name, leaf=leaf, project=project)
    others = [
        replace(_describe(located, files[label]), label=label)
        for label in sorted(set(labels))
        if label in files and label
    ]
    return own, *others


def _describe(located: Located, path: str) -> Source:
    try:
        size = os.path.getsize(path)
        return Source(path=located.shown(path), size=size, digest=digest_file(path, size))
    except OSError as error:
        raise build_unread(error, "again", located.shown(path)) from None


def measure_files(located: Located) -> int:
    """The bytes of all files of a session as they are now; one that is gone has none."""
    return sum(os.path.getsize(path) for path in located.sources().values() if os.path.exists(path))


def stamp_files(located: Located) -> str:
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


def is_same(source: Source, path: str) -> bool:
    """Whether the file at `path` still begins with what `source` describes: it may have grown, nothing else."""
    try:
        return os.path.getsize(path) >= source.size and digest_file(path, source.size) == source.digest
    except OSError:
        return False


def find_last_line(source: Source, path: str) -> int:
    """The last line that the file at `path` had when `source` was described; 0 where it did not grow since."""
    try:
        if os.path.getsize(path) <= source.size or not is_same(source, path):
            return 0
        with open(path, "rb") as file:
            left, lines, last = source.size, 0, b"\n"
            while left and (block := file.read(min(left, _BLOCK))):
                left -= len(block)
                lines += block.count(b"\n")
                last = block[-1:]
    except OSError:
        return 0
    return lines + (last != b"\n")


def digest_file(path: str, size: int) -> str:
    """What tells this file from another, of its first `size` bytes: their two ends, and how many they are."""
    digest = sha256(str(size).encode())
    with open(path, "rb") as file:
        digest.update(file.read(min(size, _SAMPLE)))
        file.seek(max(0, size - _SAMPLE))
        digest.update(file.read(min(size, _SAMPLE)))
    return digest.hexdigest()[:16]
