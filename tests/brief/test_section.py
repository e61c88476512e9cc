"""One table makes enum, file names, headings, schema and checks; the page and the prompts follow it."""

import json
import re
from pathlib import Path

import pytest

from thruline.brief.pointer import KINDS
from thruline.brief.section import (
    HEADINGS,
    NAMES,
    TABLE,
    Row,
    Section,
    build_schema,
    check_answer,
    find_row,
    order_sections,
)
from thruline.extract.prompt import INPUTS, read_prompt, render_prompt

ROOT = Path(__file__).parents[2]


@pytest.mark.feature("F001-16", via="unit")
def test_names_files_headings_and_order_are_those_of_the_seed() -> None:
    assert [(row.name, row.file_name, row.heading) for row in TABLE] == [
        ("convergence", "convergence.json", "## Convergence"),
        ("dead_ends", "dead_ends.json", "## Dead-ends"),
        ("code_state", "code_state.json", "## Code-state"),
        ("open_threads", "open_threads.json", "## Open-threads & conflicts"),
        ("basics", "basics.json", "## Basics"),
    ]
    assert list(HEADINGS.values()) == list(NAMES)


@pytest.mark.feature("F001-37", via="unit")
def test_the_page_has_the_table_and_the_keys_of_the_schema() -> None:
    page = (ROOT / "docs" / "formats" / "section.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \| `(## [^`]+)` \|$", page, re.MULTILINE)
    assert rows == [(row.name, row.file_name, row.heading) for row in TABLE]
    keys = re.findall(r"^\| `(\w+)` \| (?!`)", page, re.MULTILINE)
    assert keys == build_schema("basics")["required"]


@pytest.mark.feature("F001-37", via="unit")
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_prompt_asks_for_what_finalize_reads(row: Row) -> None:
    text = render_prompt(read_prompt(row.name, "files"), dict.fromkeys(INPUTS, "x") | {"SECTION": row.name})
    asked = next(line for line in text.splitlines() if line.startswith('{"section"'))
    value = json.loads(asked)
    assert list(value) == build_schema(row.name)["required"]
    assert value["section"] == row.name
    assert list(value["pointers"][0]) == list(build_schema(row.name)["properties"]["pointers"]["items"]["properties"])
    assert value["pointers"][0]["type"].split("|") == list(KINDS)
    assert check_answer(row.name, value) == []
    assert f"/{row.file_name}`" in text


def test_the_floors_leave_room_for_what_must_be_kept() -> None:
    assert sum(row.floor for row in TABLE) < 0.8
    assert sorted(row.owns for row in TABLE) == [1, 2, 3, 4, 5]


@pytest.mark.feature("F001-16", via="unit")
@pytest.mark.parametrize("name", ["dead_ends", "dead-ends", "dead-ends.json", "Dead-Ends", " dead_ends "])
def test_a_hyphen_is_as_good_as_an_underscore(name: str) -> None:
    row = find_row(name)
    assert row is not None
    assert row.name == "dead_ends"


def test_an_unknown_name_has_no_row() -> None:
    assert find_row("deadends") is None


def test_a_missing_section_failed_and_the_order_is_the_table_s() -> None:
    made = order_sections({"basics": Section("basics"), "convergence": Section("convergence")})
    assert [section.name for section in made] == list(NAMES)
    assert [section.failed for section in made] == [False, True, True, True, False]


GOOD = {"section": "basics", "content": "- x (`transcript:L1`)", "pointers": []}


@pytest.mark.feature("F001-15", via="unit")
def test_an_answer_that_fits_has_no_problem() -> None:
    assert check_answer("basics", GOOD) == []
    assert check_answer("open_threads", GOOD | {"section": "open-threads"}) == []


@pytest.mark.feature("F001-30", via="unit")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "a list where one object should be"),
        (None, "a NoneType"),
        ({"section": "basics", "content": "x"}, '"pointers" is missing'),
        (GOOD | {"section": "convergence"}, 'not "basics"'),
        (GOOD | {"section": 3}, 'not "basics"'),
        (GOOD | {"content": ""}, '"content"'),
        (GOOD | {"content": ["x"]}, '"content"'),
        (GOOD | {"pointers": {}}, '"pointers" is not a list'),
    ],
)
def test_what_does_not_fit_is_told(value: object, said: str) -> None:
    assert said in " ".join(check_answer("basics", value))
