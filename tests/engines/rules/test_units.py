"""Units are exact pieces of a text that can stand in a quotation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.engines.rules.units import LONGEST, split_units


def texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_units(text)]


def test_sentences_of_a_line_are_units_of_their_own() -> None:
    assert texts("The cursor leaks. It is closed twice! Why?") == ["The cursor leaks.", "It is closed twice!", "Why?"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("- **One**: a thing\n2. two\n> three", ["**One**: a thing", "two", "three"]),
        ("- [ ] write it\n- [x] read it", ["write it", "read it"]),
        ("See e.g. The manual, v1.2 of it.", ["See e.g. The manual, v1.2 of it."]),
        ("Use `a.b`. `c.d` is gone.", ["Use `a.b`.", "`c.d` is gone."]),
        ("原因是缓存。现在已修复。", ["原因是缓存。", "现在已修复。"]),
        ("**3. The lock is a red herring.** It was free.", ["**3. The lock is a red herring.**", "It was free."]),
    ],
)
def test_marks_of_lists_are_no_part_of_a_unit(text: str, wanted: list[str]) -> None:
    assert texts(text) == wanted


def test_code_headings_and_rules_are_no_units() -> None:
    assert texts("# Title\n\n```sh\nrm -rf build\n```\n---\n| --- | --- |\nIt works.") == ["It works."]


def test_half_a_pair_of_bold_marks_is_left_out() -> None:
    assert texts("**Fixed it. The rest stays.**") == ["Fixed it.", "The rest stays."]


def test_a_line_without_a_stop_is_cut_at_a_word() -> None:
    (unit,) = texts("word " * 1000)
    assert len(unit) <= LONGEST
    assert set(unit.split()) == {"word"}


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_units_stand_in_the_text_in_order_and_never_overlap(text: str) -> None:
    last = 0
    for span in split_units(text):
        assert last <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip() == text[span.start : span.end]
        last = span.end
