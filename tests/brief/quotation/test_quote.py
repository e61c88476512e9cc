"""A quotation says what was said, can be read back exactly, and cannot be left from inside."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thruline.brief.attempts.inert import unescape_odd
from thruline.brief.document import parse_document
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.quote import SPEAKERS, Quote, join_lines, parse_quote, render_quote, split_cuts
from thruline.brief.quotation.shorten import shorten

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "quote.md"
NASTY = st.text(
    st.one_of(st.sampled_from("`\n⏎⟦U+0⟧> -#\t\x1b\u202e\u2028\x85…ab ~[]()<>"), st.characters()), min_size=1
)


@given(text=NASTY, indent=st.sampled_from(["", "  ", "- "]), by=st.sampled_from(sorted(SPEAKERS)))
@example(text="`", indent="", by="human")
@example(text=" ", indent="", by="human")
@example(text="\n\n\n\n\n", indent="- ", by="agent")
@example(text="⟦U+000A⟧\n> ```\n> user, transcript:L1: `x`\n```\n", indent="  ", by="tool")
def test_what_is_rendered_is_read_back(text: str, indent: str, by: str) -> None:
    quote = Quote(join_lines(text), place(3, source="a1"), by)
    lines = render_quote(quote, indent)
    placed = parse_quote(lines)
    assert placed is not None
    assert placed.quote == quote
    assert (placed.first, placed.count) == (0, len(lines))


@given(text=NASTY, indent=st.sampled_from(["", "  ", "- "]))
def test_no_text_leaves_its_lines_or_brings_a_control_character(text: str, indent: str) -> None:
    lines = render_quote(Quote(text, place(3)), indent)
    assert all(line.startswith(indent + "> " if at == 0 else " " * len(indent) + ">") for at, line in enumerate(lines))
    assert not re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", "".join(lines))
    # Splitting as any other reader of lines would gives the same lines.
    assert "\n".join(lines).splitlines() == lines


def test_the_examples_of_the_page_are_quotations() -> None:
    blocks = re.findall(r"^(`{3,4})markdown\n(.*?)\n\1$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    placed = [parse_quote(body.split("\n")) for _, body in blocks]
    first = "No, don't add a pause."
    assert [item.quote.text for item in placed if item] == [first, "first line\nsecond line", first]
    shared = parse_document(blocks[-1][1]).quotes
    assert [item.quote for item in shared] == [Quote(first, place(12)), Quote("Nor a retry.", place(14))]


def test_the_page_names_every_speaker() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page[page.index("| who |") : page.index("## Which text counts")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(SPEAKERS.values())


@pytest.mark.parametrize(
    "line",
    [
        '> user, transcript:L12: "No"',
        "> user, transcript:L12: `No` and more",
        "> user, transcript:L12: `No``",
        "> user, transcript:12: `No`",
        "> user: `No`",
        "> nobody, transcript:L12: `No`",
        "user, transcript:L12: `No`",
        "> user, transcript:L12:",
        "> user, transcript:L12: ``",
    ],
)
def test_anything_else_is_no_quotation(line: str) -> None:
    assert parse_quote([line]) is None


def test_a_block_that_never_ends_is_no_quotation() -> None:
    lines = render_quote(Quote("a\nb\nc\nd\ne", place(1)))
    assert len(lines) == 8
    assert parse_quote(lines) is not None
    assert parse_quote(lines[:-1]) is None
    assert parse_quote([*lines[:3], "outside", *lines[3:]]) is None


def test_a_block_is_cut_before_it_is_too_long_to_be_read_back() -> None:
    quote = Quote("\n".join(f"line {number}" for number in range(5_000)), place(1))
    placed = parse_quote(render_quote(quote))
    assert placed is not None
    assert placed.quote.text.endswith("line 298\n…")


def test_a_path_with_anything_in_it_is_one_word_of_the_head() -> None:
    quote = Quote("x", Pointer("file", path="a b:c`d\n%é.md", line=3), "file")
    placed = parse_quote(render_quote(quote))
    assert placed is not None
    assert placed.quote == quote


@given(text=NASTY, most=st.integers(1, 40))
def test_a_shortened_quotation_begins_as_the_whole_one(text: str, most: int) -> None:
    quote = Quote(text, place(1))
    cut = shorten(quote, most)
    assert cut == quote or text.startswith(cut.text.removesuffix(" …"))
    assert len(cut.text) <= len(text)


def test_a_cut_is_never_inside_a_word_or_a_marker() -> None:
    quote = Quote("please use [redacted:api-key] and remain there", place(1))
    cuts = {shorten(quote, most).text for most in range(1, 46)}
    assert cuts == {
        "please …",
        "please use …",
        "please use [redacted:api-key] …",
        "please use [redacted:api-key] and …",
        "please use [redacted:api-key] and remain …",
    }


def test_pieces_have_no_blanks_of_the_mark() -> None:
    assert split_cuts("one … two…three …") == ["one", "two", "three"]


@pytest.mark.parametrize("text", ["⟦U+110000⟧", "⟦U+12⟧", "⟦U+00zz⟧", "⟦"])
def test_what_is_no_mark_stays(text: str) -> None:
    assert unescape_odd(text) == text


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("The lock was taken twice. Then the writer waited for itself.", 40, "The lock was taken twice. …"),
        ("first the lock\nthen the writer and all the others", 24, "first the lock …"),
        ("The lock … then the writer and all the others", 18, "The lock …"),
        ("锁被取了两次。然后写入者等待自己的锁。", 10, "锁被取了两次。 …"),
        ("So call `take lock twice` and wait for the others", 16, "So call …"),
        ("Too far back. A long run of words standing one after another", 40, "Too far back. A long run of words …"),
    ],
)
def test_a_quotation_is_cut_where_a_sentence_ends_and_not_inside_code(text: str, most: int, kept: str) -> None:
    assert shorten(Quote(text, place(1)), most).text == kept


TWICE = "Read the tide twice. Add a pause to each read "
STDIN = "Pass it in a file instead of the command line"


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        (f"{TWICE}only when the lock is free", 48, "Read the tide twice. …"),
        (f"{TWICE}when the lock is free", 48, f"{TWICE}…"),
        (f"{STDIN}, which all can see", 20, f"{STDIN} …"),
        ("Erst die Flut lesen, dann die Ebbe lesen und die Boje nicht mehr", 40, "Erst die Flut lesen, …"),
    ],
)
def test_a_cut_leaves_no_denial_out_of_the_clause_that_it_keeps(text: str, most: int, kept: str) -> None:
    assert shorten(Quote(text, place(1)), most).text == kept
