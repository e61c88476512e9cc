"""Who speaks is told once for quotations that stand right below each other: their heads are what a brief repeats most.

    - > user, transcript:L12: `No.`
    - > L14: `Nor that.`

Only for one of the same speaker, in the same file, of the same indent, where nothing stands between: nobody has to look
further than the line above. A claim is rendered without it, so what stands alone says everything.
"""

from collections.abc import Sequence

from thruline.brief.quotation.quote import HEAD
from thruline.value import dataclass

_TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands before the words of a quotation of `count` lines: the speaker's word and the pointer as told."""

    indent: str
    by: str
    pointer: str
    count: int


def share_heads(lines: Sequence[str]) -> list[str]:
    """The lines as they were rendered, each quotation without its speaker where the one right above it tells that."""
    shared: list[str] = []
    above: tuple[str, ...] = ()
    at = 0
    while at < len(lines):
        head = _find_head(lines, at)
        if head is None:
            shared.append(lines[at])
            above = ()
            at += 1
            continue
        source, _, where = head.pointer.rpartition(":")
        told = (head.indent, head.by, source)
        shared += lines[at : at + head.count]
        if told == above and source.startswith(_TRANSCRIPT):
            start = head.indent + "> "
            shared[at] = f"{start}{where}{lines[at][len(f'{start}{head.by}, {head.pointer}') :]}"
        above = told
        at += head.count
    return shared


def _find_head(lines: Sequence[str], at: int) -> _Head | None:
    """What a quotation that we rendered at `lines[at]` begins with; its words are not read."""
    match = HEAD.match(lines[at])
    if match is None:
        return None
    if match["span"]:
        count = 1
    else:
        # A block ends with the fence it began with.
        fence = lines[at + 1].removesuffix("quote") if at + 1 < len(lines) else ""
        end = next((end for end in range(at + 2, len(lines)) if lines[end] == fence), 0)
        if not end:
            return None
        count = end - at + 1
    return _Head(match["indent"], match["by"], match["pointer"], count)
