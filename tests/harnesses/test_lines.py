"""Lines in blocks: the same as any iteration gives, whatever their lengths, and a huge one costs itself once."""

import random
import tracemalloc
from pathlib import Path

import pytest

from thruline.harnesses import lines
from thruline.harnesses.lines import Lines


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """A buffer so small that every way through it is taken."""
    monkeypatch.setattr(lines, "_BUFFER", 16)
    return 16


def write(path: Path, sizes: list[int], *, end: bytes = b"\n") -> list[bytes]:
    raws = [bytes([65 + number % 26]) * (size - 1) + b"\n" for number, size in enumerate(sizes)]
    raws[-1] = raws[-1][:-1] + end
    path.write_bytes(b"".join(raws))
    return [raw for raw in raws if raw]


@pytest.mark.parametrize("end", [b"\n", b""])
def test_lines_of_every_length_come_as_they_stand(tmp_path: Path, small: int, end: bytes) -> None:
    path = tmp_path / "f"
    chance = random.Random(3)
    for _ in range(300):
        sizes = [chance.choice((1, 2, 5, 14, 15, 16, 17, 31, 32, 33, 48, 100)) for _ in range(chance.randint(1, 9))]
        raws = write(path, sizes, end=end)
        read = Lines(str(path))
        assert list(read) == list(enumerate(raws, 1)), sizes
        assert (read.line, read.offset) == (len(raws), sum(map(len, raws)))
        assert [read.read_again(number) for number in range(1, len(raws) + 1)] == raws
        assert [read.size_of(number) for number in range(1, len(raws) + 1)] == [len(raw) for raw in raws]


def test_a_live_reading_leaves_an_unfinished_line_however_long(tmp_path: Path, small: int) -> None:
    path = tmp_path / "f"
    for size in (3, 15, 16, 17, 40):
        raws = write(path, [5, 20, 4, size], end=b"")
        read = Lines(str(path), live=True)
        assert [raw for _, raw in read] == raws[:3]
        assert (read.line, read.offset) == (3, 29)
        path.write_bytes(path.read_bytes() + b"!\nmore\n")
        assert list(Lines(str(path), offset=read.offset, line=read.line)) == [(4, raws[3] + b"!\n"), (5, b"more\n")]


def test_a_line_can_be_read_again_while_the_rest_is_still_to_come(tmp_path: Path, small: int) -> None:
    path = tmp_path / "f"
    raws = write(path, [5, 6, 40, 3, 3, 3, 3, 3, 3, 70, 2])
    read = Lines(str(path))
    for number, raw in read:
        for earlier in range(1, number + 1):
            assert read.read_again(earlier) == raws[earlier - 1]
            assert read.size_of(earlier) == len(raws[earlier - 1])
        assert raw == raws[number - 1]


def test_a_line_before_the_beginning_or_behind_the_end_is_none(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write(path, [5, 6, 7])
    read = Lines(str(path), offset=5, line=1)
    assert read.read_again(2) is None, "nothing was read yet"
    list(read)
    assert [read.read_again(line) is not None for line in (1, 2, 3, 4)] == [False, True, True, False]
    assert [read.size_of(line) for line in (1, 2, 3, 4)] == [0, 6, 7, 0]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"")
    assert list(Lines(str(path))) == []


def test_a_huge_line_costs_itself_and_its_size_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    size = 20 << 20
    write(path, [10, size, 10])
    read = Lines(str(path))
    tracemalloc.start()
    for _, raws in read.blocks():
        assert raws
    assert tracemalloc.get_traced_memory()[1] < size + (2 << 20)
    tracemalloc.reset_peak()
    del raws
    assert read.size_of(2) == size
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()
