"""Taking out of a JSON text what was added, and nothing else."""

from collections.abc import Iterable

from thruline.jsontext.edit import BEGUN, FILLED, MADE
from thruline.jsontext.scan import BOM, Node, Path, find, find_blank_start, parse, skip


def remove(text: str, path: Path, file: str = "") -> str:
    """`text` without the element at `path`; the same text where there is none."""
    holder = find(parse(text, file), path[:-1])
    at = holder.find_index(path[-1]) if holder else -1
    return text if holder is None or at < 0 else _cut(text, holder, at)


def undo(text: str, notes: Iterable[tuple[str, Path, str]], file: str = "") -> str:
    """`text` after `remove` of all that was added, with the containers that were made for it taken out or emptied.

    A container that holds something of others stays. `notes` are those of every edit, in order; a text that becomes
    empty again is the one that was there before.
    """
    for kind, path, was in reversed(list(notes)):
        node = find(parse(text, file), path)
        if node is None or node.nodes or node.kind == "value":
            continue
        inner = text[node.start + 1 : node.end - 1]
        # What is left in it is a comment of somebody's.
        if inner.strip() and not (kind == FILLED and inner.strip() == was.strip()):
            continue
        if kind == MADE:
            text = remove(text, path, file)
        elif kind == FILLED:
            text = text[: node.start + 1] + was + text[node.end - 1 :]
        elif kind == BEGUN and not (text[: node.start].removeprefix(BOM) + text[node.end :]).strip():
            return was
    return text


def _cut(text: str, holder: Node, at: int) -> str:
    start, end = find_blank_start(text, holder.starts[at]), holder.nodes[at].end
    behind = skip(text, end)
    if text.startswith(",", behind):
        # Ours and the comma behind it, but no comment that stands between them.
        return text[:start] + text[end:behind] + text[behind + 1 :]
    if at:
        comma = skip(text, holder.nodes[at - 1].end)
        return text[:comma] + text[comma + 1 : start] + text[end:]
    return text[:start] + text[end:]
