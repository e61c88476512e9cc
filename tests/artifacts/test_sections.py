"""Headings: found where markdown has them, changed without touching the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.frontmatter.edit import clean_text
from thruline.errors import FormatError

NOTE = b"""---
a: 1
---

# Brief: x

## Why
first

```sh
# not a heading
```

## Steps ##

### One
a

### Two
b

<!--
### Status
-->
## Result
"""


def titles(data: bytes) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in parse_document(data).sections]


def test_headings_are_listed_with_level_title_and_line_and_nest() -> None:
    document = parse_document(NOTE)
    assert [(s.level, s.title, s.line) for s in document.sections] == [
        (1, "Brief: x", 5),
        (2, "Why", 7),
        (2, "Steps", 14),
        (3, "One", 16),
        (3, "Two", 19),
        (2, "Result", 25),
    ]
    assert document.read_section("Steps") == "### One\na\n\n### Two\nb\n\n<!--\n### Status\n-->"
    assert document.read_section("One") == "a"
    assert document.read_section("Result") == ""
    assert document.read_section("Status") is None
    assert document.sections[0].end == len(document.body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("````\n```\n# a\n````\n# b", [(1, "b")]),
        ("~~~\n```\n# a\n~~~\n# b", [(1, "b")]),
        ("   ```\n# a\n  ```\n   # b", [(1, "b")]),
        ("    ```\n# a\n    ```", [(1, "a")]),
        ("``` a`b\n# a", [(1, "a")]),
        ("```\n# never closed", []),
        ("``\n# a\n~~\n# b", [(1, "a"), (1, "b")]),
        ("#hash\n####### seven\n# ok #\n# c#\n#\n## ##", [(1, "ok"), (1, "c#"), (1, ""), (2, "")]),
        ("<!-- one line -->\n# a\n<!--\n# b\n-->\n# c", [(1, "a"), (1, "c")]),
        ("<pre>\n# a\n</pre>\n# b\n<preface>\n\n# c", [(1, "b"), (1, "c")]),
        ("Title\n=====\n\n---\n\n# a", [(1, "a")]),
        ("# a\r## b\r\n### c", [(1, "a"), (2, "b"), (3, "c")]),
    ],
)
def test_only_what_markdown_calls_a_heading_is_one(body: str, expected: list[tuple[int, str]]) -> None:
    assert titles(body.encode()) == expected


ROWS = st.sampled_from(
    ["# a", "## b c", "  ### d ##", "    # code", "#x", "```", "````", "```sh", "``` a`", "~~~", "~~~~ x", "   ~~~",
     "    ```", "", "<!--", "-->", "<!-- # -->", "<pre>\n# in\n</pre>", "text", "####### n", "#", "## #", "#\ttab",
     "`x`"]
)  # fmt: skip


@given(st.lists(ROWS, max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_headings_agree_with_a_commonmark_parser(rows: list[str], eol: str) -> None:
    text = eol.join(rows)
    tokens = MarkdownIt().parse(text)
    expected = [
        (int(token.tag[1]), token.map[0] + 1)
        for token in tokens
        if token.type == "heading_open" and token.map and token.markup.startswith("#")
    ]
    assert [(s.level, s.line) for s in parse_document(text.encode()).sections] == expected


def test_replacing_a_body_keeps_everything_around_it() -> None:
    document = parse_document(NOTE)
    after = document.replace_section("Why", "second\n\n- x\n")
    old = b"first\n\n```sh\n# not a heading\n```\n"
    assert after.render() == NOTE.replace(old, b"second\n\n- x\n")
    assert after.read_section("Why") == "second\n\n- x"
    assert document.replace_section("Why", document.read_section("Why") or "").render() == NOTE


def test_an_empty_section_is_filled_with_a_blank_line_on_each_side() -> None:
    assert parse_document(NOTE).replace_section("Result", "done").render() == NOTE + b"\ndone\n"
    assert parse_document(b"# a\n# b\n").replace_section("a", "x").render() == b"# a\n\nx\n\n# b\n"
    assert parse_document(b"# a").replace_section("a", "x").render() == b"# a\n\nx\n"


def test_appending_adds_a_paragraph_behind_the_last_line() -> None:
    assert parse_document(b"# a\nx\n\n\n# b\n").append_section("a", "y").render() == b"# a\nx\n\ny\n\n\n# b\n"
    assert parse_document(b"# a\r\nx").append_section("a", "y\nz").render() == b"# a\r\nx\r\n\r\ny\r\nz"
    assert parse_document(b"# a\n").append_section("a", "y").read_section("a") == "y"


def test_a_new_section_stands_in_its_fixed_order() -> None:
    order = ["Goal", "State", "Next"]
    document = parse_document(b"# T\n\n## Goal\n\ng\n\n## Notes\n\nmine\n")
    after = document.add_section("State", "s", order)
    assert after.render() == b"# T\n\n## Goal\n\ng\n\n## State\n\ns\n\n## Notes\n\nmine\n"
    first = parse_document(b"## Next\n").add_section("Goal", "g", order)
    assert first.render() == b"## Goal\n\ng\n\n## Next\n"
    assert parse_document(b"").add_section("Goal", "", order).render() == b"## Goal\n"
    assert parse_document(b"x").add_section("Own", "", order).render() == b"x\n\n## Own\n"


@pytest.mark.parametrize(
    "text",
    [
        "```\nopen fence",
        "## a heading of this level",
        "<!-- open",
        "# above",
        "## Steps\n### One\n### Two\n## Result\n```\na forged outline that hides the real one",
    ],
)
def test_text_that_would_swallow_the_next_section_is_refused(text: str) -> None:
    document = parse_document(NOTE)
    for edit in (document.replace_section, document.append_section):
        with pytest.raises(FormatError, match="would change the headings"):
            edit("Why", text)


@pytest.mark.parametrize("title", ["two\nlines", "closing #", " space"])
def test_a_title_that_would_not_be_read_back_is_refused(title: str) -> None:
    with pytest.raises(FormatError):
        parse_document(NOTE).add_section(title, "", [])


def test_an_unknown_section_names_those_that_exist() -> None:
    with pytest.raises(FormatError) as caught:
        parse_document(NOTE, "n.md").replace_section("Reslut", "x")
    assert "Result" in caught.value.next


def test_half_a_character_in_a_body_becomes_the_replacement_sign() -> None:
    after = parse_document(b"# a\n").replace_section("a", "x \ud83d")
    assert after.render() == "# a\n\nx \ufffd\n".encode()


BODY = st.one_of(st.text(), st.lists(ROWS, max_size=6).map("\n".join))


@given(st.lists(ROWS, max_size=10).map("\n".join), st.integers(0, 9), BODY, st.booleans())
def test_an_edit_changes_its_own_section_or_is_refused(text: str, pick: int, new: str, append: bool) -> None:
    document = parse_document(text.encode())
    named = [s for s in document.sections if document.get_section(s.title, s.level) is s]
    if not named:
        return
    section = named[pick % len(named)]
    try:
        edit = document.append_section if append else document.replace_section
        after = edit(section.title, new, section.level)
    except FormatError:
        return
    assert after.body.startswith(document.body[: section.body])
    assert after.body.endswith(document.body[section.end :])
    tail = [(s.level, s.title) for s in document.sections if s.start >= section.end]
    assert [(s.level, s.title) for s in parse_document(after.render()).sections][
        len(after.sections) - len(tail) :
    ] == tail


def test_a_first_section_comes_on_a_line_of_its_own_behind_a_closing_rule_that_ends_the_file() -> None:
    assert parse_document(b"---\na: 1\n---").add_section("Result", "x", ()).render() == (
        b"---\na: 1\n---\n## Result\n\nx\n"
    )
    assert parse_document(b"---\r\na: 1\r\n---").add_section("R", "", ()).render() == b"---\r\na: 1\r\n---\r\n## R\r\n"


HEADS = st.sampled_from(["", "---\n---", "---\na: 1\n---", "---\na: 1\nb: [x]  # c\n---\n", "---\r\na: 1\r\n---\r\n"])
EDITS = st.sampled_from(["set", "set new", "remove", "replace", "append", "add"])


def edit(document: Document, how: str, pick: int, text: str) -> tuple[Document, str, str | None]:
    """The document after one edit, with the key and the title that were meant."""
    keys, named = list(document.values), [s.title for s in document.sections]
    key, title = keys[pick % len(keys)] if keys else "", named[pick % len(named)] if named else ""
    if how == "set new" or (how == "set" and key):
        key = key if how == "set" else "fresh"
        return document.set(key, text), key, None
    if how == "remove" and key:
        return document.remove(key), key, None
    if how == "add":
        return document.add_section("Added", text, (*named[:1], "Added")), "", "Added"
    if how in ("replace", "append") and named:
        return (document.replace_section if how == "replace" else document.append_section)(title, text), "", title
    return document, "", None


@given(HEADS, st.lists(ROWS, max_size=8).map("\n".join), EDITS, st.integers(0, 9), BODY)
def test_after_any_edit_the_file_reads_back_with_every_other_key_and_section_as_it_was(
    head: str, body: str, how: str, pick: int, text: str
) -> None:
    document = parse_document((head + body).encode() if head.endswith("\n") or not body else f"{head}\n{body}".encode())
    try:
        after, key, title = edit(document, how, pick, text)
    except FormatError:
        return
    again = parse_document(after.render())
    assert again.render() == after.render()
    assert (again.body, again.values) == (after.body, after.values)
    assert {k: v for k, v in again.values.items() if k != key} == {k: v for k, v in document.values.items() if k != key}
    own = None if title is None else document.get_section(title)
    others = [s for s in document.sections if own is None or s.end <= own.start or s.start >= own.end]
    made = None if title is None else again.get_section(title)
    left = [s for s in again.sections if made is None or s.end <= made.start or s.start >= made.end]
    if how != "add":
        assert [document.body[s.start : s.body] for s in others] == [again.body[s.start : s.body] for s in left]
        assert [clean_text(document.body[s.body : s.end]) for s in others] == [
            clean_text(again.body[s.body : s.end]) for s in left
        ]
    else:
        assert made is not None
        outside = [s for s in again.sections if not made.start <= s.start < made.end]
        assert [s.title for s in outside] == [s.title for s in document.sections]
