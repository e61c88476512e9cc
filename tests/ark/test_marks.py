"""What a fork's records carry more than their originals: out, and back."""

import json

from hypothesis import given
from hypothesis import strategies as some

from thruline.ark.marks import Marks, join_lines, put_back

MARK = ',"from":{"id":"P","of":"'


def build(number: int, *, copied: bool = False, extra: str = "") -> bytes:
    line = json.dumps({"n": number, "text": extra, "uuid": f"u{number}", "z": 1}, separators=(",", ":"))
    return (line[:-1] + f'{MARK}u{number}"}}}}' if copied else line).encode() + b"\n"


def take_out(data: bytes, mark: str = MARK, size: int = 1 << 20) -> tuple[bytes, Marks]:
    marks = Marks(mark)
    return b"".join(marks.take_out(data[at : at + size] for at in range(0, len(data), size))), marks


def test_the_lines_of_a_fork_become_those_of_its_parent() -> None:
    data = b"".join(build(number, copied=number not in (3, 7)) for number in range(1, 10))
    left, marks = take_out(data)
    assert left == b"".join(build(number) for number in range(1, 10))
    assert marks.runs == (1, 2, 4, 3, 8, 2)
    assert marks.lines == 9
    assert b"".join(put_back([left], MARK, marks.runs)) == data
    assert marks.find_length(7) == len(f'{MARK}u8"}}') * 2


def test_a_mark_with_another_id_or_in_other_words_stays() -> None:
    odd = [
        build(1)[:-2] + f'{MARK}u2"}}}}\n'.encode(),
        build(2, extra=f"they add {MARK}u2 to it"),
        build(3, copied=True)[:-1],
        build(4, copied=True).rstrip(b"\n") + b" \n",
        f'{{"a":1{MARK}u5"}}}}\n'.encode(),
    ]
    for line in odd:
        left, marks = take_out(line)
        assert (left, marks.runs) == (line, ())


PIECES = some.sampled_from(
    [MARK.encode(), b'"uuid":"u1"', b'u1"}}\n', b'"}}\n', b"}\n", b"\n", b"u1", b"{", b"\r\n", b"\0"]
)
BYTES = some.lists(PIECES | some.binary(max_size=4), max_size=40).map(b"".join)


@given(BYTES, some.integers(1, 30))
def test_any_bytes_come_back_however_they_are_cut(data: bytes, size: int) -> None:
    left, marks = take_out(data, size=size)
    back = b"".join(put_back((left[at : at + size] for at in range(0, len(left), size)), MARK, marks.runs))
    assert back == data
    assert len(data) - len(left) == marks.find_length(0)
    assert marks.lines == data.count(b"\n")


@given(some.lists(some.booleans(), max_size=20), some.integers(0, 20))
def test_a_file_that_grew_is_gone_on_with_from_any_line(copied: list[bool], cut: int) -> None:
    lines = [build(number, copied=each) for number, each in enumerate(copied, 1)]
    cut = min(cut, len(lines))
    left, marks = take_out(b"".join(lines))
    first = Marks(MARK)
    begun = b"".join(first.take_out([b"".join(lines[:cut])]))
    second = Marks(MARK, cut, first.runs)
    assert begun + b"".join(second.take_out([b"".join(lines[cut:])])) == left
    assert second.runs == marks.runs
    assert Marks(MARK, cut, marks.runs).runs == first.runs


@given(some.lists(some.binary(max_size=6) | some.just(b"\n")))
def test_joined_pieces_are_the_same_bytes_and_end_at_lines(pieces: list[bytes]) -> None:
    joined = list(join_lines(pieces))
    assert b"".join(joined) == b"".join(pieces)
    assert all(piece.endswith(b"\n") for piece in joined[:-1])
