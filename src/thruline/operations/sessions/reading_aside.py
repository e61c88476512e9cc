"""A long session read by a process of its own, while this one imports, folds and judges what it is handed.

To read a session takes about as long as to judge it, and neither waits for the other but at the end. A child of ours
reads and hands the parts over through a pipe: forked, since it needs nothing that is not here, and only where that is
safe (Linux, no other thread), where there is a processor for it, and where there is enough to read.

What is wrong with a file is told here as it would be without a child. A child that fails for another reason costs time
and nothing else: this process reads again, and goes on behind what it was given. One whose parent is gone ends with its
next block.
"""

import marshal
import os
import signal
import sys

from thruline.errors import DiskError
from thruline.operations.sessions.reading import Reading, check_whole
from thruline.session.parts import Problem
from thruline.session.parts.packed import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from thruline.operations.sessions.locate import Located
    from thruline.session.parts import Part

# Reading less takes hardly longer than to start a child.
LEAST = 8 << 20
# So much may wait in the pipe: what is read while this process imports its rooms.
_PIPE = 1 << 20
_HEAD = 8
_KILL = 9


def begin_reading(located: "Located", *, tokens: bool = True) -> "Reading | ReadingAside":
    """The session's reading: begun already where a process of its own is worth it, and can be had."""
    try:
        return ReadingAside(located, tokens=tokens) if _is_worth_it(located) else Reading(located, tokens=tokens)
    except OSError:
        return Reading(located, tokens=tokens)


def _is_worth_it(located: "Located") -> bool:
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    if signal.getsignal(signal.SIGCHLD) is not signal.SIG_DFL:
        return False  # who is told of children may wait for ours, and its number may be another's then
    try:
        # Also threads that a library started; a fork takes none of them along, but what they had locked stays locked.
        alone = len(os.listdir("/proc/self/task")) == 1
        return alone and sum(map(os.path.getsize, located.files)) >= LEAST
    except OSError:
        return False


class ReadingAside:
    """A `Reading` that goes on in a child: ask for its `blocks` once, and `close` it in any case."""

    def __init__(self, located: "Located", *, tokens: bool = True) -> None:
        self.problems: list[Problem] = []
        self.counts: dict[str, int] = {}
        self._own = Reading(located, tokens=tokens)
        self._sizes = {path: os.path.getsize(path) for path in located.files}
        reader, writer = os.pipe()
        _widen(writer)
        try:
            self._child = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
        if not self._child:
            _hand_over(self._own, reader, writer)
        os.close(writer)
        self._pipe = open(reader, "rb", buffering=_PIPE)  # noqa: SIM115 - open until `close`

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts, many at a time."""
        given = 0
        while packed := self._take():
            yield unpack(packed)
            given += 1
        end = None if packed is None else self._take()
        self.close()
        if end is None:
            yield from self._read_on(given)
            return
        problems, self.counts, wrong = marshal.loads(end)  # noqa: S302 - our own child wrote it
        self.problems = [Problem(*fields) for fields in problems]
        if wrong:
            what, where, then = wrong
            raise DiskError(what, where=where, next=then)

    def _read_on(self, given: int) -> "Iterator[list[Part]]":
        """What the child did not come to: blocks are the same ones as long as no file became shorter."""
        for number, found in enumerate(self._own.blocks()):
            if number >= given:
                yield found
        for path, size in self._sizes.items():
            check_whole(path, size)
        self.problems, self.counts = self._own.problems, self._own.counts

    def _take(self) -> bytes | None:
        """The next of what the child hands over; nothing at the end, None where it ended before."""
        head = self._pipe.read(_HEAD)
        size = int.from_bytes(head, "little")
        packed = self._pipe.read(size) if len(head) == _HEAD else b""
        return packed if len(head) == _HEAD and len(packed) == size else None

    def close(self) -> None:
        """Ends the child, if it is still there."""
        if self._child:
            child, self._child = self._child, 0
            self._pipe.close()
            os.kill(child, _KILL)  # it is ours until it is waited for, so nobody else can have its number
            os.waitpid(child, 0)


def _widen(writer: int) -> None:
    import fcntl

    try:
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE)
    except OSError:
        return  # the user has too many of them: then the child waits more often


def _hand_over(reading: Reading, reader: int, writer: int) -> None:
    """What the child does: it never returns, and says nothing; a trouble is told by who reads on after it."""
    try:
        os.close(reader)
        wrong: tuple[str, ...] = ()
        try:
            for found in reading.blocks():
                _send(writer, pack(found))
        except DiskError as error:
            wrong = (error.what, error.where, error.next)
        problems = [(each.path, each.line, each.kind, each.what) for each in reading.problems]
        _send(writer, b"")
        _send(writer, marshal.dumps((problems, reading.counts, wrong)))
    finally:
        os._exit(0)  # also where something went wrong: the pipe ends, and that says it


def _send(writer: int, packed: bytes) -> None:
    left = memoryview(len(packed).to_bytes(_HEAD, "little") + packed)
    while left:
        left = left[os.write(writer, left) :]
