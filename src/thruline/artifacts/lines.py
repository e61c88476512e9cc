"""Files of JSON lines that we add to and never rewrite: a row a line, read by whoever wants to count or look back."""

import json
from collections.abc import Mapping
from typing import Any

from thruline.disk.own import read_capped
from thruline.errors import NotFound

_LARGEST = 256 << 20


def render_row(fields: Mapping[str, Any]) -> str:
    """One row without its line end; ASCII, so that a path of any bytes survives."""
    return json.dumps(fields)


def read_rows(path: str) -> list[dict[str, Any]]:
    """Every row of the file that is one; a line that a person broke is passed over. [] where there is no file."""
    try:
        raw = read_capped(path, _LARGEST)
    except NotFound:
        return []
    return [row for row in map(parse_row, raw.splitlines()) if row]


def parse_row(line: bytes | str) -> dict[str, Any]:
    """The row that a line holds; {} where it is none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}
