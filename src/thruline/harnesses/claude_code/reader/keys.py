"""Many keys of records, packed.

A session of a gigabyte has a quarter of a million records, and to know a copy each must be remembered. Read on from a
checkpoint, a few are looked up among tens of thousands: searching packed numbers in order of size is free of the
milliseconds that a dict of them costs.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Code = Literal["Q", "I"]
    Segment = tuple[memoryview[int], memoryview[int]]  # keys in order of size, and the line of each

_SEGMENTS = 24
_MARKS = 1 << 22
_WORTH_AN_ARRAY = 4096


def parse_numbers(code: "Code", text: str) -> "memoryview[int]":
    """Packed numbers from the text that a checkpoint holds."""
    return memoryview(bytes.fromhex(text)).cast(code)


def pack(lines: "dict[int, int]") -> "Segment":
    """The records as one segment."""
    keys = sorted(lines)
    if len(keys) > _WORTH_AN_ARRAY:
        from array import array  # three times as quick; dearer than a few records are

        return memoryview(array("Q", keys)), memoryview(array("I", [lines[key] for key in keys]))
    packed = memoryview(bytearray(8 * len(keys))).cast("Q") if keys else memoryview(b"").cast("Q")
    places = memoryview(bytearray(4 * len(keys))).cast("I") if keys else memoryview(b"").cast("I")
    for at, key in enumerate(keys):
        packed[at] = key
        places[at] = lines[key]
    return packed, places


def merge(segments: "list[Segment]") -> "list[Segment]":
    """The segments that are not empty; one where they became many."""
    segments = [segment for segment in segments if len(segment[0])]
    if len(segments) <= _SEGMENTS:
        return segments
    return [pack(unpack(segments))]


def unpack(segments: "list[Segment]") -> "dict[int, int]":
    """The records of all segments, key -> line."""
    return {key: line for keys, lines in segments for key, line in zip(keys, lines, strict=True)}


class Marks:
    """Which keys are certainly not in a set: one bit for many keys, for sets that grow to hundreds of thousands."""

    __slots__ = ("_bits",)

    def __init__(self, segments: "list[Segment]") -> None:
        self._bits = bytearray(_MARKS)
        for keys, _ in segments:
            self.add(keys)

    def add(self, keys: "Iterable[int]") -> None:
        """Takes keys in."""
        bits = self._bits
        for key in keys:
            bits[(key >> 3) % _MARKS] |= 1 << (key & 7)

    def may_have(self, key: int) -> bool:
        """False for a key that was not taken in; true for one that was, and for one in seventy others."""
        return self._bits[(key >> 3) % _MARKS] >> (key & 7) & 1 == 1


def find(segments: "list[Segment]", key: int) -> int:
    """The line of a record, 0 where no segment has it."""
    for keys, lines in segments:
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < len(keys) and keys[low] == key:
            return lines[low]
    return 0
