"""One JSON object is read, however it arrives, and never more than one."""

import itertools
import json
import os
import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline import scan
from thruline.hooks import payload
from thruline.hooks.payload import Unusable, parse_object, read_object_bytes, read_payload

pytestmark = pytest.mark.timeout(60)  # a reader that waits for the end of input never comes back

TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from('"\\{}[]'))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=5)


def send(pieces: list[bytes]) -> tuple[socket.socket, socket.socket]:
    """A pair of which the first yields `pieces`, one per read, and then stays open."""
    reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for piece in pieces:
        writer.send(piece)
    return reader, writer


def read_open(pieces: list[bytes]) -> dict[str, Any]:
    reader, writer = send(pieces)
    with reader, writer:
        return read_payload(reader.fileno())


@given(OBJECTS, st.booleans(), st.lists(st.integers(0, 400), max_size=7), st.sampled_from(["", " ", "\n", "\r\n\t"]))
def test_an_object_is_read_whole_from_a_pipe_that_stays_open(value, ascii_only, cuts, blank):
    data = (blank + json.dumps(value, ensure_ascii=ascii_only)).encode()
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[a:b] for a, b in itertools.pairwise(edges)]
    assert read_open(pieces) == value


def test_what_follows_the_object_is_left_alone():
    assert read_open([b'{"a": 1}\n', b'{"a": 2}\n']) == {"a": 1}
    assert read_open([b'{"a": 1} {"a": 2}']) == {"a": 1}


def test_a_quote_escaped_across_two_reads_does_not_end_its_string():
    assert read_open([b'{"a": "x\\', b'" }", "b": "\\\\', b'"}']) == {"a": 'x" }', "b": "\\"}


def test_end_of_input_ends_an_unfinished_object():
    reader, writer = os.pipe()
    os.write(writer, b'{"a": [1, ')
    os.close(writer)
    assert read_object_bytes(reader) == b'{"a": [1, '
    os.close(reader)


@pytest.mark.parametrize("data", [b"nonsense", b"17", b'"text"', b"}{", b"null", b"\x00\xff\xfe"])
def test_something_else_than_an_object_is_not_waited_for(data):
    with pytest.raises(Unusable):
        read_open([data])


def test_more_than_the_limit_is_not_kept():
    reader, writer = send([b'{"a": "' + b"x" * 200])
    with reader, writer, pytest.raises(Unusable, match="more than 100 bytes"):
        read_payload(reader.fileno(), limit=100)


@given(st.binary(max_size=300))
def test_any_bytes_are_an_object_or_unusable(data):
    try:
        assert isinstance(parse_object(data), dict)
    except Unusable:
        pass


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": "line\nbreak\x01"}', {"a": "line\nbreak\x01"}),
        (b'{"a": "\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": -Infinity}', {"a": float("-inf")}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_careless_json_is_still_read(data, value):
    assert parse_object(data) == value


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"[1]", "not an object"),
        (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' * 200_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_the_reason_is_told_and_quotes_nothing(data, why):
    with pytest.raises(Unusable, match=f"^{why}$"):
        parse_object(data)


@given(OBJECTS)
def test_the_public_json_module_stands_in_for_the_private_scanner(value):
    data = json.dumps(value).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "_json", None)
        patch.setattr(payload, "scan", scan.find_scanner())
        assert payload.scan.__module__ == "json.decoder"
        assert parse_object(data) == value
