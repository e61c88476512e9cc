"""Words stand in a text exactly, or under a mark that the page names; nothing else is near enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redact.planting import fill
from thruline.brief.match import find_key, match_words, read_texts
from thruline.redact import redact
from thruline.session import parts

TOKEN = fill("ghp_{alnum:36}", 7)
SOURCE = f"Use the token {TOKEN} for now. Do not delete the table; we need it."


@given(st.text(min_size=1), st.data())
def test_every_substring_stands_in_its_text(source: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source) - 1))
    words = source[start : data.draw(st.integers(start + 1, len(source)))]
    if words.strip() and not redact(source).places:
        assert match_words(words, source) is not None


@pytest.mark.parametrize(
    "words",
    ["do not delete the table", "Do not delete  the table", "Do not delete the tables", "Do notdelete", " ", ""],
)
def test_what_is_nearly_there_is_not_there(words: str) -> None:
    assert match_words(words, SOURCE) is None


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_are_one_break(end: str) -> None:
    assert match_words("one\ntwo", f"zero{end}one{end}two") == "one\ntwo"


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("Do not … the table", True),
        ("… delete the table …", True),
        ("Do not delete…", True),
        ("the table … Do not delete", False),  # another order
        ("Do n…t delete", False),  # a cut inside a word
        ("Do not del…", False),
        ("Do not … elete the table", False),
        ("…", False),
        ("… … t", False),  # too little to say anything
    ],
)
def test_a_cut_leaves_out_whole_words_and_keeps_the_order(words: str, stands: bool) -> None:
    assert (match_words(words, SOURCE) == words) is stands


def test_an_ellipsis_of_the_source_is_itself() -> None:
    assert match_words("wait… what", "no, wait… what is this") == "wait… what"


def test_a_marker_stands_only_where_its_rule_finds_a_secret() -> None:
    rule = redact(SOURCE).places[0].rule
    assert match_words(f"Use the token [redacted:{rule}] for now.", SOURCE) is not None
    assert match_words("Use the token [redacted:some-other] for now.", SOURCE) is None
    assert match_words(f"Use [redacted:{rule}] for now.", SOURCE) is None
    assert match_words(f"Do not delete the [redacted:{rule}]", SOURCE) is None


def test_a_secret_is_marked_also_where_only_a_part_of_it_was_quoted() -> None:
    rule = redact(SOURCE).places[0].rule
    assert match_words(f"token {TOKEN} for", SOURCE) == f"token [redacted:{rule}] for"
    assert match_words(f"token {TOKEN[:12]}", SOURCE) == f"token [redacted:{rule}]"
    assert match_words(TOKEN[8:20], SOURCE) == f"[redacted:{rule}]"


@pytest.mark.parametrize("words", [SOURCE, "a … long part of it", "x [redacted:api-key] longest of all", "…", ""])
def test_the_key_is_a_run_of_the_words(words: str) -> None:
    assert find_key(words) in words
    assert "…" not in find_key(words)
    assert "[redacted" not in find_key(words)


def test_the_texts_of_a_record_are_those_of_the_page() -> None:
    told = [
        parts.Said(1, "human", "turn", "a"),
        parts.Thought(2, "b"),
        parts.Result(3, "c1", parts.ERROR, 9, text="c"),
        parts.Asked(4, "q", ("o1", "o2"), "o2"),
        parts.Planned(5, "p", "proposed"),
        parts.Tasks(6, (("t", "pending"),)),
        parts.Call(7, "c1", "Bash", "run", "make test"),
        parts.Result(8, "c1", parts.OK, 9),
    ]
    assert [text for part in told for text in read_texts(part)] == [
        ("human", "a"),
        ("agent", "b"),
        ("tool", "c"),
        ("agent", "q"),
        ("agent", "o1"),
        ("agent", "o2"),
        ("human", "o2"),
        ("agent", "p"),
        ("agent", "t"),
    ]


def test_subjects_that_a_log_lists_may_be_quoted_in_gits_name() -> None:
    listed = parts.Result(4, "c", "ok", 9, commits=(("1a2b3c4", "Made"),), logged=(("5d6e7f8", "Listed"),))
    assert list(read_texts(listed)) == [("git", "Made"), ("git", "Listed")]
