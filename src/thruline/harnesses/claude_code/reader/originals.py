"""Whether a record whose id is known already is a copy, or another record under the same id.

Hardly a file holds an id twice, so nothing is kept for that case: the file itself is asked. The side it errs on: where
the first record cannot be read again, the second one is told.
"""

from thruline.harnesses.jsonl import decode_records
from thruline.harnesses.lines import HUGE, Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SAID = ("type", "content", "attachment", "operation")


class Originals:
    """The lines of a file by number. `decode` is the typed decoder of what is compared, where there is one."""

    __slots__ = ("_lines", "decode")

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.decode: Callable[[bytes], Any] | None = None

    def has_copy(self, uuid: str, first: int, second: int) -> bool:
        """Whether the records of this id at two lines say the same."""
        try:
            if self._lines.size_of(second) > HUGE:
                return self._lines.size_of(first) == self._lines.size_of(second)
            return self.is_copy(uuid, self._read(first), second)
        except OSError:
            return False

    def size_of(self, line: int) -> int:
        """How long the line is."""
        return self._lines.size_of(line)

    def is_copy(self, uuid: str, one: bytes, second: int) -> bool:
        """Whether the record of this id in the line `one`, of whatever file, says the same as that at line `second`."""
        try:
            other = self._read(second)
        except OSError:
            return False
        return one == other or self._agree(one, other) or _find(one, uuid) == _find(other, uuid) != []

    def _agree(self, one: bytes, other: bytes) -> bool:
        # The same bytes say the same; where they differ (an escape, the order of keys), only their values tell.
        if self.decode is None:
            return False
        try:
            return bool(self.decode(one) == self.decode(other))
        except (ValueError, RecursionError):
            return False

    def _read(self, line: int) -> bytes:
        known = self._lines.read_again(line)
        if known is not None:
            return known
        # A line of an earlier reading, before the checkpoint: rare, so it is looked for from the beginning.
        for number, raw in Lines(self._lines.path):
            if number == line:
                return raw
        return b""


def _find(raw: bytes, uuid: str) -> "list[Any]":
    # What the record says; forks and resumed sessions rewrite much of what stands around it.
    for record in decode_records(raw, "", 0, []):
        if record.get("uuid") == uuid:
            message = record.get("message")
            words = message.get("content") if isinstance(message, dict) else None
            return [words, *[record.get(name) for name in _SAID]]
    return []
