"""Front matter: what people wrote survives, and what we write is read the same by everyone."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.frontmatter.scalar import is_plain_safe, quote_double
from thruline.errors import FormatError

FORK = b"""---
id: 2026-04-26-mcp-standard-a3f91c
status: reserved              # reserved | brief | in-progress
launched_at: null             # set when the child first opens
count: 3
related_ids: []       # siblings
tags: [one, "two", 'three']   # flow

# people comment
done_when:                    # success criteria
  - "STANDARD.md exists"
  # the hard one
  - Review integrated   # by whom?
unknown-key: 'it''s kept'
---

# Brief
"""


def lines_of(document: Document) -> list[bytes]:
    return document.render().splitlines(True)


def changed_lines(before: Document, after: Document) -> tuple[list[bytes], list[bytes]]:
    """What was taken out and what was put in, common ends aside."""
    old, new = lines_of(before), lines_of(after)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


@pytest.mark.parametrize(
    "data",
    [
        FORK,
        FORK.replace(b"\n", b"\r\n"),
        FORK.replace(b"\n", b"\r"),
        FORK.replace(b"reserved\n", b"reserved\r\n"),
        b"\xef\xbb\xbf" + FORK,
        b"",
        b"\xef\xbb\xbf",
        b"# no front matter",
        b"text\n---\nnot: front matter\n---\n",
        b"---\n---",
        b"---  \n\n \t\n---\t\n",
        b"---\nkey: \xff\xfe\x00 # \xc3\n---\n\x00",
        b"---\na: x\x0c\xe2\x80\xa8y\n---\n```\n---\n```\n",
        b"----\nno: rule\n----\n",
        b"---\na: 1\r---\rtext\n---\n",
        b"---\n# a longer line\n# ---\na: 1\n---",
    ],
)
def test_whatever_a_person_wrote_renders_byte_identical(data: bytes) -> None:
    assert parse_document(data).render() == data


def test_values_are_read_as_their_writer_meant_them() -> None:
    values = parse_document(FORK).values
    assert values == {
        "id": "2026-04-26-mcp-standard-a3f91c",
        "status": "reserved",
        "launched_at": None,
        "count": 3,
        "related_ids": [],
        "tags": ["one", "two", "three"],
        "done_when": ["STANDARD.md exists", "Review integrated"],
        "unknown-key": "it's kept",
    }


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None),
        ("~", None),
        ("true", True),
        ("FALSE", False),
        ("no", "no"),
        ("1.10", "1.10"),
        ("012", "012"),
        ("-7", -7),
        ("0", 0),
        ("-0", "-0"),
        ("+5", "+5"),
        ("9" * 5000, "9" * 5000),
        ("a#b", "a#b"),
        ("a # b", "a"),
        ("# b", None),
        ('"a # b"', "a # b"),
        (r'"\u00e9\x41\n\ud83d\ude00"', "éA\n😀"),
        (r'"\ud83d"', "\ud83d"),
        ("[1, true, null]", ["1", "true", "null"]),
        ("[a b , 'c,d', ]", ["a b", "c,d"]),
        ("http://x/#y", "http://x/#y"),
        ("\tx\t", "x"),
    ],
)
def test_a_hand_written_value_is_read_by_the_rules_of_the_format_page(written: str, value: object) -> None:
    read = parse_document(f"---\nk: {written}\n---\n".encode()).get("k")
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("---\na: 1\n", 1, 1),
        ("---\na: 1\n\tb: 2\n---\n", 3, 1),
        ("---\na:\n  b: 2\n---\n", 3, 3),
        ("---\na: 1\njust words\n---\n", 3, 1),
        ("---\na: 1\nstatus:done\n---\n", 3, 7),
        ("---\n- a\n---\n", 2, 1),
        ("---\na: x\n  - b\n---\n", 3, 3),
        ("---\na:\n  - b\n   - c\n---\n", 4, 4),
        ("---\na:\n  - - b\n---\n", 3, 5),
        ("---\na: |\n  text\n---\n", 2, 4),
        ("---\na: first\n  second\n---\n", 3, 3),
        ('---\na: "open\n---\n', 2, 4),
        ("---\na: 'open\n---\n", 2, 4),
        ('---\na: "x" y\n---\n', 2, 7),
        ('---\na: "\\q"\n---\n', 2, 5),
        ("---\na: [b,\n---\n", 2, 4),
        ("---\na: [[b]]\n---\n", 2, 5),
        ("---\na: [b}]\n---\n", 2, 6),
        ("---\n{a}: b\n---\n", 2, 1),
        ('---\n"a" b: c\n---\n', 2, 4),
        ("---\na #: c\n---\n", 2, 1),
    ],
)
def test_what_leaves_the_bounds_of_a_key_open_is_an_error_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(FormatError) as caught:
        parse_document(text.encode(), "notes/a.md")
    assert (caught.value.path, caught.value.line, caught.value.column) == ("notes/a.md", line, column)
    assert caught.value.next


def test_what_is_odd_within_clear_bounds_is_kept_and_told() -> None:
    data = b"---\na: 1\ntitle: Fix: it\nmeta: {x: 1}\na: 2\n---\n"
    document = parse_document(data)
    assert document.render() == data
    assert document.values == {"a": 2, "title": "Fix: it", "meta": "{x: 1}"}
    assert [(problem.line, problem.column) for problem in document.problems] == [(3, 8), (4, 7), (5, 1)]
    assert "line 2 is not used" in document.problems[2].what
    assert document.get("a") == 2
    assert document.set("a", 3).render() == data.replace(b"a: 2", b"a: 3")


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


# --- properties -----------------------------------------------------------------------------------------------------

TEXT = st.one_of(st.text(), st.text(alphabet="ab01.:-# '\"\\[]{},\n\té😀\udcff", max_size=12))
VALUE = st.one_of(TEXT, st.integers(-(10**30), 10**30), st.booleans(), st.none(), st.lists(TEXT, max_size=4))
PIECE = st.sampled_from(
    ["---", "a", ": ", ":", "\n", "\r\n", "\r", "- ", "  ", "\t", "#", " # c", "'", '"', "[", "]", ",", "\\", "x", "é",
     "{", "|", "key: v\n", "list:\n  - a\n", "\n-\n", "\n- # c\n", "\x0c", "\u2028", "\ufeff", "0", "~"]
)  # fmt: skip
FRONT = st.lists(PIECE, max_size=25).map("".join)


def parse_or_none(data: bytes) -> Document | None:
    try:
        return parse_document(data)
    except FormatError as error:
        if not error.line:
            raise
        return None


@given(st.one_of(st.binary(), FRONT.map(lambda text: f"---\n{text}\n---\n".encode()), FRONT.map(str.encode)))
def test_any_bytes_parse_to_themselves_or_to_a_located_error(data: bytes) -> None:
    document = parse_or_none(data)
    assert document is None or document.render() == data


@given(FRONT, TEXT, VALUE)
def test_a_value_that_was_set_is_read_back(front: str, key: str, value: str | list[str]) -> None:
    document = parse_or_none(f"---\n{front}\n---\nbody".encode()) or parse_document(b"---\nk: v\n---\n")
    read = parse_document(document.set(key, value).render()).get(key)
    assert read == value
    assert type(read) is type(value)


@given(FRONT, VALUE)
def test_setting_one_key_leaves_every_other_line_identical(front: str, value: str | list[str]) -> None:
    # Lone CRs aside: taking out the line behind one may join it with a bare LF, which moves no byte but the count.
    document = parse_or_none(f"---\n{front}\n---\nbody".replace("\r\n", "\n").replace("\r", "").encode())
    for field in [] if document is None else document._scan.fields:
        assert document is not None
        own = document.get_field(field.key)
        assert own is not None
        mine = range(own.text.line + 1, own.last + 2)
        others = [line for number, line in enumerate(lines_of(document)) if number not in mine]
        after = lines_of(document.set(field.key, value))
        at = own.text.line + 1
        assert after[:at] == others[:at]
        rest = others[at:]
        assert after[len(after) - len(rest) :] == rest


@given(FRONT, VALUE)
def test_setting_one_key_changes_no_other_value(front: str, value: str | list[str]) -> None:
    document = parse_or_none(f"---\n{front}\n---\nbody".encode())
    for key in {} if document is None else document.values:
        assert document is not None
        expected = {**document.values, key: value}
        assert parse_document(document.set(key, value).render()).values == expected


@given(FRONT)
def test_a_removed_key_is_gone_and_the_others_are_as_they_were(front: str) -> None:
    document = parse_or_none(f"---\n{front}\n---\nbody".encode())
    for key in {} if document is None else document.values:
        assert document is not None
        expected = {name: value for name, value in document.values.items() if name != key}
        assert parse_document(document.remove(key).render()).values == expected


@given(VALUE)
def test_what_we_write_is_read_the_same_by_a_yaml_parser(value: str | list[str]) -> None:
    texts = value if isinstance(value, list) else [value]
    if any(isinstance(text, str) and any("\ud800" <= char <= "\udfff" for char in text) for text in texts):
        return  # halves of characters are ours alone
    front = b"".join(parse_document(b"").set("key", value).lines or ())
    assert YAML(typ="safe", pure=True).load(front.decode()) == {"key": value}


@given(st.text())
def test_json_reads_our_double_quotes(text: str) -> None:
    import json

    assert json.loads(quote_double(text)) == text


@pytest.mark.parametrize(
    "text", ["no", "1.10", "012", "a: b", "a #b", " a", "a ", "", "- a", "1:30", "0x1f", "~", "a:"]
)
def test_text_that_yaml_would_read_otherwise_is_never_written_plain(text: str) -> None:
    assert not is_plain_safe(text)


def test_importing_it_adds_no_standard_module_to_a_bare_interpreter() -> None:
    source = str(Path(__file__).parents[2] / "src")
    code = (
        "import sys; before = set(sys.modules); sys.path.insert(0, sys.argv[1]);"
        "import thruline.artifacts.frontmatter as f; f.parse_document(b'---\\na: 1\\n---\\n# x').sections;"
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('thruline')))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
