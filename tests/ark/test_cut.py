"""Borders come from the content, so that copies find the same ones."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tests.ark.sessions import build_lines
from thruline.ark.cut import LEAST, MOST, cut_blocks


def cut(data: bytes, size: int = 1 << 22) -> list[bytes]:
    return list(cut_blocks(data[at : at + size] for at in range(0, len(data), size)))


@given(st.lists(st.binary(max_size=50)))
def test_blocks_joined_are_the_file(pieces: list[bytes]) -> None:
    assert b"".join(cut_blocks(pieces)) == b"".join(pieces)


def test_borders_do_not_depend_on_how_the_file_is_read() -> None:
    data = b"".join(build_lines(3000))
    assert cut(data) == cut(data, 100_003) == cut(data, len(data))


def test_blocks_keep_their_sizes_and_end_at_line_ends() -> None:
    blocks = cut(b"".join(build_lines(3000)))
    assert len(blocks) > 5
    assert all(LEAST <= len(block) <= MOST for block in blocks[:-1])
    assert all(block.endswith(b"\n") for block in blocks)


def test_after_a_difference_the_borders_are_the_same_again() -> None:
    lines = build_lines(3000)
    plain, changed = cut(b"".join(lines)), cut(b"".join([*lines[:7], b"put in\n", *lines[8:]]))
    assert plain[0] != changed[0]
    shared = len(set(plain) & set(changed))
    assert shared >= len(plain) - 4


def test_a_line_longer_than_a_block_is_cut_inside_and_never_inside_a_pair() -> None:
    for shift in range(4):
        data = b"x" * shift + b"\0" + b"1" * 1 + (b"\0" + b"1") * MOST
        blocks = cut(data)
        assert b"".join(blocks) == data
        assert all(block.count(b"\0") == block.count(b"\0" + b"1") for block in blocks)
        assert max(map(len, blocks)) <= MOST


def test_a_file_that_grew_has_the_same_blocks_up_to_the_last() -> None:
    lines = build_lines(2000)
    sizes = list(itertools.accumulate(map(len, lines)))
    for count in (700, 1200, 1999):
        short, whole = cut(b"".join(lines[:count])), cut(b"".join(lines))
        assert whole[: len(short) - 1] == short[:-1], sizes[count]
