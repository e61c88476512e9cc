import json
import os
from pathlib import Path

import pytest

from thruline.artifacts.root import build_marker, parse_marker, read_marker, render_marker
from thruline.errors import FormatError

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "root.md"


@pytest.mark.feature("F003-26", via="unit")
def test_ids_are_made_once_and_never_twice():
    one, two = build_marker("p", "2026-11-16T08:30:00Z"), build_marker("p", "2026-11-16T08:30:00Z")
    assert one.project_id != two.project_id
    assert parse_marker(render_marker(one), "root.json") == one


def test_the_example_of_the_page_is_what_we_write():
    example = PAGE.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0].encode()
    assert render_marker(parse_marker(example, "root.json")) == example


def test_folder_name_that_is_no_text_can_be_written():
    marker = build_marker(os.fsdecode(b"caf\xe9"), "")
    assert parse_marker(render_marker(marker), "").name == marker.name


def test_unknown_fields_do_not_hinder():
    raw = json.dumps({"schema": 1, "project_id": "x", "colour": {"a": [1]}}).encode()
    assert parse_marker(raw, "").project_id == "x"


def test_newer_schema_is_read_and_says_so():
    assert parse_marker(b'{"schema": 2, "id": 7}', "").newer


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"project_id": "x"}',
        b'{"schema": true, "project_id": "x"}',
        b'{"schema": 0, "project_id": "x"}',
        b'{"schema": "1", "project_id": "x"}',
        b'{"schema": 1}',
        b'{"schema": 1, "project_id": 7}',
        b'{"schema": 1, "project_id": "../up"}',
        b'{"schema": 1, "project_id": "a b"}',
        b"[" * 60_000,
        b" " * 70_000,
    ],
)
def test_what_is_no_marker_is_told_with_its_place(raw, tmp_path):
    path = tmp_path / "root.json"
    path.write_bytes(raw)
    with pytest.raises(FormatError) as told:
        read_marker(str(path))
    assert told.value.where.startswith(str(path))
    assert told.value.next


def test_line_and_column_of_bad_json_are_told():
    with pytest.raises(FormatError) as told:
        parse_marker(b'{\n  "schema": 1,,\n}', "root.json")
    assert told.value.where == "root.json:2:15"
