"""Lines that are no records: the client's notes of the moment, which a fork leaves out. Kept apart from the records.

One note in a block, and a fork without it shares nothing of that block; every block of a real transcript has some. So
the records are cut into blocks as if there were no notes, and the notes between them go into blocks of their own. A
record is a line that holds `key`. Which lines are notes is kept as runs, so for any bytes and any key
`merge(records, notes, runs) == data`.
"""

from collections import deque
from collections.abc import Iterable, Iterator


class Asides:
    """Takes the notes out of a file's pieces; `lines` counts all lines, from the one behind `line` on.

    The pieces end where lines do, but for a huge line, and for the last; what has no end yet is no note. With `inside`
    the first piece begins in the middle of a line.
    """

    def __init__(self, key: str, line: int = 0, runs: tuple[int, ...] = (), *, inside: bool = False) -> None:
        self._key = key.encode("utf-8", "surrogateescape")
        self.lines = line
        self._runs = cut_runs(runs, line)
        self._inside = inside
        self._records = 0
        self._waiting: deque[tuple[int, bytes]] = deque()  # how many records were before it, and the note
        self._given = 0

    @property
    def runs(self) -> tuple[int, ...]:
        """Which lines are notes: the first of each run, and how many it has."""
        return tuple(self._runs)

    def take_out(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces without the notes."""
        for text in pieces:
            kept = self._take_out(text)
            if kept:
                yield kept

    def _take_out(self, text: bytes) -> bytes:
        kept: list[bytes] = []
        begin = at = 0
        while end := text.find(b"\n", at) + 1:
            self.lines += 1
            if self._inside or text.find(self._key, at, end) >= 0:
                self._inside = False
                self._records += 1
            else:
                add_run(self._runs, self.lines)
                self._waiting.append((self._records, text[at:end]))
                kept.append(text[begin:at])
                begin = end
            at = end
        if at < len(text):
            self._inside = True
        return b"".join([*kept, text[begin:]]) if kept else text

    def take_notes(self, block: bytes | None) -> bytes:
        """The notes before the end of the next block of records; all that are left where it is None."""
        if block is None:
            notes = [note for _, note in self._waiting]
            self._waiting.clear()
            return b"".join(notes)
        self._given += block.count(b"\n")
        # A block that ends in the middle of a record has begun it, so the notes before that record are before its end.
        begun = self._given if block.endswith(b"\n") else self._given + 1
        notes = []
        while self._waiting and self._waiting[0][0] < begun:
            notes.append(self._waiting.popleft()[1])
        return b"".join(notes)


def cut_runs(runs: tuple[int, ...], line: int) -> list[int]:
    """Of runs of lines those up to `line`."""
    kept: list[int] = []
    for first, count in zip(runs[::2], runs[1::2], strict=True):
        if first <= line:
            kept += (first, min(count, line - first + 1))
    return kept


def add_run(runs: list[int], line: int) -> None:
    """Adds a line, behind all that are there, to runs of lines."""
    if runs and runs[-2] + runs[-1] == line:
        runs[-1] += 1
    else:
        runs += (line, 1)


def merge(records: Iterable[bytes], notes: Iterable[bytes], runs: tuple[int, ...]) -> Iterator[bytes]:
    """What `Asides.take_out` was given."""
    own, beside = _Lines(records), _Lines(notes)
    line = 1
    for first, count in zip(runs[::2], runs[1::2], strict=True):
        yield from own.take(first - line)
        yield from beside.take(count)
        line = first + count
    yield from own.take(-1)
    yield from beside.take(-1)


class _Lines:
    """Pieces, given out line by line and yet in as large parts as they have."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._text = b""
        self._at = 0

    def take(self, count: int) -> Iterator[bytes]:
        """The next `count` lines; all where it is negative."""
        begin = self._at
        while count:
            end = self._text.find(b"\n", self._at) + 1 if count > 0 else 0
            if end:
                self._at = end
                count -= 1
                continue
            if begin < len(self._text):
                yield self._text[begin:]
            self._text, self._at, begin = next(self._pieces, b""), 0, 0
            if not self._text:
                return
        if begin < self._at:
            yield self._text[begin : self._at]
