"""What a client adds to every record that a fork copies: taken out of the bytes, and put back.

Such a record ends `<mark><its own id>"}}`, where its original ends `}`. Without that a fork's lines are its parent's,
and are kept once. Taken out is only what can be put back from the line itself: the id must be the one that stands last
in the line before the mark, as `"uuid":"<id>"`. Which lines lost it is kept as runs, so any other line stays as it is,
whatever it holds, and for any bytes and any mark `put_back(take_out(data)) == data`.
"""

from collections.abc import Iterable, Iterator

from thruline.ark.asides import add_run, cut_runs

_ID = b'"uuid":"'
_END = b'"}}\n'
_LEFT = b"}\n"  # what a line ends with that lost its mark


class Marks:
    """Takes the mark out of whole lines; `lines` counts them, from the one behind `line` on."""

    def __init__(self, mark: str, line: int = 0, runs: tuple[int, ...] = ()) -> None:
        self._mark = mark.encode("utf-8", "surrogateescape")
        self.lines = line
        # first line, how many, first line, how many, …
        self._runs = cut_runs(runs, line)
        self._lengths: dict[int, int] = {}

    @property
    def runs(self) -> tuple[int, ...]:
        """Which lines lost it: the first of each run, and how many it has."""
        return tuple(self._runs)

    def take_out(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces, cut at line ends, without the mark."""
        for text in join_lines(pieces):
            yield self._take_out(text)

    def _take_out(self, text: bytes) -> bytes:
        kept: list[bytes] = []
        done = counted = 0
        while (at := text.find(self._mark, done)) >= 0:
            end = text.find(b"\n", at) + 1
            begin = text.rfind(b"\n", 0, at) + 1
            name = text[at + len(self._mark) : end - len(_END)] if end else b""
            if not name or not text.endswith(_END, 0, end) or _find_id(text, begin, at) != name:
                # Between marks of other lines, or words about one.
                stop = end or len(text)
                kept.append(text[done:stop])
                done = stop
                continue
            self.lines += text.count(b"\n", counted, end)
            counted = end
            self._note(end - at - len(_LEFT))
            kept += (text[done:at], _LEFT)
            done = end
        self.lines += text.count(b"\n", counted)
        return b"".join(kept) + text[done:] if kept else text

    def _note(self, length: int) -> None:
        self._lengths[self.lines] = length
        add_run(self._runs, self.lines)

    def find_length(self, line: int) -> int:
        """How many bytes were taken out of the lines behind `line`."""
        return sum(length for number, length in self._lengths.items() if number > line)


def _find_id(text: bytes, begin: int, end: int) -> bytes:
    at = text.rfind(_ID, begin, end)
    if at < 0:
        return b""
    at += len(_ID)
    return text[at : text.find(b'"', at, end)]


def put_back(pieces: Iterable[bytes], mark: str, runs: tuple[int, ...]) -> Iterator[bytes]:
    """What `Marks.take_out` was given."""
    added = mark.encode("utf-8", "surrogateescape")
    waiting = iter(zip(runs[::2], runs[1::2], strict=True))
    first, count = next(waiting, (0, 0))
    line = 0
    for text in join_lines(pieces):
        if not first or first > line + text.count(b"\n"):
            line += text.count(b"\n")
            yield text
            continue
        kept = []
        for each in _split(text):
            line += 1
            if first and line >= first + count:
                first, count = next(waiting, (0, 0))
            if first and line >= first:
                each = each[: -len(_LEFT)] + added + _find_id(each, 0, len(each)) + _END
            kept.append(each)
        yield b"".join(kept)


def _split(text: bytes) -> list[bytes]:
    # At line feeds alone: bytes.splitlines takes a carriage return for an end as well.
    parts = text.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def join_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that end where a line does; the last one may not."""
    held: list[bytes] = []
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*held, piece[:end]])
            held = [piece[end:]] if end < len(piece) else []
        else:
            held.append(piece)
    if held:
        yield b"".join(held)
