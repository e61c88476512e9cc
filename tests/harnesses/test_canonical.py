"""The lines that sessions of a database become."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from thruline.harnesses.canonical import is_canonical, render_lines
from thruline.harnesses.transcripts import open_reader, recognise
from thruline.session.parts import Said

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "canonical.md"


def test_the_example_of_the_format_page_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    path = tmp_path / "example.jsonl"
    path.write_text(example, "utf-8")
    reader = open_reader(recognise(str(path)), str(path))
    said = [(part.line, part.by, part.text) for part in reader if isinstance(part, Said)]
    assert said == [
        (1, "human", "Add a cart, without a database please."),
        (2, "agent", "A list in the session will do."),
    ]
    assert reader.problems == []


TEXTS = some.text(some.characters(codec=None), max_size=20)
RECORDS = some.lists(some.dictionaries(some.text(max_size=5), TEXTS | some.integers() | some.none(), max_size=4))


@given(RECORDS, some.dictionaries(some.sampled_from(["id", "title"]), some.text(max_size=10)))
def test_a_record_is_one_line_that_any_json_reads(records: list[dict[str, Any]], session: dict[str, str]) -> None:
    lines = list(render_lines("some-client", session, records))
    assert len(lines) == max(len(records), 1)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    read = [json.loads(line) for line in lines]
    first = {"canonical": 1, "harness": "some-client", "session": session}
    assert read[0] == first | (records[0] if records else {})
    assert read[1:] == records[1:]
    assert is_canonical(lines[0], "some-client")
    assert not is_canonical(lines[0], "other-client")


@pytest.mark.parametrize("head", [b"", b"{}", b'{"canonical"', b'[{"canonical":1,"harness":"some-client"}]'])
def test_other_files_are_not_taken_for_ours(head: bytes) -> None:
    assert not is_canonical(head, "some-client")
