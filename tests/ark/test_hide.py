"""Any bytes and any id: hidden and shown again, nothing has changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.ark.hide import encode_id, find_plain_size, hide_id, hide_in_pieces, show_id

# Few letters, so that ids occur, overlap themselves and stand beside what replaces them.
DATA = st.lists(
    st.sampled_from([b"0", b"1", b"a", b"ab", b"\0", b"\n", b"\0" + b"0", b"\0" + b"1", b"\1", b"aba"])
).map(b"".join)
IDS = st.sampled_from([b"", b"a", b"0", b"1", b"01", b"aba", b"0a", b"1a", b"abab"])


@given(DATA, IDS)
def test_what_was_hidden_is_shown_again(data: bytes, hidden: bytes) -> None:
    text = hide_id(data, hidden)
    assert show_id(text, hidden) == data
    assert find_plain_size(text, hidden) == len(data)


@given(st.lists(DATA), IDS)
def test_an_id_across_two_pieces_changes_nothing(pieces: list[bytes], hidden: bytes) -> None:
    text = b"".join(hide_in_pieces(pieces, hidden))
    assert show_id(text, hidden) == b"".join(pieces)


@given(st.lists(st.integers(1, 7), min_size=1), st.booleans())
def test_an_id_is_found_however_the_file_is_read(sizes: list[int], lines: bool) -> None:
    data = b"xxSESSIONxxSESSION" * 3 + (b"\n" if lines else b"") + b"SESSSESSION"
    pieces, at = [], 0
    for size in sizes:
        pieces.append(data[at : at + size])
        at += size
    pieces.append(data[at:])
    assert b"".join(hide_in_pieces(pieces, b"SESSION")) == hide_id(data, b"SESSION")


def test_two_forks_are_the_same_bytes_without_their_ids() -> None:
    one, two = b'{"id":"one-1"}\n' * 3, b'{"id":"second"}\n' * 3
    assert hide_id(one, b"one-1") == hide_id(two, b"second")


@pytest.mark.parametrize("hidden", ["a\0b", "a\1b", "a\nb"])
def test_an_id_that_could_not_be_told_apart_is_not_hidden(hidden: str) -> None:
    assert encode_id(hidden) == b""
    assert encode_id("plain") == b"plain"
