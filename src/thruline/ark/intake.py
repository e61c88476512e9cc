"""A file read into blocks: whole, or from where the version that is kept already ends.

Hashing and compressing let other threads run, so they are done beside the reading, a few blocks ahead.
"""

import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import IO, NamedTuple

from thruline.ark.compress import compress
from thruline.ark.cut import cut_blocks
from thruline.ark.entry import Member, Source
from thruline.ark.hide import encode_id, find_plain_size, hide_id, hide_in_pieces
from thruline.ark.marks import Marks
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


class _Blocks(NamedTuple):
    """The blocks of a file; how long the last one is with all that was taken out of it; which lines had a mark."""

    digests: tuple[str, ...]
    tail: int
    runs: tuple[int, ...] = ()
    lines: int = 0


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
        if before is not None and before.mark != source.mark:
            source = replace(source, mark=before.mark)  # blocks are the same only where the same was taken out
        try:
            if source.read is not None:
                return self._take_made(source, source.read, before)
            with _open_own(source.path) as file:
                made, grown = self._take_file(file, source, None if fresh else before)
                if before is None or grown or not _may_begin_with(made, before):
                    return made, grown
                # The last block ended where the old file did, so the new one has it only as a part of another.
                file.seek(before.size - before.tail)
                return made, _is_last_block(file.read(before.tail), before)
        except OSError as error:
            raise build_disk_error(error, "read", source.path) from None

    def _take_made(
        self, source: Source, read: Callable[[], Iterable[bytes]], before: Member | None
    ) -> tuple[Member, bool]:
        window = _Window(before.size - before.tail, before.size) if before is not None else _Window(0, 0)
        sealed = self._seal(self._count(window.watch(read())), source)
        made = _build_member(source, window.size, (source.changed_ns, 0, 0), "", sealed)
        begins = before is not None and _may_begin_with(made, before) and _is_last_block(bytes(window.seen), before)
        return made, begins

    def _take_file(self, file: IO[bytes], source: Source, before: Member | None) -> tuple[Member, bool]:
        found = os.fstat(file.fileno())
        grown = before is not None and before.hidden == source.hidden and self._has_grown(file, found, before)
        # The last block ended where the file did, not at a border: it is made again.
        begin = before.size - before.tail if before is not None and grown else 0
        old = self.read
        # Up to the size it has now: a client may go on writing while we read.
        sealed = self._seal(self._read(file, begin, found.st_size), source, before if grown else None)
        size = begin + self.read - old
        stamp = found.st_mtime_ns, found.st_ino, found.st_dev
        return _build_member(source, size, stamp, self._probe(file, size), sealed), grown

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
        return self._count(_read_pieces(file, end - begin))

    def _count(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.read += len(piece)
            if self._told is not None:
                self._told(self.read)
            yield piece

    def _seal(self, pieces: Iterator[bytes], source: Source, before: Member | None = None) -> _Blocks:
        """The blocks of the pieces, behind those of `before` but for its last one."""
        hidden = encode_id(source.hidden)
        line, runs = (before.lines, before.runs) if before is not None else (0, ())
        marks = Marks(source.mark, line, runs) if source.mark else None
        digests: list[str] = [] if before is None else list(before.blocks[:-1])
        waiting: deque[Future[_Sealed]] = deque()
        text = b""
        for text in cut_blocks(hide_in_pieces(marks.take_out(pieces) if marks else pieces, hidden)):
            waiting.append(self._pool.submit(self._seal_one, text))
            if len(waiting) > AHEAD:
                digests.append(self._put(waiting.popleft().result()))
        while waiting:
            digests.append(self._put(waiting.popleft().result()))
        tail = find_plain_size(text, hidden)
        if marks is None:
            return _Blocks(tuple(digests), tail)
        lines = marks.lines - text.count(b"\n")
        return _Blocks(tuple(digests), tail + marks.find_length(lines), marks.runs, lines)

    def _seal_one(self, text: bytes) -> _Sealed:
        digest = hashlib.sha256(text).digest()
        return _Sealed(digest, len(text), b"" if self._is_known(digest) else compress(text))

    def _put(self, sealed: _Sealed) -> str:
        if sealed.stored:
            self._writer.add(sealed.digest, sealed.size, sealed.stored)
        return sealed.digest.hex()


class _Window:
    """What stands between two places of a stream, and how long the stream is in all."""

    def __init__(self, begin: int, end: int) -> None:
        self._begin = begin
        self._end = end
        self.size = 0
        self.seen = bytearray()

    def watch(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if self.size < self._end and self.size + len(piece) > self._begin:
                self.seen += piece[max(self._begin - self.size, 0) : self._end - self.size]
            self.size += len(piece)
            yield piece


def _read_pieces(file: IO[bytes], left: int) -> Iterator[bytes]:
    while left > 0 and (piece := file.read(min(PIECE, left))):
        left -= len(piece)
        yield piece


def _may_begin_with(made: Member, before: Member) -> bool:
    """Whether `made`, read whole, begins with all blocks of `before` but the last."""
    whole = before.blocks[:-1]
    return made.hidden == before.hidden and made.size >= before.size and made.blocks[: len(whole)] == whole


def _is_last_block(text: bytes, before: Member) -> bool:
    """Whether `text`, which stands where the last block of `before` began, is that block."""
    if before.mark:
        text = b"".join(Marks(before.mark).take_out([text]))
    text = hide_id(text, encode_id(before.hidden))
    return not before.blocks or hashlib.sha256(text).hexdigest() == before.blocks[-1]


def _build_member(source: Source, size: int, stamp: tuple[int, int, int], probe: str, made: _Blocks) -> Member:
    mark, lines = (source.mark, made.lines) if made.runs else ("", 0)
    where = source.path, source.kind, source.hidden
    return Member(*where, size, *stamp, probe, made.digests, made.tail, mark, made.runs, lines)


def is_unchanged(source: Source, before: Member) -> bool:
    """Whether the file is, by all that its folder tells, the one that is kept."""
    if source.read is not None:
        return bool(source.changed_ns) and source.changed_ns == before.mtime_ns
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
