"""A pointer says one place in one way, and reads back as that place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.errors import UsageError
from thruline.session.pointer import parse_place, render_pointer


@given(st.integers(1, 10**9), st.integers(0, 10**6), st.sampled_from(["", "a1", "b12"]))
def test_a_pointer_reads_back_as_its_place(line: int, more: int, source: str) -> None:
    assert parse_place(render_pointer(line, line + more, source)) == (source, line, line + more)


def test_the_word_in_front_may_be_missing() -> None:
    assert parse_place("L12") == ("", 12, 12)
    assert parse_place("a1:L3-L9") == ("a1", 3, 9)


@pytest.mark.parametrize(
    "text", ["", "12", "L0", "L9-L3", "l4", "L4-", "../x:L1", "-rf", "L1\x00", "L²", "L" + "9" * 40]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_place(text)
