"""A long session read by a process of its own, while this one imports, folds and judges what it is handed.

To read a session takes about as long as to judge it, and neither waits for the other but at the end. A child of ours
reads and hands the parts over through a pipe: forked, since it needs nothing that is not here, and only where that is
safe (Linux, no other thread), where there is a processor for it, and where there is enough to read.

A fold of which nothing is asked before all is folded may be the child's too: when the last parts are handed over, it
has nothing else to do (`Behind`).

What is wrong with a file is told here as it would be without a child. A child that fails for another reason costs time
and nothing else: this process reads again, and goes on behind what it was given. One whose parent is gone ends with its
next block.
"""

import marshal
import os
import sys

from thruline.errors import DiskError
from thruline.operations.sessions.reading import Reading, check_whole
from thruline.session.parts import Problem
from thruline.session.parts.packed import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    from thruline.operations.sessions.locate import Located
    from thruline.session.parts import Part

    class Behind(Protocol):
        """What is folded behind the reading; `give` makes plain values of it, to be handed over."""

        def see_all(self, found: "list[Part]") -> None: ...
        def give(self) -> Any: ...


# Reading less takes hardly longer than to start a child.
LEAST = 8 << 20
# So much may wait in the pipe, and so much in the child, which reads on while this process imports its rooms.
_PIPE = 1 << 20
MOST_WAITING = 32 << 20
# Before each block its size, and how much of the files was read by then, in parts of a million.
_SIZE, _SHARE = 6, 4
_HEAD, _WHOLE = _SIZE + _SHARE, 1_000_000
_KILL, _SIGCHLD = 9, 17


def begin_reading(
    located: "Located", *, tokens: bool = True, behind: "Callable[[], Behind] | None" = None
) -> "Reading | ReadingAside":
    """The session's reading: begun already where a process of its own is worth it, and can be had."""
    try:
        if _is_worth_it(located):
            return ReadingAside(located, tokens=tokens, behind=behind)
    except OSError:
        pass  # there is none to be had
    return Reading(located, tokens=tokens)


def _is_worth_it(located: "Located") -> bool:
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    try:
        if _hears_of_children():
            return False  # who is told of children may wait for ours, and its number may be another's then
        # Also threads that a library started; a fork takes none of them along, but what they had locked stays locked.
        alone = len(os.listdir("/proc/self/task")) == 1
        return alone and sum(map(os.path.getsize, located.files)) >= LEAST
    except OSError:
        return False


def _hears_of_children() -> bool:
    """Whether this process does something of its own, or nothing at all, when a child of it ends."""
    # Not by `signal`, which makes enumerations of all of them: four milliseconds in which nothing is read yet.
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        masks = [line.split() for line in file if line.startswith(("SigIgn:", "SigCgt:"))]
    return any(int(mask, 16) >> (_SIGCHLD - 1) & 1 for _, mask in masks)


