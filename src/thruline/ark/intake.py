"""A file read into blocks: whole, or from where the version that is kept already ends.

Hashing and compressing let other threads run, so they are done beside the reading, a few blocks ahead.
"""

import hashlib
import io
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import IO, NamedTuple

from thruline.ark.compress import compress
from thruline.ark.cut import cut_blocks
from thruline.ark.entry import Member, Source
from thruline.ark.hide import encode_id, find_plain_size, hide_id, hide_in_pieces
from thruline.ark.pack import PackWriter
from thruline.disk.atomic import BINARY, CLOEXEC
from thruline.disk.faults import build_disk_error
from thruline.errors import Refused

PIECE = 512 << 10
AHEAD = 8
# A version grown longer has the same bytes where the old one had them; so many places are compared.
_SAMPLES = 16
_SAMPLE = 4 << 10


class _Sealed(NamedTuple):
    digest: bytes
    size: int
    stored: bytes


class Intake:
    """Takes files in, into one pack. `read` counts the bytes that were read for it."""

    def __init__(
        self,
        writer: PackWriter,
        is_known: Callable[[bytes], bool],
        pool: Executor,
        told: Callable[[int], None] | None = None,
    ) -> None:
        self._writer = writer
        self._told = told
        self._is_known = is_known
        self._pool = pool
        self.read = 0

    def take(self, source: Source, before: Member | None, *, fresh: bool = False) -> tuple[Member, bool]:
        """Reads `source`, its new blocks go into the pack; and whether it begins with all that `before` held.

        With `fresh` nothing is taken over from `before`, however much it looks like the same file.
        """
        hidden = encode_id(source.hidden)
        try:
            if source.data is not None:
                file: IO[bytes] = io.BytesIO(source.data)
                blocks, tail = self._seal(iter([source.data]), hidden)
                made = _build_member(source, len(source.data), None, "", blocks, tail)
                return made, before is not None and self._begins_with(file, made, before)
            with _open_own(source.path) as file:
                made, grown = self._take_file(file, source, hidden, None if fresh else before)
                return made, grown or (before is not None and self._begins_with(file, made, before))
        except OSError as error:
            raise build_disk_error(error, "read", source.path) from None

    def _begins_with(self, file: IO[bytes], made: Member, before: Member) -> bool:
        """Whether `made`, read whole from `file`, begins with the bytes of `before`."""
        if not before.blocks:
            return True
        count = len(before.blocks) - 1
        if made.hidden != before.hidden or made.size < before.size or made.blocks[:count] != before.blocks[:count]:
            return False
        # The last block ended where the old file did, so the new one has it only as a part of another.
        file.seek(before.size - before.tail)
        text = hide_id(file.read(before.tail), encode_id(made.hidden))
        return hashlib.sha256(text).hexdigest() == before.blocks[-1]

    def _take_file(self, file: IO[bytes], source: Source, hidden: bytes, before: Member | None) -> tuple[Member, bool]:
        found = os.fstat(file.fileno())
        grown = before is not None and before.hidden == source.hidden and self._has_grown(file, found, before)
        kept: tuple[str, ...] = ()
        begin = 0
        if before is not None and grown:
            # The last block ended where the file did, not at a border: it is made again.
            kept, begin = before.blocks[:-1], before.size - before.tail
        old = self.read
        # Up to the size it has now: a client may go on writing while we read.
        blocks, tail = self._seal(self._read(file, begin, found.st_size), hidden)
        size = begin + self.read - old
        probe = self._probe(file, size)
        return _build_member(source, size, found, probe, kept + blocks, tail), grown

    def _has_grown(self, file: IO[bytes], found: os.stat_result, before: Member) -> bool:
        same = (found.st_ino, found.st_dev) == (before.inode, before.device)
        # Of the same size and yet touched, it was written over: nothing was added.
        return same and found.st_size > before.size > 0 and self._probe(file, before.size) == before.probe

    def _probe(self, file: IO[bytes], size: int) -> str:
        digest = hashlib.sha256(str(size).encode())
        last = max(size - _SAMPLE, 0)
        for number in range(_SAMPLES + 1):
            file.seek(last * number // _SAMPLES)
            sample = file.read(min(_SAMPLE, size))
            self.read += len(sample)
            digest.update(sample)
        return digest.hexdigest()

    def _read(self, file: IO[bytes], begin: int, end: int) -> Iterator[bytes]:
        file.seek(begin)
        while begin < end and (piece := file.read(min(PIECE, end - begin))):
            begin += len(piece)
            self.read += len(piece)
            if self._told is not None:
                self._told(self.read)
            yield piece

    def _seal(self, pieces: Iterator[bytes], hidden: bytes) -> tuple[tuple[str, ...], int]:
        """The digests of the blocks, and how long the last one is with the id in its place."""
        digests: list[str] = []
        waiting: deque[Future[_Sealed]] = deque()
        text = b""
        for text in cut_blocks(hide_in_pieces(pieces, hidden)):
            waiting.append(self._pool.submit(self._seal_one, text))
            if len(waiting) > AHEAD:
                digests.append(self._put(waiting.popleft().result()))
        while waiting:
            digests.append(self._put(waiting.popleft().result()))
        return tuple(digests), find_plain_size(text, hidden)

    def _seal_one(self, text: bytes) -> _Sealed:
        digest = hashlib.sha256(text).digest()
        return _Sealed(digest, len(text), b"" if self._is_known(digest) else compress(text))

    def _put(self, sealed: _Sealed) -> str:
        if sealed.stored:
            self._writer.add(sealed.digest, sealed.size, sealed.stored)
        return sealed.digest.hex()


def _build_member(
    source: Source, size: int, found: os.stat_result | None, probe: str, blocks: tuple[str, ...], tail: int
) -> Member:
    mtime_ns, inode, device = (found.st_mtime_ns, found.st_ino, found.st_dev) if found else (0, 0, 0)
    return Member(source.path, source.kind, source.hidden, size, mtime_ns, inode, device, probe, blocks, tail)


def is_unchanged(source: Source, before: Member) -> bool:
    """Whether the file is, by all that its folder tells, the one that is kept."""
    if source.data is not None:
        return False
    try:
        found = os.stat(source.path)
    except OSError:
        return False
    now = (found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev)
    return now == (before.size, before.mtime_ns, before.inode, before.device)


def _open_own(path: str) -> IO[bytes]:
    # Without waiting: a pipe of that name would never let go.
    fd = os.open(path, os.O_RDONLY | BINARY | CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    found = os.fstat(fd)
    what = ""
    if not stat.S_ISREG(found.st_mode):
        what = "This is not a regular file; the ark does not take it."
    elif hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        what = "This file belongs to another user; the ark does not take it."
    if what:
        os.close(fd)
        raise Refused(what, where=path, next="archive it as the user it belongs to")
    return os.fdopen(fd, "rb", buffering=0)
