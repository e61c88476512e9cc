"""Whatever the file and the value: what was set is read back, and nothing else moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tests.artifacts.frontmatter.fork import lines_of
from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.scalar_text import is_plain_safe, quote_double
from thruline.errors import FormatError

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
