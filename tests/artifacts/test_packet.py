"""Packets: their page is true, a change touches its own lines, what may not follow is refused."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.artifacts.pages import read_example
from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.packet import (
    HEADINGS,
    TRANSITIONS,
    change_status,
    parse_packet,
    render_packet,
)
from thruline.artifacts.packet_head import STATUSES, PacketHead, build_head, scan_head
from thruline.errors import FormatError, Refused

EXAMPLE = read_example("packet.md").encode()
PATH = "packets/20261116-091000-finish-the-export.md"
LATER = datetime(2026, 11, 17, 8, 0, 0, tzinfo=UTC)


def change(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    """The lines that differ, in pairs; both files have as many lines."""
    pairs = zip(before.splitlines(True), after.splitlines(True), strict=True)
    return [(old, new) for old, new in pairs if old != new]


@pytest.mark.feature("F003-04", via="unit")
@pytest.mark.feature("F003-05", via="unit")
@pytest.mark.feature("F003-06", via="unit")
def test_the_page_s_example_is_read_and_comes_back_byte_for_byte() -> None:
    packet = parse_packet(EXAMPLE, PATH)
    assert packet.document.render() == EXAMPLE
    assert packet.problems == ()
    assert (packet.id, packet.status, packet.purpose) == (
        "20261116-091000-finish-the-export",
        "draft",
        "finish the export",
    )
    assert (packet.created_at, packet.updated_at) == ("2026-11-16T09:10:00Z", "2026-11-16T09:10:00Z")
    assert (packet.source, packet.session_id[:8], packet.transcript_path[-14:]) == (
        "some-client",
        "0b7e5c1a",
        "0b7e5c1a.jsonl",
    )
    assert (packet.confirmed, packet.suggested) == (("exporter.py",), ("exporter.py", "test_exporter.py"))
    assert packet.validators == ("python3 -m unittest -q",)
    assert not packet.newer


@pytest.mark.feature("F003-07", via="unit")
@pytest.mark.feature("F003-08", via="unit")
def test_a_new_packet_has_the_ten_headings_in_their_order() -> None:
    made = render_packet("20261116-091000-x", LATER, "x", sections={"Plan": "- a\n### b\nc"}, sources="## Sources\n- s")
    titles = [section.title for section in parse_document(made).sections if section.level == 2]
    assert titles == [*HEADINGS, "Sources"]
    assert titles[:10] == [
        "Intent", "Context", "Constraints", "Decisions", "Relevant Files", "Next Prompt (Draft)", "Plan",
        "Validators / Exit Criteria", "Open Questions", "Notes",
    ]  # fmt: skip
    assert parse_packet(made, "20261116-091000-x.md").problems == ()


def test_no_front_matter_of_a_new_packet_is_nested() -> None:
    made = render_packet("20261116-091000-x", LATER, "a: [b]\n---\nc", fields={"validators": ["x: y", "-z"]})
    lines = made.split(b"---\n")[1].splitlines()
    assert all(re.match(rb"[a-z_]+: ", line) for line in lines)
    assert parse_packet(made, "").purpose == "a: [b] --- c"


@pytest.mark.feature("F003-05", via="unit")
@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
def test_a_status_follows_another_by_two_changed_lines_or_not_at_all(before: str, after: str) -> None:
    data = EXAMPLE.replace(b"status: draft", b"status: " + before.encode())
    packet = parse_packet(data, PATH)
    if after in TRANSITIONS[before]:
        lines = change(data, change_status(packet, after, LATER))
        assert lines == [
            (b'updated_at: "2026-11-16T09:10:00Z"\n', b'updated_at: "2026-11-17T08:00:00Z"\n'),
            (f"status: {before}\n".encode(), f"status: {after}\n".encode()),
        ]
    else:
        with pytest.raises(Refused) as caught:
            change_status(packet, after, LATER)
        assert caught.value.what == f'A packet that is "{before}" cannot become "{after}".'
        assert caught.value.where == PATH
        assert " or ".join(TRANSITIONS[before]) in caught.value.next


HAND = (
    b"\xef\xbb\xbf---  \r\n# mine\r\npurpose:   'it''s mine'   # why\r\nid: 20261116-091000-finish-the-export\r\n"
    b"created_at: 2026-11-16T09:10:00Z\r\nupdated_at: 2026-11-16T09:10:00Z\r\nstatus: active\t# now\r\n"
    b"relevant_files_confirmed:\r\n  - a.py\r\nmood: good\r\n---\r\n## Notes\r\n\xff\r\n\r\n\r\n## My own\r\ntext"
)


def test_a_file_edited_by_hand_keeps_every_byte_but_the_two_lines() -> None:
    packet = parse_packet(HAND, PATH)
    assert packet.purpose == "it's mine"
    assert packet.confirmed == ("a.py",)
    lines = change(HAND, change_status(packet, "done", LATER))
    assert [new.split(b":")[0] for _, new in lines] == [b"updated_at", b"status"]
    assert b"# now" in lines[1][1]
    assert lines[1][1].endswith(b"\r\n")
    assert 'no heading "Intent"' in packet.problems


@pytest.mark.parametrize(
    ("old", "new", "said", "line"),
    [
        (b"status: draft", b"status: lost", '"lost" is no status', 6),
        (b"status: draft\n", b"", 'has no "status"', 1),
        (b"purpose: finish the export", b"purpose:", 'has no "purpose"', 1),
        (b"id: 20261116-091000-finish-the-export", b"id: [a]", 'has no "id"', 1),
        (b"---\n\n## Intent", b"\n## Intent", "never closed", 1),
    ],
)
def test_what_is_no_packet_is_told_with_its_line(old: bytes, new: bytes, said: str, line: int) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        parse_packet(EXAMPLE.replace(old, new, 1), PATH)
    assert caught.value.line == line


def test_a_packet_of_a_newer_thruline_is_read_and_not_changed() -> None:
    packet = parse_packet(EXAMPLE.replace(b"schema: 1", b"schema: 2"), PATH)
    assert packet.newer
    with pytest.raises(Refused, match="newer thruline"):
        change_status(packet, "active", LATER)


def test_the_name_of_a_copied_file_is_its_id() -> None:
    packet = parse_packet(EXAMPLE, "packets/20261117-000000-a-copy.md")
    assert packet.id == "20261117-000000-a-copy"
    assert any("file's name" in problem for problem in packet.problems)


VALUES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc",)), min_size=1, max_size=30)


def scan_known(data: bytes, path: str) -> PacketHead:
    return scan_head(data, path, Path(path).stem)


def read_whole(data: bytes, path: str) -> PacketHead:
    return build_head(parse_document(data, path))


def told(read: Callable[[bytes, str], PacketHead], data: bytes) -> object:
    """What a reading says: the fields, or the error."""
    try:
        return read(data, PATH).to_fields()
    except FormatError as error:
        return error.what


@given(st.one_of(VALUES, st.sampled_from(["null", "1", "a: b", "a #b", '"x"', "yes", "- a", "'", "a:", "x\\y"])))
def test_the_quick_look_at_a_head_says_what_the_whole_reading_says(purpose: str) -> None:
    for data in (
        EXAMPLE.replace(b"purpose: finish the export", b"purpose: " + purpose.encode()),
        render_packet("20261116-091000-x", LATER, purpose),
    ):
        assert told(scan_known, data) == told(read_whole, data)
