"""Words that came from elsewhere can be read and can do nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.brief.attempts.inert import (
    _fold_any,
    escape_odd,
    find_spans,
    fold,
    parse_span,
    render_span,
    render_words,
    unescape_odd,
)


@given(st.text())
def test_escaping_is_undone_exactly(text: str) -> None:
    assert unescape_odd(escape_odd(text)) == text


@pytest.mark.parametrize(
    "sign", ["\x1b", "\x00", "\x85", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041", "\ud800"]
)
def test_what_acts_or_hides_becomes_visible(sign: str) -> None:
    assert escape_odd(f"a{sign}b") == f"a⟦U+{ord(sign):04X}⟧b"


@pytest.mark.parametrize("text", ["👨\u200d👩\u200d👧", "❤\ufe0f\u200d🔥", "🤷🏽\u200d♂\ufe0f now", "☎\ufe0e"])
def test_one_emoji_of_several_is_shown_as_it_is(text: str) -> None:
    assert escape_odd(text) == text


@pytest.mark.parametrize(
    "text", ["a\u200db", "👨\u200dpush", "push\u200d👩", "\u200d", "👨\u200d\u200d👩", "a\ufe0f\u200d👩", "a\ufe0e"]
)
def test_a_joiner_anywhere_else_is_visible(text: str) -> None:
    shown = escape_odd(text)
    assert "⟦U+" in shown
    assert "\u200d" not in shown
    assert unescape_odd(shown) == text


def test_tabs_line_feeds_and_letters_of_all_kinds_stay() -> None:
    text = "a\tb\nçé日本語 🙂 — “x” ⟦y⟧"
    assert escape_odd(text) == text


@given(st.text(st.sampled_from("` ab"), min_size=1))
def test_a_span_is_read_back(text: str) -> None:
    assert parse_span(render_span(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see [here](http://evil.example/x)", "see \\[here\\](`http://evil.example/x`)"),
        ("![p](http://evil.example/p.png)", "!\\[p\\](`http://evil.example/p.png`)"),
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        ("# a heading", "\\# a heading"),
        ("> a quotation", "\\> a quotation"),
        ("1. a list", "\\1. a list"),
        ("```\nfence", "\\`\\`\\` fence"),
        ("two\nlines", "two lines"),
        ("use `a < b` and snake_case", "use `a < b` and snake_case"),
        ("open `http://a.example`", "open `http://a.example`"),
        ("a > b, 2 * 3", "a > b, 2 * 3"),
        ("red \x1b[31mtext", "red ⟦U+001B⟧\\[31mtext"),
        ("www.evil.example now", "`www.evil.example` now"),
    ],
)
def test_only_code_spans_mean_anything_in_words(text: str, shown: str) -> None:
    assert render_words(text) == shown


@given(st.text(st.one_of(st.sampled_from("[]()<>!`*_#>~|\\ ab:/\n"), st.characters())))
def test_words_are_one_line_without_link_tag_or_control(text: str) -> None:
    shown = render_words(text)
    assert len(shown.splitlines()) <= 1
    outside = re.sub(r"\\.", "", re.sub(r"(?<![`\\])(`+)(?!`).+?(?<!`)\1(?!`)", "", shown))
    assert "<" not in outside
    assert "](" not in outside
    assert "[" not in outside


@given(st.text(st.sampled_from("[]()<>!`*_#>~|\\ ab\n")))
def test_rendering_words_twice_changes_nothing_a_reader_sees(text: str) -> None:
    assert fold(re.sub(r"\\", "", render_words(render_words(text)))) == fold(re.sub(r"\\", "", render_words(text)))


def test_a_text_folds_sign_by_sign_to_what_it_folds_to_as_a_whole() -> None:
    for code in (*range(0x80, 0x3400), *range(0xA000, 0xAC10), *range(0xD780, 0x10200)):
        text = f"E{chr(code)}F{chr(code)}\u2192 {chr(code)}U+"
        assert fold(text) == _fold_any(text), hex(code)


@given(
    st.text(
        alphabet="aE \t\u2192\u2019\u00e9\u0301\u00b4\uff76\uff9e\u1100\u1161\uac00\u11a8\u200b\u27e6U+\u00a0\u3000"
    )
)
def test_marks_and_parts_of_syllables_fold_with_what_stands_before_them(text: str) -> None:
    assert fold(text) == _fold_any(text)


def test_runs_of_backticks_that_close_nothing_are_read_once() -> None:
    # Each looked for to the line's end would not end while somebody waits.
    runs = " ".join("`" * length for length in range(1, 3_000))
    assert list(find_spans(runs)) == []
    assert list(find_spans(f"{runs} ``a``")) == [(2, f"{runs[2:]} ``")]
