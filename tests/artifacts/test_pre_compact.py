"""The page's example is the file, byte for byte; and it holds names only."""

import json
import re
from dataclasses import fields
from pathlib import Path

from thruline.artifacts.pre_compact import PreCompact, render_pre_compact

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "pre-compact-state.md"


def test_the_example_of_the_page_is_what_is_written() -> None:
    [example] = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    row = json.loads(example)
    assert row.pop("schema") == 1
    assert set(row) == {field.name for field in fields(PreCompact)}
    made = PreCompact(**{**row, "recent_files": tuple(row["recent_files"])})
    assert render_pre_compact(made).decode() == example
