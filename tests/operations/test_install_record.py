"""The pages of the formats are true: their examples are read and written back unchanged."""

import json
from pathlib import Path

import pytest

from thruline.errors import FormatError
from thruline.operations.install.record import parse_record, render_record
from thruline.roster import Rules, check_text, parse_entry

PAGES = Path(__file__).parents[2] / "docs" / "formats"


def read_example(page: str, language: str) -> str:
    return (PAGES / page).read_text(encoding="utf-8").partition(f"```{language}\n")[2].partition("```\n")[0]


def test_the_records_example_survives_reading_and_writing() -> None:
    example = json.loads(read_example("install-record.md", "json"))
    record = parse_record(json.dumps(example).encode(), "record.json")
    assert record.settings["/home/user/.claude/settings.json"].notes[0] == ("filled", ("hooks",), " ")
    assert json.loads(render_record(record)) == example
    assert parse_record(render_record(record), "record.json") == record


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"schema": 1, "settings": [], "files": {}, "folders": []}'])
def test_a_damaged_record_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="damaged"):
        parse_record(data, "record.json")


def test_a_newer_record_is_not_read_as_ours() -> None:
    with pytest.raises(FormatError, match="newer"):
        parse_record(b'{"schema": 2}', "record.json")


def test_the_rosters_example_is_an_entry_in_order() -> None:
    text = read_example("roster.md", "markdown")
    entry = parse_entry(text.encode(), "roster/commands/verify.md")
    assert (entry.kind, entry.name, entry.hint) == ("commands", "verify", "FILE [--fix]")
    assert check_text(text, "roster/commands/verify.md", "commands", Rules(strict=True, verbs=("verify",))) == []
