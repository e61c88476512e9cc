"""A file read into blocks: whole, or from where the version that is kept already ends.

Hashing and compressing let other threads run, so they are done beside the reading, a few blocks ahead.
"""

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import IO, NamedTuple

from thruline.ark.asides import Asides
from thruline.ark.compress import compress
from thruline.ark.cut import cut_blocks
from thruline.ark.entry import Member, Source
from thruline.ark.hide import encode_id, find_plain_size, hide_in_pieces
from thruline.ark.marks import Marks
from thruline.ark.original import open_own
from thruline.ark.pack import PackWriter
from thruline.disk.faults import build_disk_error

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
    """What a file became; the fields are those of a `Member`."""

    blocks: tuple[str, ...]
    tail: int
    mark: str = ""
    runs: tuple[int, ...] = ()
    key: str = ""
    asides: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()
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
        if before is not None and (before.mark, before.key) != (source.mark, source.key):
            # Blocks are the same only where the same was taken out.
            source = replace(source, mark=before.mark, key=before.key)
        try:
            if source.read is not None:
                if source.store:
                    open_own(source.store).close()
                return self._take_made(source, source.read, before)
            with open_own(source.path) as file:
                made, grown = self._take_file(file, source, None if fresh else before)
                if before is None or grown or not _may_begin_with(made, before):
                    return made, grown
                # The last block ended where the old file did, so the new one has it only as a part of another.
                file.seek(before.size - before.tail)
                inside = _is_inside(file, before.size - before.tail)
                return made, _is_last_block(file.read(before.tail), before, inside=inside)
        except OSError as error:
            raise build_disk_error(error, "read", source.path) from None

    def _take_made(
        self, source: Source, read: Callable[[], Iterable[bytes]], before: Member | None
    ) -> tuple[Member, bool]:
        window = _Window(before.size - before.tail, before.size) if before is not None else _Window(0, 0)
        sealed = self._seal(self._count(window.watch(read())), source)
        made = _build_member(source, window.size, (source.changed_ns, 0, 0), "", sealed)
        if before is None or not _may_begin_with(made, before):
            return made, False
        return made, _is_last_block(bytes(window.seen), before)

    def _take_file(self, file: IO[bytes], source: Source, before: Member | None) -> tuple[Member, bool]:
        found = os.fstat(file.fileno())
        grown = before is not None and before.hidden == source.hidden and self._has_grown(file, found, before)
        # The last block ended where the file did, not at a border: it is made again.
        begin = before.size - before.tail if before is not None and grown else 0
        old = self.read
        # Up to the size it has now: a client may go on writing while we read.
        inside = _is_inside(file, begin)
        sealed = self._seal(self._read(file, begin, found.st_size), source, before if grown else None, inside=inside)
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

    def _seal(
        self, pieces: Iterator[bytes], source: Source, before: Member | None = None, *, inside: bool = False
    ) -> _Blocks:
        """The blocks of the pieces, behind those of `before` but for its last one."""
        line, runs, notes = (before.lines, before.runs, before.notes) if before is not None else (0, (), ())
        marks = Marks(source.mark, line, runs) if source.mark else None
        asides = Asides(source.key, line, notes, inside=inside) if source.key else None
        digests: list[str] = [] if before is None else list(before.blocks[:-1])
        beside: list[str] = [] if before is None else list(before.asides[: len(digests)])
        waiting: deque[Future[_Sealed]] = deque()
        text: bytes | None = None
        for block in cut_blocks(_strip(pieces, encode_id(source.hidden), marks, asides)):
            if asides is not None and text is not None:
                beside.append(self._put_notes(asides.take_notes(text)))
            text = block
            waiting.append(self._pool.submit(self._seal_one, block))
            if len(waiting) > AHEAD:
                digests.append(self._put(waiting.popleft().result()))
        while waiting:
            digests.append(self._put(waiting.popleft().result()))
        last = asides.take_notes(None) if asides is not None else b""
        if asides is not None:
            beside.append(self._put_notes(last))
        return _finish(source, text or b"", last, marks, asides, tuple(digests), tuple(beside))

    def _put_notes(self, text: bytes) -> str:
        return self._put(self._seal_one(text)) if text else ""

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


def _is_inside(file: IO[bytes], at: int) -> bool:
    """Whether a line goes on at that place; leaves the file there."""
    file.seek(max(at - 1, 0))
    return at > 0 and file.read(1) != b"\n"


def _strip(pieces: Iterable[bytes], hidden: bytes, marks: Marks | None, asides: Asides | None) -> Iterator[bytes]:
    """The pieces as blocks are cut from them: without marks, without the id, without notes."""
    plain = hide_in_pieces(marks.take_out(pieces) if marks is not None else pieces, hidden)
    return asides.take_out(plain) if asides is not None else plain


def _finish(
    source: Source,
    text: bytes,
    last: bytes,
    marks: Marks | None,
    asides: Asides | None,
    digests: tuple[str, ...],
    beside: tuple[str, ...],
) -> _Blocks:
    hidden = encode_id(source.hidden)
    tail = find_plain_size(text, hidden) + find_plain_size(last, hidden)
    counted = marks or asides
    if counted is None:
        return _Blocks(digests, tail)
    lines = counted.lines - text.count(b"\n") - last.count(b"\n")
    mark, runs = (source.mark, marks.runs) if marks is not None and marks.runs else ("", ())
    tail += marks.find_length(lines) if marks is not None else 0
    return _Blocks(digests, tail, mark, runs, source.key, beside, asides.runs if asides is not None else (), lines)


def _may_begin_with(made: Member, before: Member) -> bool:
    """Whether `made`, read whole, begins with all blocks of `before` but the last."""
    count = max(len(before.blocks) - 1, 0)
    return (
        made.hidden == before.hidden
        and made.size >= before.size
        and made.blocks[:count] == before.blocks[:count]
        and made.asides[:count] == before.asides[:count]
    )


def _is_last_block(text: bytes, before: Member, *, inside: bool = False) -> bool:
    """Whether `text`, which stands where the last block of `before` began, is that block and its notes."""
    marks = Marks(before.mark) if before.mark else None
    asides = Asides(before.key, inside=inside) if before.key else None
    block = b"".join(_strip([text], encode_id(before.hidden), marks, asides))
    notes = asides.take_notes(None) if asides is not None else b""
    return (_digest(block), _digest(notes)) == ("".join(before.blocks[-1:]), "".join(before.asides[-1:]))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest() if text else ""


def _build_member(source: Source, size: int, stamp: tuple[int, int, int], probe: str, made: _Blocks) -> Member:
    return Member(source.path, source.kind, source.hidden, size, *stamp, probe, **made._asdict())
