"""A spine cut into chunks: at a person's turns where possible, never over budget, no label ever lost.

A turn that alone exceeds the budget is cut between entries; an entry that alone exceeds it is cut inside, at a line
end or a blank where there is one, and every piece carries the entry's label and its number.
"""

from thruline.spine.entry import Entry, one_line, render_entry, render_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# So many characters are measured at once, then ever fewer; a power of 16.
_STEP = 16**3


class Chunk:
    """A piece of the spine as text; `first` and `last` are the labels it begins and ends with."""

    __slots__ = ("first", "last", "text")

    def __init__(self, first: str, last: str, text: str) -> None:
        self.first = first
        self.last = last
        self.text = text


class _Piece:
    __slots__ = ("label", "size", "text", "turn")

    def __init__(self, label: str, text: str, turn: bool) -> None:
        self.label = label
        self.text = text
        self.turn = turn
        self.size = len(text.encode("utf-8", "surrogatepass"))


def build_chunks(entries: "Iterable[Entry]", most_bytes: int) -> "Iterator[Chunk]":
    """Chunks of at most `most_bytes` bytes of UTF-8 each."""
    held: list[_Piece] = []
    size = 0
    for entry in entries:
        for piece in _cut_entry(entry, most_bytes):
            if held and size + piece.size > most_bytes:
                # The youngest turn moves on whole if it is not what the chunk began with.
                at = next((i for i in range(len(held) - 1, 0, -1) if held[i].turn), 0) if not piece.turn else 0
                if at and sum(item.size for item in held[at:]) + piece.size <= most_bytes:
                    yield _join(held[:at])
                    held = held[at:]
                else:
                    yield _join(held)
                    held = []
                size = sum(item.size for item in held)
            held.append(piece)
            size += piece.size
    if held:
        yield _join(held)


def _join(pieces: list[_Piece]) -> Chunk:
    return Chunk(pieces[0].label, pieces[-1].label, "".join(piece.text for piece in pieces))


def _cut_entry(entry: Entry, most_bytes: int) -> "Iterator[_Piece]":
    whole = _Piece(entry.label, render_entry(entry), entry.turn)
    if whole.size <= most_bytes:
        yield whole
        return
    entry = _shorten_head(entry, most_bytes)
    if not entry.body:
        yield _Piece(entry.label, render_entry(entry), entry.turn)
        return
    # Room for the head with its part number, and two spaces for each line of the body.
    room = most_bytes - len(render_part(entry, "", 99_999, 99_999).encode("utf-8", "surrogatepass"))
    bodies = list(_cut_text(entry.body, max(room, 16)))
    for number, body in enumerate(bodies, 1):
        text = render_part(entry, body, number, len(bodies))
        yield _Piece(entry.label, text, entry.turn and number == 1)


def _shorten_head(entry: Entry, most_bytes: int) -> Entry:
    # Heads are one line each, but a call can make forty commits; what is cut can be opened by the label.
    most = max((most_bytes - len(entry.label) - 40) // 2, 16)
    head = entry.head
    while len(head.encode("utf-8", "surrogatepass")) > most:
        head = one_line(head, max(len(head) * 2 // 3, 2))
    return Entry(entry.line, entry.source, head, entry.body, entry.turn)


def _cut_text(text: str, most_bytes: int) -> "Iterator[str]":
    begin = 0
    while begin < len(text):
        end = _fit(text, begin, most_bytes)
        if end < len(text):
            half = begin + (end - begin) // 2
            at = text.rfind("\n", half, end)
            if at < 0:
                at = text.rfind(" ", half, end)
            end = at + 1 if at >= 0 else end
        yield text[begin:end]
        begin = end


def _fit(text: str, begin: int, most_bytes: int) -> int:
    """Up to where `text` fits from `begin` on, counting the indentation that each line gets; one character does."""
    room, end, step = most_bytes - 2, begin, _STEP
    while end < len(text) and step:
        piece = text[end : end + step]
        size = len(piece.encode("utf-8", "surrogatepass")) + 2 * piece.count("\n")
        if size <= room:
            room -= size
            end += len(piece)
        else:
            step //= 16
    return max(end, begin + 1)
