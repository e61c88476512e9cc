"""Whether a record whose id is known already is a copy, or another record under the same id.

Hardly a file holds an id twice, so nothing is kept for that case: the file itself is asked. The side it errs on: where
the first record cannot be read again, the second one is told.
"""

from thruline.harnesses.jsonl import decode_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

_SAID = ("type", "content", "attachment", "operation")


class Originals:
    """The lines of a file by number, once one was asked for."""

    __slots__ = ("_offsets", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._offsets: array[int] | None = None

    def has_copy(self, uuid: str, first: int, second: int) -> bool:
        """Whether the records of this id at two lines say the same."""
        try:
            one, other = self._read(first), self._read(second)
        except OSError:
            return False
        return one == other or _find(one, uuid) == _find(other, uuid) != []

    def _read(self, line: int) -> bytes:
        from array import array  # only where an id comes twice

        with open(self._path, "rb") as file:
            offsets = self._offsets
            if offsets is None:
                offsets = self._offsets = array("Q", [0])
            file.seek(offsets[-1])
            while len(offsets) <= line:
                size = len(file.readline())
                if not size:
                    break
                offsets.append(offsets[-1] + size)
            if line >= len(offsets):
                return b""
            file.seek(offsets[line - 1])
            return file.read(offsets[line] - offsets[line - 1])


def _find(raw: bytes, uuid: str) -> "list[Any]":
    # What the record says; forks and resumed sessions rewrite much of what stands around it.
    for record in decode_records(raw, "", 0, []):
        if record.get("uuid") == uuid:
            message = record.get("message")
            words = message.get("content") if isinstance(message, dict) else None
            return [words, *[record.get(name) for name in _SAID]]
    return []
