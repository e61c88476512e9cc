"""Loops: their page is true, a change touches its own lines, what may not follow is refused."""

import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.artifacts.pages import FORMATS, read_example
from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop import TRANSITIONS, change_status, parse_loop, render_loop
from thruline.artifacts.loop_pointer import Pointer, parse_pointer, render_pointer
from thruline.artifacts.loop_step import STATUSES, find_promise, render_prompt, take_step
from thruline.artifacts.stamp import is_stamped_id
from thruline.errors import FormatError, Refused

EXAMPLE = read_example("loop.md").encode()
PAGE = (FORMATS / "loop.md").read_text(encoding="utf-8")
PATH = "loops/20261116-091000-port-the-next-module.md"
SESSION = "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"
MOMENT = datetime(2026, 11, 16, 9, 10, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 17, 8, 0, 0, tzinfo=UTC)


@pytest.mark.feature("F003-13", via="unit")
def test_the_pages_example_is_read_and_is_what_we_write() -> None:
    loop = parse_loop(EXAMPLE, PATH)
    assert loop.document.render() == EXAMPLE
    made = render_loop(
        loop.id,
        MOMENT,
        loop.prompt,
        session=loop.session,
        promises=loop.promises,
        max_iterations=20,
        until=loop.until,
    )
    document = parse_document(made, PATH).set("updated_at", loop.updated_at).set("iteration", 7)
    assert document.set("last_line", loop.last_line).render() == EXAMPLE
    assert loop.prompt == "Port the next module from C, with its tests."
    assert {name for name in loop.document.values if f"`{name}`" not in PAGE} <= {
        "schema",
        "id",
        "created_at",
        "updated_at",
    }


def test_the_pages_pointer_is_what_we_write() -> None:
    found = re.search(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    pointer = parse_pointer(found[1].encode())
    assert pointer.sessions == {SESSION: parse_loop(EXAMPLE, PATH).id}
    assert render_pointer(pointer).decode() == found[1]
    assert render_pointer(Pointer("", {}, {}).put(SESSION, pointer.last)).decode() == found[1]


@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
def test_a_status_follows_only_where_the_page_says_so(before: str, after: str) -> None:
    loop = parse_loop(EXAMPLE.replace(b"status: active", f"status: {before}".encode()), PATH)
    if after in TRANSITIONS[before]:
        changed = parse_loop(change_status(loop, after, LATER, by="user" if after == "paused" else ""), PATH)
        assert (changed.status, changed.updated_at) == (after, "2026-11-17T08:00:00Z")
        assert (changed.paused_by, changed.prompt) == ("user" if after == "paused" else "", loop.prompt)
    else:
        with pytest.raises(Refused, match="cannot become"):
            change_status(loop, after, LATER)


@pytest.mark.parametrize("old", ["id: 20261116-091000-port-the-next-module\n", "status: active\n", "## Loop Prompt\n"])
def test_what_every_loop_has_is_missed_by_name(old: str) -> None:
    with pytest.raises(FormatError, match="has no"):
        parse_loop(EXAMPLE.replace(old.encode(), b""), PATH)


@given(st.text(max_size=200).filter(lambda text: text.strip()))
def test_any_prompt_comes_back_to_the_byte_but_for_half_a_character(prompt: str) -> None:
    made = parse_loop(render_loop("20261116-091000-x", MOMENT, prompt), PATH)
    assert made.prompt == prompt.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("ends", [b"\r\n", b"\r"])
def test_a_file_whose_line_ends_an_editor_changed_gives_its_prompt_as_before(ends: bytes) -> None:
    data = render_loop("20261116-091000-x", MOMENT, "\n\n  one\n\ntwo\n")
    assert parse_loop(data.replace(b"\n", ends), PATH).prompt == "\n\n  one\n\ntwo\n"


@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_whatever_stands_in_the_pointer_nobody_is_held_by_it(data: bytes) -> None:
    assert all(map(is_stamped_id, parse_pointer(data).sessions.values()))


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=8)),
    st.text(max_size=5),
    st.sampled_from(["20261116-091000-a", "20261116-091000-b"]),
)
def test_a_loop_is_in_front_of_one_session_at_most(others: dict[str, str], session: str, loop_id: str) -> None:
    pointer = parse_pointer(json.dumps({"sessions": others, "kept": 1}).encode())
    for _ in range(2):
        pointer = pointer.put("another", loop_id).put(session, loop_id)
    assert [each for each, loop in pointer.sessions.items() if loop == loop_id] == ([session] if session else [])
    again = parse_pointer(render_pointer(pointer.drop(loop_id)))
    assert loop_id not in again.sessions.values()
    assert (again.last, again.others) == ("", {"kept": 1})


