"""Reads a rollout of this client: iterate a `Reader` for the parts of the session, in file order.

What could not be read is in `problems`, how many records of which kind there were in `counts`. `checkpoint()` is a
plain value from which a later `Reader` goes on when the file grew.
"""

import os

from thruline.harnesses.codex.reader.agents import close_agents
from thruline.harnesses.codex.reader.records import read_record
from thruline.harnesses.codex.reader.skip import skip
from thruline.harnesses.codex.reader.state import State
from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import FAST_FROM_BYTES, decode_records, halves, is_cut, is_utf8, tell_cut, tell_halves
from thruline.harnesses.line_reader import LineReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    from thruline.harnesses.elsewhere import Elsewhere
    from thruline.harnesses.jsonl import Decode
    from thruline.session.parts import Part

_NEWLINE = 10

__all__ = ["Reader", "key_of"]


class Reader(LineReader):
    """The parts of one rollout.

    `label` is the source label of its parts. With `live`, subagents that still run wait for the next reading. `until`
    ends the reading before that ordinal: what stands behind it in the file of a fork's base belongs to another branch.
    """

    def __init__(
        self,
        path: str,
        *,
        label: str = "",
        checkpoint: "dict[str, Any] | None" = None,
        live: bool = False,
        seen: "Container[int]" = (),
        until: int = 0,
    ) -> None:
        self._state = State(path, label, until)
        super().__init__(path, self._state, checkpoint=checkpoint, live=live, seen=seen)
        self._state.own = self._lines

    def __iter__(self) -> "Iterator[Part]":
        for found in self.blocks():
            yield from found

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, never none."""
        state, lines = self._state, self._lines
        status = os.stat(lines.path)
        self._inode = status.st_ino
        decode: Decode | None = None
        if status.st_size - lines.offset > FAST_FROM_BYTES:
            from thruline.harnesses.codex.reader import shapes

            decode = shapes.decode_record
            state.value = shapes.decode_raw
            state.parse = shapes.parse_text
        out = state.out
        for first, raws in lines.blocks():
            known = halves[0]
            for line, raw in enumerate(raws, first):
                if not skip(state, raw, line):
                    self._read_line(raw, line, decode)
                    if halves[0] != known:
                        known = halves[0]
                        self.problems.append(tell_halves(lines.path, line))
                    if state.ended:
                        break
            if out:
                yield out.copy()
                out.clear()
            if state.ended:
                break
            del raw, raws  # before the next ones, which may be huge
        ended = [] if lines.live else self.pending()
        if ended:
            yield ended

    def _read_line(self, raw: bytes, line: int, decode: "Decode | None") -> None:
        state, path = self._state, self._lines.path
        if raw[-1] != _NEWLINE and is_cut(raw):
            self.problems.append(tell_cut(path, line))
            return
        if decode is not None and (raw.isascii() or is_utf8(raw)):
            try:
                record = decode(raw)
            except (ValueError, RecursionError):
                pass  # the slow way tells what is wrong, or reads it after all
            else:
                read_record(state, record, line, len(raw))
                return
        for record in decode_records(raw, path, line, self.problems, decode):
            read_record(state, record, line, len(raw))

    def give(self, seen: "Elsewhere") -> None:
        """Adds the records of this file to what others need not tell; before ordinals, some share a key."""
        seen.add(self._state.find_records(), self._lines)

    def pending(self) -> "list[Part]":
        """What waits for the records to come, as it would be told if none came."""
        state = self._state
        agents, done = dict(state.agents), dict(state.done)
        close_agents(state)
        out = list(state.out)
        state.out.clear()
        if self._lines.live:
            state.agents, state.done = agents, done
        return out
