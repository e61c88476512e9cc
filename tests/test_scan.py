"""JSON without `json`: the same values, and the same errors, also where nobody imported it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.scan import scan

SOURCE = Path(__file__).parents[1] / "src"
BROKEN = ['{"a": "b', '{"a" 1}', "[1,", '{"a": tru}', "nothing"]
CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from thruline.scan import scan
assert "json" not in sys.modules
for text in sys.argv[2:]:
    try:
        scan(text, 0)
    except (ValueError, StopIteration) as error:
        print(type(error).__name__, str(error))
"""


@pytest.mark.parametrize("text", ['{"a": [1, 2.5, null, "\\u00e9"]}', '"tab\tinside"', "[]", "  7"])
def test_a_value_is_read_from_an_index_on(text: str) -> None:
    at = len(text) - len(text.lstrip())
    assert scan(text, at) == (json.loads(text, strict=False), len(text))


def test_what_is_no_json_is_told_as_json_tells_it_where_nothing_imported_json() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CODE, str(SOURCE), *BROKEN], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    told = done.stdout.splitlines()
    assert [line.split()[0] for line in told] == ["JSONDecodeError"] * 2 + ["StopIteration"] * 3
    assert told[0] == "JSONDecodeError Unterminated string starting at: line 1 column 7 (char 6)"
