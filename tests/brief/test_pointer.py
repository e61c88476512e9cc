"""A pointer is one word that opens a place, and is read back from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.brief.pointer import FIND, Pointer, parse_pointer, parse_ref, place
from thruline.errors import UsageError

PATHS = st.text(st.characters(exclude_characters="\x00"), min_size=1).filter(str.strip)


@pytest.mark.feature("F001-17", via="unit")
@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("transcript:L12", place(12)),
        ("transcript:L12-L20", place(12, 20)),
        ("transcript:a1:L7", place(7, source="a1")),
        ("commit:1a2b3c4", Pointer("commit", commit="1a2b3c4")),
        ("commit:1a2b3c4:src/a.py", Pointer("commit", commit="1a2b3c4", path="src/a.py")),
        ("file:src/a.py", Pointer("file", path="src/a.py")),
        ("file:src/a.py:L3", Pointer("file", path="src/a.py", line=3)),
        ("file:src/a.py:Export.run", Pointer("file", path="src/a.py", symbol="Export.run")),
        ("file:docs/a%20b.md", Pointer("file", path="docs/a b.md")),
    ],
)
def test_each_form_is_read_and_written(text: str, pointer: Pointer) -> None:
    assert parse_pointer(text) == pointer
    assert pointer.render() == text
    assert FIND.fullmatch(text)


@given(PATHS, st.integers(0, 10**9))
def test_any_path_is_one_word_and_is_read_back(path: str, line: int) -> None:
    for pointer in (Pointer("file", path=path, line=line), Pointer("commit", commit="abcd", path=path)):
        text = pointer.render()
        assert not set(text) & set(" \t\n\r`()[]<>|*!\u202e\x1b")
        assert parse_pointer(text) == pointer


@pytest.mark.parametrize(
    "text",
    ["", "L12", "transcript:12", "transcript:L0", "commit:xyz", "commit:", "file:", "web:http://x", "commit:--all"],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_pointer(text)


def test_a_model_may_repeat_the_type_in_the_ref() -> None:
    assert parse_ref("transcript", "transcript:L12") == place(12)
    assert parse_ref("file", "file:a.py") == Pointer("file", path="a.py")


def test_json_has_type_ref_and_uuid() -> None:
    assert place(3, uuid="u").to_fields() == {"type": "transcript", "ref": "L3", "uuid": "u"}