@pytest.mark.parametrize(
    ("message", "promise"),
    [
        ("<promise>ALL PORTED</promise>", "ALL PORTED"),
        ("<promise>\n ALL PORTED\n</promise> and more", "ALL PORTED"),
        ("<promise>ALL PORTED.</promise>", ""),
        ("<promise>all ported</promise>", ""),
        ("<promise>ALL PORTED", ""),
        ("ALL PORTED", ""),
        ("<PROMISE>ALL PORTED</PROMISE>", ""),
        ("<promise>ALL PORTED</promise> no: <promise>BLOCKED</promise>", "BLOCKED"),
        ("<promise><promise>ALL PORTED</promise>", "ALL PORTED"),
        ("", ""),
    ],
)
def test_a_promise_is_the_exact_text_between_the_tags(message: str, promise: str) -> None:
    assert find_promise(parse_document(EXAMPLE, PATH), message) == promise


def test_a_loop_that_a_hand_made_active_again_is_paused_by_nobody() -> None:
    document = parse_document(EXAMPLE, PATH).set("paused_by", "user")
    for promise, status in (("", "active"), ("ALL PORTED", "done")):
        after, _ = take_step(document, "", promise, "", "2026-11-16T09:50:00Z")
        assert (after.get("status"), after.get("paused_by")) == (status, None)
    after, _ = take_step(document, "", "BLOCKED", "", "2026-11-16T09:50:00Z")
    assert (after.get("status"), after.get("paused_by")) == ("paused", "promise: BLOCKED")


def test_a_step_changes_its_own_lines_alone() -> None:
    after, prompt = take_step(parse_document(EXAMPLE, PATH), "Ported lexer.c.", "", "", "2026-11-16T09:50:00Z")
    pairs = zip(EXAMPLE.splitlines(), after.render().splitlines(), strict=True)
    changed = [new.decode() for old, new in pairs if old != new]
    assert changed == ['updated_at: "2026-11-16T09:50:00Z"', "iteration: 8", "last_line: Ported lexer.c."]
    assert prompt == render_prompt(after)
    assert prompt.startswith("<!-- thruline: loop 20261116-091000-port-the-next-module, iteration 8 of 20 -->\nPort")


@pytest.mark.parametrize(
    ("said", "promise"),
    [
        ("<promise>ALL PORTED</promise>", "ALL PORTED"),
        ("<promise>\n  ALL PORTED\n</promise>", "ALL PORTED"),
        ("**<promise>ALL PORTED</promise>**", "ALL PORTED"),
        ("> <promise>ALL PORTED</promise>", "ALL PORTED"),
        ("<promise>**ALL PORTED**</promise>", ""),
        ("<promise>ALL\nPORTED</promise>", ""),
        ("<PROMISE>ALL PORTED</PROMISE>", ""),
        ("I cannot say `<promise>ALL PORTED</promise>` yet.", ""),
        ("```\n<promise>ALL PORTED</promise>\n```", ""),
        ("  ~~~text\n<promise>ALL PORTED</promise>\n  ~~~~\nNot yet.", ""),
        ("```sh\nmake test\n```\n<promise>ALL PORTED</promise>", "ALL PORTED"),
        ("```one line``` <promise>ALL PORTED</promise>", "ALL PORTED"),
        ("```\nnever closed\n<promise>ALL PORTED</promise>", "ALL PORTED"),
        ("`<promise>ALL PORTED</promise>`, no: <promise>BLOCKED</promise>", "BLOCKED"),
        ("I will say `at the end: <promise>ALL PORTED</promise>` then.", ""),
        ("`` ` <promise>ALL PORTED</promise> ``", ""),
        ("` ``` <promise>ALL PORTED</promise>`", ""),
        ("A stray ` mark, and <promise>ALL PORTED</promise>", "ALL PORTED"),
        ("`` two, and ` one: <promise>ALL PORTED</promise>", "ALL PORTED"),
        ("`make test` passes: <promise>ALL PORTED</promise>, see `log`", "ALL PORTED"),
        ("````\n```\n<promise>ALL PORTED</promise>\n```\n````", ""),
        ("<promise>ALL `x`PORTED</promise>", ""),
        ("<promise>ALL PORTED", ""),
    ],
)
def test_a_promise_is_said_and_not_quoted(said: str, promise: str) -> None:
    document = parse_document(EXAMPLE, PATH)
    assert find_promise(document, said) == promise
    prompt = take_step(document, said, promise, "", "2026-11-16T10:00:00Z")[1]
    # Who quotes it is told, so that nobody says it in vain for ever.
    quoted = not promise and "ALL PORTED</promise>" in said
    assert ("in code marks it is a quotation" in prompt) == quoted
