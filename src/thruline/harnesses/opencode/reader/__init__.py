"""Reads a session of this client from its canonical lines (docs/formats/canonical.md): a line is a message.

A place in the database, or an export, is written out as such lines first; `store` makes them.
"""

from thruline.harnesses.jsonl import halves, tell_halves
from thruline.harnesses.line_reader import LineReader
from thruline.harnesses.opencode.reader.records import read_record
from thruline.harnesses.opencode.reader.state import State
from thruline.session.parts import Rewound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    from thruline.harnesses.jsonl import Decode
    from thruline.session.parts import Part

__all__ = ["Reader"]


class Reader(LineReader):
    """The parts of one session. `label` is the source label of its parts."""

    def __init__(
        self,
        path: str,
        *,
        label: str = "",
        checkpoint: "dict[str, Any] | None" = None,
        live: bool = False,
        seen: "Container[int]" = (),
        tokens: bool = True,
    ) -> None:
        self._state = State(path, label, tokens=tokens)
        super().__init__(path, self._state, checkpoint=checkpoint, live=live, seen=seen)

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, never none."""
        state, lines = self._state, self._lines
        decode: Decode | None = None
        if self.begin():
            from thruline.harnesses.typed import decode_any

            decode = decode_any
        for first, raws in lines.blocks():
            for line, raw in enumerate(raws, first):
                known = halves[0]
                if self.is_cut(raw, line):
                    continue
                for record in self.decode(raw, line, decode):
                    read_record(state, record, line)
                if halves[0] != known:
                    self.problems.append(tell_halves(lines.path, line))
            if state.out:
                found, state.out = state.out, []
                yield found
        ended = [] if lines.live else self.pending()
        if ended:
            yield ended

    def pending(self) -> "list[Part]":
        """What waits for the records to come: which of them were undone is known at the end."""
        state = self._state
        if not state.left:
            return []
        last = self._lines.line
        return [Rewound(state.left, state.left, last, uuid=state.revert, source=state.source)]
