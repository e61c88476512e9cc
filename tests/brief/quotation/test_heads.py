"""Quotations right below each other tell once who speaks, and each is still read, proved and mended by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brief.sessions import SomeFacts, check_text, said
from thruline.brief.document import parse_document
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.heads import share_heads
from thruline.brief.quotation.quote import Quote, looks_quoted, parse_quote, render_quote
from thruline.brief.render import render_brief
from thruline.brief.section import Brief, Claim, Section, order_sections

WORDS = [
    "No, not that way.",
    "user, transcript:L3: `x`",
    "L4: `x`",
    "> L5: `x`",
    "- > L6: `x`",
    "a\nb\nc\n> L7:\nd",
    "`",
]
POINTERS = [place(12), place(14, 16), place(2, source="a1"), Pointer("commit", commit="1a2b3c4"), place(9, source="a1")]


def render(quotes: list[Quote], indents: list[str]) -> list[str]:
    return [line for quote, indent in zip(quotes, indents, strict=True) for line in render_quote(quote, indent)]


def test_one_speaker_in_one_file_is_told_once() -> None:
    quotes = [Quote("No.", place(12)), Quote("a\nb\nc\nd", place(14)), Quote("Nor that.", place(20, 21))]
    assert share_heads(render(quotes, ["- ", "- ", "- "])) == [
        "- > user, transcript:L12: `No.`",
        "- > L14:",
        "  > ```quote",
        *("  > a", "  > b", "  > c", "  > d"),
        "  > ```",
        "- > L20-L21: `Nor that.`",
    ]


@pytest.mark.parametrize(
    ("quotes", "indents"),
    [
        ([Quote("No.", place(1)), Quote("Yes.", place(2), "agent")], ["- ", "- "]),
        ([Quote("No.", place(1)), Quote("Yes.", place(2, source="a1"))], ["- ", "- "]),
        ([Quote("No.", place(1)), Quote("Yes.", place(2))], ["- ", "  "]),
        ([Quote("a", Pointer("commit", commit="1a2b3c4"), "git"), Quote("b", place(3), "git")], ["- ", "- "]),
    ],
)
def test_another_speaker_file_or_indent_is_told(quotes: list[Quote], indents: list[str]) -> None:
    lines = render(quotes, indents)
    assert share_heads(lines) == lines


def test_what_stands_between_ends_it() -> None:
    (one,), (other,) = render_quote(Quote("No.", place(1)), "- "), render_quote(Quote("Nor that.", place(2)), "- ")
    lines = [one, "- ours (`transcript:L5`)", other]
    assert share_heads(lines) == lines
    # Nor is one read where nobody told who speaks.
    document = parse_document("## Basics\n- > user, transcript:L1: `No.`\n- ours (`transcript:L5`)\n- > L2: `x`")
    assert [placed.quote.text for placed in document.quotes] == ["No."]
    assert document.malformed == (3,)


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(POINTERS), st.booleans(), st.booleans()), max_size=9))
def test_what_is_shared_is_read_back(drawn: list[tuple[str, Pointer, bool, bool]]) -> None:
    quotes = [Quote(words, pointer, "human" if human else "agent") for words, pointer, human, _ in drawn]
    indents = ["- " if item else "  " for *_, item in drawn]
    text = "\n".join(["## Basics", *share_heads(render(quotes, indents))])
    document = parse_document(text)
    assert [placed.quote for placed in document.quotes] == quotes
    assert document.malformed == ()


@pytest.mark.parametrize("line", ["- > L4: `x`", "  > L4-L6: `x`", "> L4:"])
def test_alone_it_is_no_quotation_and_is_told(line: str) -> None:
    assert parse_quote([line]) is None
    assert looks_quoted(line)


SESSION = [said(1, "No, don't add a pause.", "human"), said(3, "Keep the port at 8443.", "human")]
SESSION += [said(5, "The cursor was closed twice.", "agent"), said(7, "Never touch nightly.sh.", "human")]


def make(*quotes: Quote) -> str:
    claims = tuple(Claim(quotes=(quote,), weight=1 - at / 10) for at, quote in enumerate(quotes))
    return render_brief(Brief(order_sections({"dead_ends": Section("dead_ends", claims)}), title="Brief: x")).text


def find_quotes(text: str) -> list[tuple[int, str, str]]:
    return [(one.quote.pointer.line, one.quote.by, one.quote.text) for one in parse_document(text).quotes]


def test_each_is_proved_by_itself() -> None:
    text = make(
        Quote("don't add a pause", place(1)),
        Quote("the port at 8443", place(3)),
        Quote("Never touch nightly.sh", place(7)),
    )
    assert "- > L3: `the port at 8443`\n- > L7: `Never touch nightly.sh`" in text
    assert check_text(text, SESSION, SomeFacts()).quotes == {"ok": 3}
    found = check_text(text.replace("8443", "9000"), SESSION, SomeFacts())
    assert found.quotes == {"ok": 2, "missing": 1}
    # Who speaks is part of the proof: under another's head the words are reattributed.
    found = check_text(text.replace("user, transcript:L1", "agent, transcript:L1"), SESSION, SomeFacts())
    assert found.quotes == {"reattributed": 3}


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_repair_leaves_who_speaks_with_the_others(gone: int) -> None:
    told = ["don't add a pause", "the port at 8443", "Never touch nightly.sh"]
    quotes = [Quote(words, place(line)) for words, line in zip(told, (1, 3, 7), strict=True)]
    text = make(*quotes).replace(told[gone], "words that nobody said")
    mended = check_text(text, SESSION, SomeFacts()).text
    assert find_quotes(mended) == [
        (line, "human", words) for at, (words, line) in enumerate(zip(told, (1, 3, 7), strict=True)) if at != gone
    ]
    assert check_text(mended, SESSION, SomeFacts()).quotes == {"ok": 2}


def test_a_speaker_that_is_mended_is_not_handed_on() -> None:
    text = make(Quote("The cursor was closed twice.", place(5)), Quote("Never touch nightly.sh", place(7)))
    mended = check_text(text, SESSION, SomeFacts()).text
    assert find_quotes(mended) == [(5, "agent", "The cursor was closed twice."), (7, "human", "Never touch nightly.sh")]
