"""Reads a transcript of this client: iterate a `Reader` for the parts of the session, in file order.

What could not be read is in `problems`, how many records of which kind there were in `counts`. `checkpoint()` is a
plain value from which a later `Reader` goes on when the file grew.
"""

import os

from thruline.harnesses.claude_code.reader.delegations import close_agents, close_sides
from thruline.harnesses.claude_code.reader.messages import close_usage
from thruline.harnesses.claude_code.reader.originals import Originals
from thruline.harnesses.claude_code.reader.queue import close_queue
from thruline.harnesses.claude_code.reader.records import read_record
from thruline.harnesses.claude_code.reader.skip import skip, skippable
from thruline.harnesses.claude_code.reader.state import State
from thruline.harnesses.claude_code.reader.tasks import close_tasks
from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import halves, is_utf8, tell_halves
from thruline.harnesses.line_reader import LineReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    from thruline.harnesses.jsonl import Decode
    from thruline.session.parts import Part

# A line this long is looked at before it is decoded; the fast decoder is done with a shorter one before we know.
_WORTH_LOOKING = 64 << 10

# Without one of these a transcript has no call of a tool that writes a file. Few, since looking for each takes a tenth
# of the time that reading takes.
CHANGING = (b'Edit"', b'"Write"')
# What stands before each command that was run; the command itself tells whether it may have changed something.
COMMAND = b'"command":'

__all__ = ["CHANGING", "COMMAND", "Reader", "key_of"]


class Reader(LineReader):
    """The parts of one transcript file.

    `label` is the source label of its parts. With `live`, a queued prompt that may become a turn and the tokens of an
    answer that is being written wait for the next reading.
    """

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
        self._state = State(path, label, inside=os.path.basename(path).startswith("agent-"), tokens=tokens)
        super().__init__(path, self._state, checkpoint=checkpoint, live=live, seen=seen)
        self._state.originals = Originals(self._lines)

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, never none."""
        state, lines = self._state, self._lines
        decode: Decode | None = None
        if self.begin():
            from thruline.harnesses.claude_code.reader import shapes

            decode = shapes.decode_record if state.tokens else shapes.decode_spoken
            state.value = shapes.decode_raw
            state.originals.decode = shapes.decode_told
            if state.known:
                state.spread()
        for line, raws in lines.blocks():
            out: list[Part] = []
            known = halves[0]
            for raw in raws:
                if decode is None or len(raw) > _WORTH_LOOKING or not (raw.isascii() or is_utf8(raw)):
                    self._read_line(raw, line, decode, out)
                else:
                    try:
                        record = decode(raw)
                    except (ValueError, RecursionError):
                        self._read_line(raw, line, decode, out, refused=True)
                    else:
                        read_record(state, record, line, len(raw), out)
                if halves[0] != known:
                    known = halves[0]
                    self.problems.append(tell_halves(lines.path, line))
                line += 1
            if out:
                yield out
            state.pack_lines()
            del raw, raws  # before the next ones, which may be huge
        ended = [] if lines.live else self.pending()
        if ended:
            yield ended

    def _read_line(
        self,
        raw: bytes,
        line: int,
        decode: "Decode | None",
        out: "list[Part]",
        *,
        refused: bool = False,
    ) -> None:
        # A line that is huge or odd: looked at before it is decoded. What the fast decoder refuses, the slow way
        # reads after all, or tells what is wrong.
        if self.is_cut(raw, line):
            return
        state = self._state
        kind = skippable(raw)
        if kind:
            skip(state, kind, raw, line)
            return
        for record in self.decode(raw, line, None if refused else decode):
            read_record(state, record, line, len(raw), out)

    def pending(self) -> "list[Part]":
        """What waits for the records to come, as it would be told if none came."""
        state = self._state.copy() if self._lines.live else self._state
        out: list[Part] = []
        close_usage(state, out)
        close_queue(state, out)
        close_sides(state, out)
        close_agents(state, out)
        close_tasks(state, self._lines.line, out)
        return out
