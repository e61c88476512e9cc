"""A session's id taken out of its bytes, and put back.

A fork is its parent's records with another id in every line. Without the id they are the same bytes, and are kept once.
The byte 1 stands for it; a 1 that was there, and a 0, become pairs that begin with 0. Lines of JSON hold neither, and
for any bytes and any id `show_id(hide_id(data, id), id) == data`.
"""

from collections.abc import Iterable, Iterator

_ESCAPE, _NUL, _ONE = b"\0", b"\0" + b"0", b"\0" + b"1"
_ID = b"\1"


def encode_id(hidden: str) -> bytes:
    """The bytes to be hidden; none for an id with a line break, or with bytes that stand for something else."""
    data = hidden.encode("utf-8", "surrogateescape")
    return data if {0, 1, 10}.isdisjoint(data) else b""


def hide_id(data: bytes, hidden: bytes) -> bytes:
    """`data` with every occurrence of `hidden` replaced by one byte."""
    data = data.replace(_ESCAPE, _NUL).replace(_ID, _ONE)
    # split and join search once; replace counts first, and searching is what takes the time.
    return _ID.join(data.split(hidden)) if hidden else data


def show_id(text: bytes, hidden: bytes) -> bytes:
    """What `hide_id` was given."""
    return text.replace(_ID, hidden).replace(_ONE, _ID).replace(_NUL, _ESCAPE)


def find_plain_size(text: bytes, hidden: bytes) -> int:
    """How long `show_id(text, hidden)` is."""
    return len(text) - text.count(_ESCAPE) + text.count(_ID) * (len(hidden) - 1)


def splits_pair(text: bytes, at: int) -> bool:
    """Whether a cut at `at` would separate the two bytes of a pair."""
    return text[at - 1 : at] == _ESCAPE


def hide_in_pieces(pieces: Iterable[bytes], hidden: bytes) -> Iterator[bytes]:
    """The pieces of one file with the id hidden, also where it lies across two of them."""
    held = b""
    for piece in pieces:
        held = held + piece if held else piece
        # An id holds no line break, so none lies across the end of a line.
        end = held.rfind(b"\n") + 1 if len(hidden) > 1 else len(held)
        if not end:
            end = _find_safe_end(held, hidden)
        if end:
            yield hide_id(held[:end], hidden)
            held = held[end:]
    if held:
        yield hide_id(held, hidden)


def _find_safe_end(held: bytes, hidden: bytes) -> int:
    # One huge line: everything that cannot be the beginning of an id may go.
    size = len(hidden)
    end = max(len(held) - size + 1, 0)
    found = held.find(hidden, max(end - size + 1, 0), end + size - 1)
    return found + size if 0 <= found < end else end
