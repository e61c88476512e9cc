"""What every reader of JSON lines shares: where it stands, what it tells beside the parts, and how it goes on later.

A client's `Reader` is this with its own way through the lines (`blocks`) and its own ends (`pending`); what it
remembers between two records is its `State`.
"""

import os

from thruline.harnesses.jsonl import FAST_FROM_BYTES, decode_records, is_cut, is_utf8, tell_cut
from thruline.harnesses.lines import Lines

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any, Protocol

    from thruline.harnesses.elsewhere import Elsewhere
    from thruline.harnesses.jsonl import Decode
    from thruline.session.lineage import Trace
    from thruline.session.parts import Part, Problem

    class State(Protocol):
        """What a reader remembers. `prompts` are lists of what a lineage `Prompt` takes."""

        counts: dict[str, int]
        problems: list[Problem]
        prompts: list[list[Any]]
        session_id: str
        parent: str
        seen: Container[int]

        def build_lines(self) -> dict[int, int]: ...

        def to_dict(self) -> dict[str, Any]: ...

        def take_dict(self, kept: dict[str, Any]) -> None: ...


_NEWLINE = 10


class LineReader:
    """The parts of one file of JSON lines.

    `seen` holds the keys (`ids.key_of`) of records that another file of the session gave already: copies are counted,
    not told again. Where it is an `Elsewhere`, a record of the same key that says something else is no copy.
    With `live` the file may still grow: an unfinished last line, and what only the next records can decide, wait for
    the next reading.
    """

    def __init__(
        self,
        path: str,
        state: "State",
        *,
        checkpoint: "dict[str, Any] | None" = None,
        live: bool = False,
        seen: "Container[int]" = (),
    ) -> None:
        self._kept = state
        self._lines = Lines(path, live=live)
        self._inode = 0
        self.problems: list[Problem] = []
        state.problems = self.problems
        state.seen = seen
        if checkpoint is not None:
            self._lines.offset = checkpoint["offset"]
            self._lines.line = checkpoint["line"]
            state.take_dict(checkpoint["state"])

    def __iter__(self) -> "Iterator[Part]":
        for found in self.blocks():
            yield from found

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, never none."""
        raise NotImplementedError

    def begin(self) -> bool:
        """Notes which file it is that is read; whether so much of it is left that a fast decoder pays."""
        status = os.stat(self._lines.path)
        self._inode = status.st_ino
        self._kept.seen = self._kept.seen or ()  # asked for every record: nothing is quicker to ask than an empty one
        return status.st_size - self._lines.offset > FAST_FROM_BYTES

    def is_cut(self, raw: bytes, line: int) -> bool:
        """Whether the line is an unfinished last one, which is then told."""
        if raw[-1] == _NEWLINE or not is_cut(raw):
            return False
        self.problems.append(tell_cut(self._lines.path, line))
        return True

    def decode(self, raw: bytes, line: int, fast: "Decode | None") -> "list[dict[str, Any]]":
        """The records of the line. What `fast` refuses, the slow way reads after all, or tells what is wrong."""
        if fast is not None and (raw.isascii() or is_utf8(raw)):
            try:
                record = fast(raw)
            except (ValueError, RecursionError):
                pass
            else:
                if type(record) is dict:
                    return [record]
        return decode_records(raw, self._lines.path, line, self.problems, fast)

    def give(self, seen: "Elsewhere") -> None:
        """Adds the records of this file, once it was read, to what other files of the session need not tell."""
        seen.add(self._kept.build_lines().items(), self._lines)

    @property
    def offset(self) -> int:
        """How many bytes of the file were read so far."""
        return self._lines.offset

    @property
    def counts(self) -> "dict[str, int]":
        """How many records of each kind were read, and of some things worth knowing (`copy`, `unknown`)."""
        return self._kept.counts

    @property
    def lines(self) -> "dict[int, int]":
        """The records of this file in order: key of the record -> its line."""
        return self._kept.build_lines()

    def trace(self) -> "Trace":
        """What lineage across files needs to know of this one, once it was read."""
        # Not on the way of a reading that only wants the last records.
        from thruline.session.lineage import Prompt, Trace

        kept = self._kept
        prompts = [Prompt(*prompt) for prompt in kept.prompts]
        return Trace(self._lines.path, kept.session_id, kept.build_lines(), prompts, kept.parent)

    def checkpoint(self) -> "dict[str, Any]":
        """Where this reading stopped and what it knows, as JSON can hold it."""
        return {
            "inode": self._inode,
            "size": self._lines.offset,
            "offset": self._lines.offset,
            "line": self._lines.line,
            "state": self._kept.to_dict(),
        }
