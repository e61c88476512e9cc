"""The lines of a file in blocks: quick for many short ones, and a huge one costs itself once.

Python's own iteration gathers a long line from pieces and joins them: twice its memory, and every page of it new. Here
short lines are cut out of blocks; the end of a long one is looked for first, so that it is read into its own bytes at
once.
"""

from io import BytesIO

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

_BUFFER = 1 << 19

# A line of this size is not read again to be compared: it is a copy of one that is as long.
HUGE = 1 << 20


class Lines:
    """The lines of one file from `offset` on, line ends included: iterate for (line number, bytes).

    At the end `offset` and `line` tell how far it came, so a later reading can go on there. With `live`, an
    unfinished last line is left for later; else it is given as it is.
    """

    def __init__(self, path: str, *, offset: int = 0, line: int = 0, live: bool = False) -> None:
        self.path = path
        self.offset = offset
        self.line = line
        self.live = live
        # Of every block: the number of its first line, and where that begins
        self._firsts: list[int] = []
        self._offsets: list[int] = []
        self._held: list[bytes] = []  # the lines of the last block
        self._again: tuple[int, list[bytes]] = (-1, [])  # a block that was read again, by its place in these lists

    def __iter__(self) -> "Iterator[tuple[int, bytes]]":
        for first, raws in self.blocks():
            yield from enumerate(raws, first)

    def blocks(self) -> "Iterator[tuple[int, list[bytes]]]":
        """(number of the first line, the lines) of one block after another, none of them empty."""
        with open(self.path, "rb", buffering=0) as file:
            if self.offset:
                file.seek(self.offset)
            rest = b""  # of a line whose end was not read yet
            while data := file.read(_BUFFER):
                raws = BytesIO(data).readlines()
                tail = b"" if data.endswith(b"\n") else raws.pop()
                if raws:
                    size = len(rest) + len(data) - len(tail)
                    raws[0] = rest + raws[0]
                    rest = tail
                    del data  # the next block is read into the same memory, which is still near the processor
                    yield self._hand_out(raws, size)
                elif len(data) < _BUFFER:
                    rest += tail
                else:
                    del data, rest, tail
                    raw = self._read_long(file)
                    rest = b""
                    if self.live and not raw.endswith(b"\n"):
                        break
                    yield self._hand_out([raw], len(raw))
                    self._held = []
                    del raw  # before the next one, which may be as large
            if rest and not self.live:
                yield self._hand_out([rest], len(rest))
            self._held = []

    def _hand_out(self, raws: "list[bytes]", size: int) -> "tuple[int, list[bytes]]":
        first = self.line + 1
        self._firsts.append(first)
        self._offsets.append(self.offset)
        self._held = raws
        self.line += len(raws)
        self.offset += size
        return first, raws

    def _read_long(self, file: "FileIO") -> bytes:
        # The line at `offset`, whose end is not in what was read so far.
        size = file.tell() - self.offset
        while data := file.read(_BUFFER):
            at = data.find(b"\n")
            size += at + 1 if at >= 0 else len(data)
            if at >= 0:
                break
        file.seek(self.offset)
        raw = file.read(size)
        while len(raw) < size and (more := file.read(size - len(raw))):
            raw += more  # more than the system reads at once
        return raw

    def size_of(self, line: int) -> int:
        """How many bytes a line that was read before has; 0 where it stands before those that were."""
        block = self._find_block(line)
        if block < 0:
            return 0
        first, begin, behind, end = self._span(block)
        # A huge line is a block of its own, and is not read again for its size.
        return end - begin if behind - first == 1 else len(self.read_again(line) or b"")

    def read_again(self, line: int) -> "bytes | None":
        """A line that was read before; None where it stands before those that were."""
        block = self._find_block(line)
        if block < 0:
            return None
        first, begin, _, end = self._span(block)
        if self._held and block == len(self._firsts) - 1:
            return self._held[line - first]
        if self._again[0] != block:
            # Copies follow each other like their originals, so the next one asked for stands in this block too.
            with open(self.path, "rb", buffering=0) as file:
                file.seek(begin)
                self._again = (block, BytesIO(file.read(end - begin)).readlines())
        raws = self._again[1]
        return raws[line - first] if line - first < len(raws) else None

    def _span(self, block: int) -> "tuple[int, int, int, int]":
        # Its first line and where that begins, and the same of what comes behind it.
        here = self._firsts[block], self._offsets[block]
        if block == len(self._firsts) - 1:
            return *here, self.line + 1, self.offset
        return *here, self._firsts[block + 1], self._offsets[block + 1]

    def _find_block(self, line: int) -> int:
        firsts = self._firsts
        if not firsts or not firsts[0] <= line <= self.line:
            return -1
        low, high = 0, len(firsts)
        while high - low > 1:
            middle = (low + high) // 2
            if firsts[middle] <= line:
                low = middle
            else:
                high = middle
        return low
