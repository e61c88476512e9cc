"""A loop's file without the scanner: read and changed as by the scanner, and what we write is always taken."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.artifacts.pages import read_example
from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop import render_loop
from thruline.artifacts.loop_plain import parse_plain_loop
from thruline.artifacts.loop_step import find_promise, is_running, read_prompt, take_step
from thruline.errors import FormatError

LOOP = "20261116-091000-port-the-next-module"
PATH = f"loops/{LOOP}.md"
MOMENT = datetime(2026, 11, 16, 9, 10, 0, tzinfo=UTC)
NOW = "2026-11-16T10:00:00Z"
MARKS = ["```", "````text", "~~~", "\n", "\r\n", "\r", "## Notes", "## Loop Prompt", "# a", "<!--", "-->", "---", " "]
# Text that people and agents write; half a character is in no file of ours.
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",))),
    st.text(alphabet="ab01.:-# '\"\\[]{},\n\r\té😀`~<>", max_size=30),
    st.lists(st.sampled_from(MARKS), max_size=12).map("".join),
)
SAID = st.one_of(TEXT, st.sampled_from(["<promise>DONE</promise>", "<promise>BLOCKED</promise>", "Not yet.", ""]))
PROMPT = TEXT.filter(lambda text: bool(text.strip()))
LINE = TEXT.map(lambda text: " ".join(text.split())).filter(bool)


@st.composite
def build_file(draw: st.DrawFn) -> bytes:
    """A loop as it is started."""
    return render_loop(
        LOOP,
        MOMENT,
        draw(PROMPT),
        session=draw(st.sampled_from(["", "some-client:0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"])),
        promises=tuple(draw(st.lists(LINE, max_size=3))),
        max_iterations=draw(st.sampled_from([0, 1, 20])),
        until=draw(st.one_of(st.just(""), LINE)),
    )


PIECES = st.sampled_from(
    [b"---", b"\n", b"\r\n", b"\r", b" ", b"\t", b"#", b" # c", b"'", b'"', b"[", b"]", b",", b"\\", b"\\x41",
     b"\\u00e9", b"a: b\n", b"status: paused\n", b"status: active\n", b"list:\n  - a\n", b"iteration: 007\n",
     b"iteration: '3'\n", b"- a\n", b"{", b"~", b"true", b"null", b": ", b":", b"0", b"-", b"```", b"````", b"text",
     b"## ", b"# x\n", b"##\n", b"## Notes\n", b"\n## Loop Prompt\n", b"<!--", b"-->", b"<pre>", b"\xff",
     "é😀\u2028".encode(), b"\xef\xbb\xbf", b"\x0c"]
)  # fmt: skip
EDIT = st.tuples(st.integers(0, 2000), st.integers(0, 30), PIECES)


@st.composite
def build_edited(draw: st.DrawFn) -> bytes:
    """A loop that somebody changed: a few pieces put in, at any place, and something taken out."""
    data = draw(build_file())
    for at, gone, piece in draw(st.lists(EDIT, max_size=3)):
        place = at % (len(data) + 1)
        data = data[:place] + piece + data[place + (gone if gone < 12 else 0) :]
    return data


@given(build_edited(), SAID, st.sampled_from(["", " it failed"]), st.booleans())
def test_what_is_taken_is_read_and_changed_as_by_the_scanner(data: bytes, said: str, failure: str, deaf: bool) -> None:
    plain = parse_plain_loop(data, PATH)
    if plain is None:
        return
    document = parse_document(data, PATH)
    assert plain.render() == document.render() == data
    assert plain.values == document.values
    assert read_prompt(plain) == read_prompt(document)
    assert is_running(plain) == is_running(document)
    promise = find_promise(document, said)
    assert find_promise(plain, said) == promise
    ours, theirs = (take_step(each, said, promise, failure, NOW, deaf=deaf) for each in (plain, document))
    assert (ours[0].render(), ours[1]) == (theirs[0].render(), theirs[1])


@given(build_edited(), st.sampled_from(["status", "iteration", "last_line", "paused_by", "new_one", "until"]), SAID)
def test_any_value_is_set_as_by_the_scanner(data: bytes, key: str, text: str) -> None:
    plain = parse_plain_loop(data, PATH)
    for value in (text, 12, None):
        if plain is not None and not isinstance(plain.get(key), list):
            set_ = plain.set(key, value)
            assert set_.render() == parse_document(data, PATH).set(key, value).render()
            again = parse_plain_loop(set_.render(), PATH)
            assert again is None or again.get(key) == value


@given(build_file(), st.lists(SAID, max_size=3))
def test_what_we_write_is_taken_at_every_step(data: bytes, messages: list[str]) -> None:
    for said in ["", *messages]:
        plain = parse_plain_loop(data, PATH)
        assert plain is not None, data
        assert parse_document(data, PATH).problems == []
        data = take_step(plain, said, "", "", NOW)[0].render()


@given(PROMPT)
def test_a_prompt_comes_back_to_the_byte(prompt: str) -> None:
    data = render_loop(LOOP, MOMENT, prompt, promises=("DONE",))
    plain = parse_plain_loop(data, PATH)
    assert plain is not None
    for each in (plain, parse_document(data, PATH)):
        assert read_prompt(each) == prompt
        after, said = take_step(each, "", "", "", NOW)
        assert f"-->\n{prompt}\n\n(When" in said
        assert read_prompt(after) == prompt


def test_the_pages_example_is_taken() -> None:
    assert parse_plain_loop(read_example("loop.md").encode(), PATH) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status: active", "status: active  # for now"),
        ("status: active", "status: 'active'"),
        ("status: active", "status:  active"),
        ("status: active", "status: true"),
        ("status: active", "status:"),
        ("status: active", "status: active\nstatus: active"),
        ("status: active", "status: active\n\n"),
        ("status: active", 'status: "\\x41"'),
        ("iteration: 7", "iteration: 007"),
        ("iteration: 7", "iteration: -7"),
        ("completion_promise: ALL PORTED", "completion_promise:\n  - ALL PORTED"),
        ("completion_promise: ALL PORTED", "completion_promise: [ALL PORTED]"),
        ("## Loop Prompt", "A word.\n\n## Loop Prompt"),
        ("## Loop Prompt", "## Loop Prompt ##"),
        ("```text", "``` text"),
        ("\n```\n", "\n```\nA word.\n"),
        ("\n", "\r\n"),
        ("---\n", "\ufeff---\n"),
    ],
)
def test_everything_else_is_the_scanners(old: str, new: str) -> None:
    text = read_example("loop.md")
    assert old in text
    data = text.replace(old, new, -1 if old == "\n" else 1).encode()
    assert parse_plain_loop(data, PATH) is None
    try:
        parse_document(data, PATH)
    except FormatError:
        pytest.fail("the scanner takes it")
