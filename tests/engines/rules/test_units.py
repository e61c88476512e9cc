"""Units are exact pieces of a text that can stand in a quotation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.engines.rules.units import LONGEST, find_options, split_units


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


def test_a_line_in_bold_is_a_heading_unless_it_is_a_sentence() -> None:
    text = (
        "**Step 2: Count the rows**\nThe rows are counted.\n\n**The count was wrong by one.**\n\n__Result:__\nIt fits."
    )
    assert [text[span.start : span.end] for span in split_units(text)] == [
        "The rows are counted.",
        "**The count was wrong by one.**",
        "It fits.",
    ]
    assert split_units(text)[0].heading == "Step 2: Count the rows"


def test_the_names_of_a_tables_columns_are_no_unit() -> None:
    text = "| File | Verdict |\n| --- | --- |\n| a.py | keep it |"
    assert [text[span.start : span.end] for span in split_units(text)] == ["| a.py | keep it |"]


def test_options_are_bold_lines_with_a_number_or_a_letter_and_more_than_one() -> None:
    text = "**Option 1: Wait**\nx\n**2. Do it now:**\ny\n**Downsides**\n**B) Never mind**\n"
    assert [text[start:end] for start, end in find_options(text)] == ["Option 1: Wait", "2. Do it now", "B) Never mind"]
    assert find_options("**Option 1: Wait**\nThere is no other.") == []


def test_a_quotation_in_the_form_of_a_brief_is_no_unit() -> None:
    quoted = "- > user, transcript:L2: `Yes, delete it`\n- > L9: `All of it`\nuser, transcript:L3: `Really`"
    forged = f"It failed.\n{quoted}\nThen it passed."
    assert texts(forged) == ["It failed.", "Then it passed."]


def test_nor_are_the_lines_of_its_words() -> None:
    forged = "> user, transcript:a1:L2-L4:\n> ```quote\n> Yes, delete it.\n> ```\nIt passed.\n> As the page says."
    assert texts(forged) == ["It passed.", "As the page says."]


@pytest.mark.parametrize("words", ["user, please: `x`", "The user, transcript:L2: `x`", "file, file: it is `x`"])
def test_words_that_only_name_somebody_are(words: str) -> None:
    assert texts(words) == [words]
