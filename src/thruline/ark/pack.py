"""A pack: many blocks in one file, written once and never changed.

One file for all blocks of an archiving costs one fsync where a file per block would cost hundreds. A block says itself
what it is (`_HEAD`), so a pack can be read without the index at its end, should that be damaged.
"""

import hashlib
import os
import secrets
import struct
import time
from typing import IO, NamedTuple

from thruline.ark.compress import Broken, decompress
from thruline.disk.atomic import BINARY, CLOEXEC, build_temp_name, remove_quietly
from thruline.disk.faults import build_disk_error
from thruline.errors import DiskError, Refused

END = ".pack"
_HEAD = struct.Struct(">4sII32s")  # mark, bytes stored, bytes with the id hidden, digest of those
_ROW = struct.Struct(">32sQII")  # digest, where the compressed bytes begin, bytes stored, bytes with the id hidden
_FOOT = struct.Struct(">4sIQ32s")  # mark, rows, where they begin, digest of the rows
_BLOCK, _INDEX = b"ARKB", b"ARKI"


class Place(NamedTuple):
    """Where a block lies. `cost` is what it takes on disk, with its head and its row."""

    digest: bytes
    offset: int
    stored: int
    size: int

    @property
    def cost(self) -> int:
        return self.stored + _HEAD.size + _ROW.size


class PackWriter:
    """A new pack under a temporary name. `finish` makes it durable and leaves the rename to the caller.

    One that grows over `most` bytes (0: no limit) is Refused. `failed` says that the pack was the trouble, and not what
    was to go into it.
    """

    def __init__(self, folder: str, most: int = 0) -> None:
        self._most = most
        self.failed = False
        self.temp = os.path.join(folder, build_temp_name())
        self.places: dict[bytes, Place] = {}
        self.size = 0
        self._file: IO[bytes] | None = None

    def add(self, digest: bytes, size: int, stored: bytes) -> None:
        """Takes one compressed block, unless it is in this pack already."""
        if digest in self.places:
            return
        head = _HEAD.pack(_BLOCK, len(stored), size, digest)
        self.places[digest] = Place(digest, self.size + len(head), len(stored), size)
        self._write(head)
        self._write(stored)
        if self._most and self.size > self._most:
            self.failed = True
            raise build_too_large(self._most)

    def _write(self, data: bytes) -> None:
        try:
            if self._file is None:
                fd = os.open(self.temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | CLOEXEC, 0o600)
                self._file = os.fdopen(fd, "wb", buffering=1 << 20)
            self._file.write(data)
        except OSError as error:
            self.failed = True
            raise build_disk_error(error, "write", self.temp) from None
        self.size += len(data)

    def finish(self) -> str:
        """Writes the index and syncs; the name the pack must get, empty where nothing was added."""
        if self._file is None:
            return ""
        rows = b"".join(_ROW.pack(*place) for place in self.places.values())
        self._write(rows + _FOOT.pack(_INDEX, len(self.places), self.size, hashlib.sha256(rows).digest()))
        file, self._file = self._file, None
        try:
            with file:
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise build_disk_error(error, "write", self.temp) from None
        # Names sort by age, and no two processes choose the same one.
        return f"{time.time_ns():016x}-{secrets.token_hex(4)}{END}"

    def drop(self) -> None:
        """Gives up what was written; nothing where the pack has its name already."""
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError:
            pass  # a full disk refuses the last bytes too, of a file that goes anyway
        remove_quietly(self.temp)


def build_too_large(most: int) -> Refused:
    """What is said of a session that an ark of `most` bytes could not hold even alone."""
    what = f"This session alone is larger than the ark may be ({most:,} bytes)."
    return Refused(what, next="thruline config set ark.max_bytes 0, or exclude it")


def read_places(path: str) -> list[Place]:
    """The blocks of a pack, from its index or, where that is damaged, from the blocks themselves."""
    try:
        with open(path, "rb") as file:
            return _read_index(file) or _scan(file)
    except FileNotFoundError:
        raise  # collected while we looked: nothing is wrong
    except OSError as error:
        raise build_disk_error(error, "read", path) from None


def _read_index(file: IO[bytes]) -> list[Place]:
    end = file.seek(0, os.SEEK_END) - _FOOT.size
    if end < 0:
        return []
    file.seek(end)
    mark, count, begin, digest = _FOOT.unpack(file.read(_FOOT.size))
    if mark != _INDEX or begin + count * _ROW.size != end:
        return []
    file.seek(begin)
    rows = file.read(end - begin)
    if hashlib.sha256(rows).digest() != digest:
        return []
    return [Place._make(row) for row in _ROW.iter_unpack(rows)]


def _scan(file: IO[bytes]) -> list[Place]:
    file.seek(0)
    data = file.read()
    places = []
    at = 0
    # From mark to mark: what is damaged in between costs no more than itself.
    while (at := data.find(_BLOCK, at)) >= 0 and at + _HEAD.size <= len(data):
        _, stored, size, digest = _HEAD.unpack_from(data, at)
        begin = at + _HEAD.size
        if begin + stored > len(data):
            at += 1
            continue
        places.append(Place(digest, begin, stored, size))
        at = begin + stored
    return places


def read_stored(file: IO[bytes], place: Place) -> bytes:
    """The compressed bytes of a block, unchecked."""
    file.seek(place.offset)
    return file.read(place.stored)


def read_block(file: IO[bytes], place: Place) -> bytes:
    """A block with its id hidden; DiskError where a single bit of it differs from what was kept."""
    try:
        text = decompress(read_stored(file, place))
    except Broken:
        text = b""
    if len(text) != place.size or hashlib.sha256(text).digest() != place.digest:
        raise DiskError(
            "A block of the ark is damaged.",
            where=f"{file.name}, {place.stored} bytes at {place.offset}",
            next="thruline archive --fresh REF, if the session's own files are still there; else a backup of that file",
        )
    return text
