"""Reads a rollout of this client: iterate a `Reader` for the parts of the session, in file order.

What could not be read is in `problems`, how many records of which kind there were in `counts`. `checkpoint()` is a
plain value from which a later `Reader` goes on when the file grew.
"""

from thruline.harnesses.codex.reader.agents import close_agents
from thruline.harnesses.codex.reader.records import read_record
from thruline.harnesses.codex.reader.skip import skip
from thruline.harnesses.codex.reader.state import State
from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import halves, tell_halves
from thruline.harnesses.line_reader import LineReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    from thruline.harnesses.elsewhere import Elsewhere
    from thruline.harnesses.jsonl import Decode
    from thruline.session.parts import Part

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
        tokens: bool = True,
    ) -> None:
        self._state = State(path, label, until, tokens=tokens)
        super().__init__(path, self._state, checkpoint=checkpoint, live=live, seen=seen)
        self._state.own = self._lines

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, never none."""
        state, lines = self._state, self._lines
        decode: Decode | None = None
        if self.begin():
            from thruline.harnesses.codex.reader import shapes

            decode = shapes.decode_record
            state.value = shapes.decode_raw
            state.parse = shapes.parse_text
        out = state.out
        for first, raws in lines.blocks():
            known = halves[0]
            for line, raw in enumerate(raws, first):
                if skip(state, raw, line) or self.is_cut(raw, line):
                    continue
                for record in self.decode(raw, line, decode):
                    read_record(state, record, line, len(raw))
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
