"""`sessions.jsonl` and `relevant-files.jsonl`: rows as their pages show them."""

import json
from pathlib import Path

import pytest

from tests.artifacts.pages import read_example
from thruline.artifacts.lines import read_rows, render_row
from thruline.artifacts.relevant_files import build_file_row, find_inside
from thruline.artifacts.sessions_log import DRIFTED, ENDED, STARTED, render_session_row

SESSION = "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"


def test_the_log_of_sessions_is_written_as_its_page_shows() -> None:
    facts = {"harness": "some-client", "session_id": SESSION, "cwd": "/home/me/shop"}
    rows = [
        render_session_row(STARTED, timestamp="2026-11-16T08:30:00Z", detail="startup", **facts),
        render_session_row(DRIFTED, timestamp="2026-11-16T08:55:10Z", detail="/home/me/payments", **facts),
        render_session_row(ENDED, timestamp="2026-11-16T09:10:00Z", detail="prompt_input_exit", **facts),
    ]
    assert "".join(row + "\n" for row in rows) == read_example("sessions-log.md")


@pytest.mark.feature("F003-18", via="unit")
def test_relevant_files_are_written_as_their_page_shows() -> None:
    whose = {"root": "/home/me/shop", "cwd": "/home/me/shop/src", "harness": "some-client", "session_id": SESSION}
    rows = [
        build_file_row("export.py", "edited", timestamp="2026-11-16T08:31:07Z", **whose),
        build_file_row("/home/me/payments/api.py", "created", timestamp="2026-11-16T08:40:00Z", **whose),
    ]
    assert "".join(render_row(row) + "\n" for row in rows if row) == read_example("relevant-files.md")


@pytest.mark.parametrize(("path", "how"), [("a.py", "read"), ("", "edited"), ("a\0b", "edited"), ("a.py", "odd")])
def test_what_changed_no_file_leaves_no_row(path: str, how: str) -> None:
    assert build_file_row(path, how, timestamp="", root="/r", cwd="/r") is None


def test_a_neighbour_whose_name_begins_alike_is_outside() -> None:
    assert find_inside("/home/me/shop2/a.py", "/home/me/shop", "/home/me/shop") == ""
    assert find_inside("../shop/a.py", "/home/me/shop", "/home/me/shop") == "a.py"
    assert find_inside("../a.py", "/home/me/shop", "/home/me/shop") == ""


def test_a_line_that_somebody_broke_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": \n[1]\n\xff\n\n{"a": 2}\n')
    assert read_rows(str(path)) == [{"a": 1}, {"a": 2}]
    assert json.loads(render_row({"path": "\udcff"})) == {"path": "\udcff"}
