"""A quote is a slice of the text, short, and ends where a clause does."""

from hypothesis import given
from hypothesis import strategies as st

from thruline.signals.quote import LONGEST, choose, cut, find_sentences


def test_a_short_message_is_quoted_whole() -> None:
    assert choose("  use pnpm ", [(0, 11)], lambda sentence: 0.0) == "use pnpm"


def test_the_sentence_that_weighs_most_is_quoted() -> None:
    text = (
        "I looked at the page for a while today. " * 6
        + "The button is in the wrong place and has to move. "
        + "Thanks. " * 9
    )
    assert choose(text, [(0, len(text))], lambda one: float("wrong" in one)).startswith(
        "The button is in the wrong place"
    )


def test_what_leads_to_a_paste_is_quoted_only_where_nothing_else_is_said() -> None:
    text = "Here is what I get:\nNo, it is the writer that drops them."
    lines = [(0, 19), (20, len(text))]
    assert choose(text * 4, lines, lambda one: 1.0 if "get" in one else 0.8) == "No, it is the writer that drops them."
    assert choose(text, lines[:1], lambda one: 1.0) == "Here is what I get:"


def test_one_word_at_the_end_is_quoted_with_the_sentence_before_it() -> None:
    text = "so, testing this build now. " * 8 + "What happened here? debug"
    assert choose(text, [(0, len(text))], lambda one: float("debug" in one)) == "What happened here? debug"


def test_too_long_a_sentence_is_cut_at_a_clause() -> None:
    text = "no, " + "word " * 30 + ", and then " + "word " * 40
    assert cut(text, 0, len(text)).endswith("word")
    assert len(cut(text, 0, len(text))) <= LONGEST


@given(st.text(alphabet="ab .,?!\n。-(", max_size=600))
def test_quotes_and_sentences_are_slices(text: str) -> None:
    spans = list(find_sentences(text))
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    quote = choose(text, [(0, len(text))] if text else [], len)
    assert quote in text
    assert len(quote) <= LONGEST
