"""Names that begin with a moment: any words make one, and nothing that looks like a path or a flag is one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.artifacts.slug import build_stamped_id
from thruline.artifacts.stamp import is_stamped_id

MOMENT = datetime(2026, 11, 16, 9, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["", "../x", "20261116-091000/../x", "20261116-091000/x", "--help", "-20261116", "20261116-091000-", "20261116",
     "20261116-091000--x", "20261116-091000-a--b", "20261116-091000-X", "20261116-091000-x\n", "20261116-091000-é",
     "٢٠261116-091000-x", "20261116-091000.x", "20261116_091000-x", "20261116-09100", "2026111-6091000-x",
     "20261116-09100-0", "20261116-091000x"],
)  # fmt: skip
def test_what_looks_like_a_path_or_a_flag_is_no_id(text: str) -> None:
    assert not is_stamped_id(text)


@given(st.text(max_size=300), st.integers(0, 60))
def test_any_words_make_an_id_of_bounded_length(text: str, most: int) -> None:
    made = build_stamped_id(MOMENT, text, most)
    assert is_stamped_id(made)
    assert len(made) <= len("20261116-091000-") + most


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Port the next module", "-port-the-next-module"),
        ("  Don't -- really -- stop_at é!", "-don-t-really-stop-at-e"),
        ("日本語だけ", ""),
        ("finish the export of all orders of this year", "-finish-the-export-of-all"),
        ("unbreakable" * 5, ""),
    ],
)
def test_the_slug_is_the_first_words_in_plain_letters(text: str, slug: str) -> None:
    assert build_stamped_id(MOMENT, text, 24) == "20261116-091000" + slug


def test_a_name_that_is_taken_is_that_of_the_next_free_second() -> None:
    taken = ["20261116-091000-x", "20261116-091001-x", "20261116-091002-y"]
    assert build_stamped_id(MOMENT, "x", 9, taken) == "20261116-091002-x"
