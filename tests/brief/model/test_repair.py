"""JSON as models write it is read; what is no JSON is not made into any."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.brief.model.repair import repair_json

VALUE = {"section": "basics", "content": 'a "b" \\ c\nd', "pointers": [{"type": "file", "ref": "a.py"}]}
TEXT = json.dumps(VALUE)


@pytest.mark.feature("F001-30", via="unit")
@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "\ufeff" + TEXT,
        f"```json\n{TEXT}\n```",
        f"Here {{is}} the JSON:\n\n{TEXT}\n\nLet me know if {{you}} need more.",
        TEXT + TEXT,
        f'Here {{a}} {{}} is {{"k": 1}}: {TEXT} and {{x}}',
        f'{{"k": 1}} {TEXT[:-1]},}}',
        TEXT.replace("\\n", "\n"),
        TEXT[:-1] + ",}",
        TEXT.replace('"a.py"}]', '"a.py",},]'),
        TEXT.replace(", ", ",\n\t"),
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert repair_json(text) == VALUE


@pytest.mark.feature("F001-30", via="unit")
@pytest.mark.parametrize(
    ("raw", "content"),
    [
        (r"C:\dir\new", "C:\\dir\new"),  # \n is a line break to JSON, and stays one
        (r"a \d+ and \\d", r"a \d+ and \d"),
        (r"\users \u00e9", "\\users é"),
        (r"it\'s", r"it\'s"),
        ("\\\\", "\\"),
    ],
)
def test_stray_backslashes_are_kept_as_backslashes(raw: str, content: str) -> None:
    assert repair_json(f'{{"content": "{raw}"}}') == {"content": content}


@pytest.mark.parametrize("cut", range(30, len(TEXT) - 1, 7))
def test_an_answer_that_was_cut_off_gives_what_came(cut: int) -> None:
    value = repair_json(TEXT[:cut])
    assert value is None or value["section"] == "basics"


EXAMPLE = json.dumps(
    {"section": "…", "content": "what the section says, as markdown " * 9, "pointers": [{"type": "file"}]}
)


@pytest.mark.parametrize(
    "text",
    [
        f"The form is {EXAMPLE}, so here it is:\n{TEXT}",
        f"```json\n{EXAMPLE}\n```\nThe answer:\n```json\n{TEXT}\n```\nI used {{}} for it.",
        f'{EXAMPLE} {TEXT} {{"k": 1}}',
        f"{EXAMPLE}\n{TEXT[:-1]}",
    ],
)
def test_an_example_of_the_form_is_not_the_answer_however_long_it_is(text: str) -> None:
    assert repair_json(text) == VALUE


def test_what_has_other_fields_behind_the_answer_is_not_the_answer() -> None:
    assert repair_json(f'{TEXT} and a note: {{"section": "none"}}') == VALUE


@pytest.mark.parametrize("text", ["", "I could not do it.", "[1, 2]", "{", "{}", "null", "{ not json }", '"{"'])
def test_prose_is_not_json(text: str) -> None:
    assert not isinstance(repair_json(text), dict)


@given(st.text(st.sampled_from('{}[]",\\:ab1 \n')))
def test_nothing_crashes_it(text: str) -> None:
    repair_json(text)


@pytest.mark.parametrize("text", ["{" * 100_000, '{"a":' * 50_000, "[" * 100_000, '"' * 100_000, "\\" * 100_000])
def test_hostile_shapes_are_refused_in_bounded_work(text: str) -> None:
    assert repair_json(text) is None