class ReadingAside:
    """A `Reading` that goes on in a child: ask for its `blocks` once, and `close` it in any case.

    While nothing is there to take, the first of `meanwhile` that has something to do does a step of it; each is given
    the share of the session that was read by then, and says whether it did something. `behind` makes the fold that is
    the child's: `told` asks for it, once and after the blocks.
    """

    def __init__(
        self, located: "Located", *, tokens: bool = True, behind: "Callable[[], Behind] | None" = None
    ) -> None:
        self.problems: list[Problem] = []
        self.counts: dict[str, int] = {}
        self.meanwhile: list[Callable[[float], bool]] = []
        self._own, self._behind = Reading(located, tokens=tokens), behind
        self._sizes = {path: os.path.getsize(path) for path in located.files}
        self._pipe, writer = os.pipe()
        self._held, self._at = b"", 0  # what came last, and how much of it was taken
        _widen(writer)
        parent = os.getpid()
        try:
            self._child = os.fork()
            if not self._child:
                _hand_over(self._own, behind, self._pipe, writer, sum(self._sizes.values()))
        except OSError:
            os.close(self._pipe)
            os.close(writer)
            raise
        finally:
            # Interrupted before it has begun, the child must not go on as if it were its parent.
            if os.getpid() != parent:
                os._exit(0)
        os.close(writer)

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts, many at a time."""
        given = 0
        share = 0.0
        while (taken := self._take(share)) and taken[0]:
            packed, share = taken
            yield unpack(packed)
            given += 1
        end = taken and self._take(share)
        self.meanwhile.clear()  # nothing more comes that anybody could get ready for
        if end is None:
            yield from self._read_on(given)
            return
        problems, self.counts, wrong = marshal.loads(end[0])  # noqa: S302 - our own child wrote it
        self.problems = [Problem(*fields) for fields in problems]
        if wrong:
            what, where, then = wrong
            raise DiskError(what, where=where, next=then)

    @property
    def tells(self) -> bool:
        """Whether there is something to be told."""
        return self._behind is not None

    def told(self) -> "Any":
        """What the child folded behind its reading; folded here where it did not come to that."""
        assert self._behind is not None
        end = self._take(1.0)
        if end is not None:
            return marshal.loads(end[0])  # noqa: S302 - our own child wrote it
        fold = self._behind()
        for found in Reading(self._own.located, tokens=False).blocks():
            fold.see_all(found)
        return fold.give()

    def _read_on(self, given: int) -> "Iterator[list[Part]]":
        """What the child did not come to: blocks are the same ones as long as no file became shorter."""
        for number, found in enumerate(self._own.blocks()):
            if number >= given:
                yield found
        for path, size in self._sizes.items():
            check_whole(path, size)
        self.problems, self.counts = self._own.problems, self._own.counts

    def _take(self, share: float) -> "tuple[bytes, float] | None":
        """The next of what the child hands over, and how far it is; nothing at the end, None where it ended before."""
        head = self._wait_for(_HEAD, share)
        if len(head) < _HEAD:
            return None
        size = int.from_bytes(head[:_SIZE], "little")
        packed = self._wait_for(size, share)
        return (packed, int.from_bytes(head[_SIZE:], "little") / _WHOLE) if len(packed) == size else None

    def _wait_for(self, size: int, share: float) -> bytes:
        """So many of the next bytes; fewer where the child ended."""
        found, pieces, busy = len(self._held) - self._at, [], True
        while found < size:
            os.set_blocking(self._pipe, not busy)
            try:
                came = os.read(self._pipe, _PIPE)
            except BlockingIOError:
                busy = any(step(share) for step in self.meanwhile)
                continue
            if not came:
                break
            pieces.append(came)
            found += len(came)
        if pieces:  # joined once: a message of sixty megabytes comes in at least as many pieces
            self._held, self._at = b"".join([self._held[self._at :], *pieces]), 0
        self._at += size
        return self._held[self._at - size : self._at]

    def close(self) -> None:
        """Ends the child, if it is still there."""
        if self._child:
            child, self._child = self._child, 0
            os.close(self._pipe)
            os.kill(child, _KILL)  # it is ours until it is waited for, so nobody else can have its number
            os.waitpid(child, 0)


def _widen(writer: int) -> None:
    import fcntl

    try:
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _PIPE)
    except OSError:
        return  # the user has too many of them: then the child waits more often


def _hand_over(reading: Reading, behind: "Callable[[], Behind] | None", reader: int, writer: int, size: int) -> None:
    """What the child does: it never returns, and says nothing; a trouble is told by who reads on after it."""
    try:
        os.close(reader)
        outbox = _Outbox(writer)
        folded = _Folded(behind, outbox) if behind is not None else None
        wrong: tuple[str, ...] = ()
        try:
            for found in reading.blocks():
                packed = pack(found)
                outbox.send(packed, min(1.0, reading.offset / size))
                if folded is not None:
                    folded.keep(found, len(packed))
        except DiskError as error:
            wrong = (error.what, error.where, error.next)
        problems = [(each.path, each.line, each.kind, each.what) for each in reading.problems]
        outbox.send(b"")
        outbox.send(marshal.dumps((problems, reading.counts, wrong)))
        if folded is not None and not wrong:
            outbox.send(marshal.dumps(folded.give()))
        outbox.finish()
    finally:
        os._exit(0)  # also where something went wrong: the pipe ends, and that says it


class _Folded:
    """What the child folds, as late as it may: so many parts are kept until they take too much room."""

    __slots__ = ("_behind", "_fold", "_kept", "_outbox", "_size")

    def __init__(self, behind: "Callable[[], Behind]", outbox: "_Outbox") -> None:
        self._behind, self._outbox = behind, outbox
        self._fold: Behind | None = None
        self._kept: list[list[Part]] = []
        self._size = 0

    def keep(self, found: "list[Part]", size: int) -> None:
        self._kept.append(found)
        self._size += size
        if self._size > MOST_WAITING:
            self._see_kept()

    def give(self) -> "Any":
        return self._see_kept().give()

    def _see_kept(self) -> "Behind":
        self._fold = fold = self._fold or self._behind()
        for found in self._kept:
            fold.see_all(found)
            self._outbox.push()  # who takes does not wait for this
        self._kept.clear()
        self._size = 0
        return fold


class _Outbox:
    """What was read and the pipe has no room for yet: who reads does not wait for who takes."""

    __slots__ = ("_sent", "_size", "_waiting", "_writer")

    def __init__(self, writer: int) -> None:
        self._writer = writer
        self._waiting: list[bytes] = []
        self._size = self._sent = 0  # of what waits, and how much of the first was taken
        os.set_blocking(writer, False)

    def send(self, packed: bytes, share: float = 1.0) -> None:
        """Takes it, and hands over as much as there is room for."""
        head = len(packed).to_bytes(_SIZE, "little") + int(share * _WHOLE).to_bytes(_SHARE, "little")
        self._waiting.append(head + packed)
        self._size += _HEAD + len(packed)
        self.push()
        if self._size > MOST_WAITING:
            self.finish()
            os.set_blocking(self._writer, False)

    def finish(self) -> None:
        """Waits until all of it is taken."""
        os.set_blocking(self._writer, True)
        self.push()

    def push(self) -> None:
        """Hands over as much as there is room for."""
        while self._waiting:
            first = self._waiting[0]
            try:
                sent = os.write(self._writer, memoryview(first)[self._sent :])
            except BlockingIOError:
                return
            self._size -= sent
            self._sent += sent
            if self._sent == len(first):
                del self._waiting[0]
                self._sent = 0
