"""A key that is set, added or removed touches its own lines and keeps what people wrote around it."""

import pytest

from tests.artifacts.frontmatter.fork import FORK, changed_lines
from thruline.artifacts.frontmatter import parse_document
from thruline.errors import FormatError


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("status", "brief", b"status: reserved              #", b"status: brief              #"),
        ("launched_at", "2026-11-16T02:00:00Z", b"launched_at: null ", b'launched_at: "2026-11-16T02:00:00Z" '),
        ("count", 4, b"count: 3\n", b"count: 4\n"),
        ("count", "3", b"count: 3\n", b'count: "3"\n'),
        ("unknown-key", "isn't", b"'it''s kept'", b"'isn''t'"),
        ("unknown-key", "two\nlines", b"'it''s kept'", b'"two\\nlines"'),
        ("related_ids", ["x"], b"[]       #", b'["x"]       #'),
        ("tags", ["two", "four"], b"[one, \"two\", 'three']   #", b'["two", "four"]   #'),
    ],
)
def test_setting_a_key_touches_its_line_and_keeps_comment_and_quotes(
    key: str, value: str, old: bytes, new: bytes
) -> None:
    before = parse_document(FORK)
    after = before.set(key, value)
    assert after.render() == FORK.replace(old, new, 1)
    assert parse_document(after.render()).get(key) == value


def test_a_longer_list_gains_one_line_in_the_style_of_its_neighbour() -> None:
    before = parse_document(FORK.replace(b"\n", b"\r\n"))
    after = before.set("done_when", ["STANDARD.md exists", "Review integrated", "no"])
    assert changed_lines(before, after) == ([], [b'  - "no"\r\n'])


def test_a_shorter_list_loses_its_item_and_no_comment() -> None:
    before = parse_document(FORK)
    after = before.set("done_when", ["Review integrated"])
    assert changed_lines(before, after) == ([b'  - "STANDARD.md exists"\n'], [])
    assert b"# the hard one" in after.render()


def test_an_item_put_first_leaves_the_others_where_they_are() -> None:
    before = parse_document(FORK)
    after = before.set("done_when", ["new", "STANDARD.md exists", "Review integrated"])
    assert changed_lines(before, after) == ([], [b'  - "new"\n'])


def test_an_empty_item_is_filled_behind_its_dash() -> None:
    document = parse_document(b"---\na:\n-\n- # c\n---\n")
    assert document.get("a") == ["", ""]
    assert document.set("a", ["x", "z"]).render() == b"---\na:\n- x\n- z # c\n---\n"


def test_a_list_that_becomes_one_value_leaves_no_item_behind() -> None:
    after = parse_document(FORK).set("done_when", "all of it")
    assert b"done_when: all of it                    # success criteria\n  # the hard one\n" in after.render()
    assert parse_document(after.render()).get("done_when") == "all of it"


def test_a_value_equal_to_what_is_there_changes_nothing() -> None:
    document = parse_document(FORK)
    for key, value in document.values.items():
        assert document.set(key, value).render() == FORK


def test_a_new_key_goes_to_the_end_of_the_front_matter() -> None:
    before = parse_document(FORK)
    assert changed_lines(before, before.set("reason", "x")) == ([], [b"reason: x\n"])
    assert changed_lines(before, before.set("no", ["a"])) == ([], [b'"no": ["a"]\n'])


def test_a_file_without_front_matter_gets_one_in_its_own_line_ends() -> None:
    assert parse_document(b"\xef\xbb\xbf# T\r\nx\n").set("a", 1).render() == (
        b"\xef\xbb\xbf---\r\na: 1\r\n---\r\n# T\r\nx\n"
    )
    assert parse_document(b"").set("a", None).render() == b"---\na: null\n---\n"


def test_removing_a_key_removes_its_lines_and_every_repetition() -> None:
    before = parse_document(FORK)
    assert changed_lines(before, before.remove("done_when"))[1] == []
    assert b"hard one" not in before.remove("done_when").render()
    assert before.remove("absent").render() == FORK
    assert parse_document(b"---\na: 1\nb: 2\na: 3\n---\n").remove("a").render() == b"---\nb: 2\n---\n"


def test_half_a_character_in_a_value_is_escaped_and_comes_back() -> None:
    document = parse_document(b"").set("a", "cut \ud83d and \udcff")
    assert parse_document(document.render()).get("a") == "cut \ud83d and \udcff"


def test_a_number_too_long_to_read_back_is_refused() -> None:
    with pytest.raises(FormatError):
        parse_document(b"").set("a", 10**5000)
