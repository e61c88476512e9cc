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
from thruline.harnesses.jsonl import FAST_FROM_BYTES, Lines, decode_records, is_cut, is_utf8, tell_cut
from thruline.session.lineage import Prompt, Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any

    from thruline.session.parts import Part, Problem

_NEWLINE = 10

__all__ = ["Reader", "key_of"]


class Reader:
    """The parts of one rollout.

    `label` is the source label of its parts. `seen` holds the keys of records that another file of the session gave
    already: copies are counted, not told again. With `live` the file may still grow: an unfinished last line and the
    subagents that still run wait for the next reading. `until` ends the reading before that ordinal: what stands behind
    it in the file of a fork's base belongs to another branch.
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
        self._state.seen = seen
        self._lines = Lines(path, live=live)
        if checkpoint is not None:
            self._lines.offset = checkpoint["offset"]
            self._lines.line = checkpoint["line"]
            self._state.take_dict(checkpoint["state"])
        self._inode = 0
        self.problems: list[Problem] = []
        self._state.problems = self.problems

    @property
    def counts(self) -> "dict[str, int]":
        """How many records of each kind were read, and of some things worth knowing (`copy`, `unknown`)."""
        return self._state.counts

    @property
    def lines(self) -> "dict[int, int]":
        """The records of this file in order: key of the record -> its line."""
        return self._state.build_lines()

    def trace(self) -> Trace:
        """What lineage across files needs to know of this one, once it was read."""
        state = self._state
        prompts = [Prompt(*prompt) for prompt in state.prompts]
        return Trace(self._lines.path, state.session_id, state.build_lines(), prompts, state.parent)

    def __iter__(self) -> "Iterator[Part]":
        state, lines = self._state, self._lines
        status = os.stat(lines.path)
        self._inode = status.st_ino
        decode: Callable[[bytes], Any] | None = None
        if status.st_size - lines.offset > FAST_FROM_BYTES:
            from thruline.harnesses.codex.reader import shapes

            decode = shapes.decode_record
            state.value = shapes.decode_raw
            state.parse = shapes.parse_text
        out = state.out
        for line, raw in lines:
            if skip(state, raw, line):
                continue
            if raw[-1] != _NEWLINE and is_cut(raw):
                self.problems.append(tell_cut(lines.path, line))
                continue
            if decode is not None and (raw.isascii() or is_utf8(raw)):
                try:
                    record = decode(raw)
                except (ValueError, RecursionError):
                    pass  # the slow way tells what is wrong, or reads it after all
                else:
                    read_record(state, record, line, len(raw))
                    if out:
                        yield from out
                        out.clear()
                    if state.ended:
                        break
                    continue
            for record in decode_records(raw, lines.path, line, self.problems, decode):
                read_record(state, record, line, len(raw))
            if out:
                yield from out
                out.clear()
            if state.ended:
                break
        if not lines.live:
            yield from self.pending()

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

    def checkpoint(self) -> "dict[str, Any]":
        """Where this reading stopped and what it knows, as JSON can hold it."""
        return {
            "inode": self._inode,
            "size": self._lines.offset,
            "offset": self._lines.offset,
            "line": self._lines.line,
            "state": self._state.to_dict(),
        }
