"""Front matter is read as its writer meant it, kept byte for byte, or refused with its place."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.artifacts.frontmatter.fork import FORK
from thruline.artifacts.frontmatter import parse_document
from thruline.errors import FormatError


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


def test_importing_it_adds_no_standard_module_to_a_bare_interpreter() -> None:
    source = str(Path(__file__).parents[3] / "src")
    code = (
        "import sys; before = set(sys.modules); sys.path.insert(0, sys.argv[1]);"
        "import thruline.artifacts.frontmatter as f; f.parse_document(b'---\\na: 1\\n---\\n# x').sections;"
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('thruline')))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
