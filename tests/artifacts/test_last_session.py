"""`last-session.json`: its page is true, and what is odd about a file is passed over."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.artifacts.pages import read_example
from thruline.artifacts.last_session import LastSession, parse_last_session, read_last_session, render_last_session


@pytest.mark.feature("F002-01", via="unit")
def test_the_pages_example_comes_back_byte_for_byte(tmp_path: Path) -> None:
    example = read_example("last-session.md")
    path = tmp_path / "last-session.json"
    path.write_text(example)
    last = read_last_session(str(path))
    assert last is not None
    assert render_last_session(last).decode() == example
    assert list(json.loads(example))[1:6] == [
        "ended_at",
        "branch",
        "uncommitted_changes",
        "forge_phase",
        "forge_task",
    ]


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff\xfe", b"null"])
def test_what_is_no_such_file_is_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "last-session.json"
    path.write_bytes(data)
    assert read_last_session(str(path)) is None
    assert read_last_session(str(tmp_path / "gone")) is None


def test_a_field_of_another_type_counts_as_missing() -> None:
    row = {"branch": 7, "uncommitted_changes": "3", "ended": 1, "ended_at": "now", "odd": []}
    last = parse_last_session(row)
    assert asdict(last) == asdict(LastSession("now", "", 0, "", ""))
