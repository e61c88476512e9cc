"""Additions to a JSON text keep every byte that was there, and come out again without a trace."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thruline.errors import FormatError
from thruline.jsontext import append, find, parse, put, remove, undo

HANDLER = {"type": "command", "command": "run me", "timeout": 10}
TEXTS = [
    "{}",
    "{ }",
    "{\n}\n",
    "",
    "\n",
    "\ufeff{}\r\n",
    "\ufeff",
    '{"a":1}',
    '{"a": 1}\n',
    '{\n\t"a": [1, 2],\n\t"hooks": {}\n}\n',
    '{\r\n    "a": 1\r\n}',
    '{"hooks": {"Start": []}}',
    '{"hooks": {"Start": [ ]}, "z": 1}',
    '{"hooks": {"Start": [{"hooks": []}], "Other": [1]}}',
    '{\n  // mine\n  "a": 1 // one\n}\n',
    '{\n  "a": 1, // one\n}\n',
    '{\n  "hooks": {\n    "Start": [\n      {"matcher": "x"} /* keep */ // this\n    ],\n  },\n}\n',
    '{\n  "hooks": {\n    // none yet\n  }\n}\n',
    '{"a": {"b": 1}, "plugins": {"x": true}}\n// the end\n',
    '{"é": "日本 \\u00e9", "hooks": {"Start": [1, [2, {"x": null}], -1.5e3]}}',
]


def add_all(text: str) -> tuple[str, list[Any]]:
    """What an install does to a text, and its notes."""
    notes: list[Any] = []
    for at in ("Start", "Stop"):
        edit = append(text, ("hooks", at), {"hooks": [HANDLER]})
        text, notes = edit.text, notes + list(edit.notes)
    edit = put(text, ("plugins", "us@us"), True)
    return edit.text, notes + list(edit.notes)


def take_all(text: str, notes: list[Any]) -> str:
    for at in ("Start", "Stop"):
        node = find(parse(text), ("hooks", at))
        assert node
        text = remove(text, ("hooks", at, node.build_value().index({"hooks": [HANDLER]})))
    return undo(remove(text, ("plugins", "us@us")), notes)


def read(text: str) -> Any:
    return parse(text).build_value() if text.removeprefix("\ufeff").strip() else {}


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_added_is_there_and_comes_out_without_a_trace(text: str) -> None:
    before = read(text)
    added, notes = add_all(text)
    now = read(added)
    assert now["hooks"]["Start"][-1] == {"hooks": [HANDLER]}
    assert now["plugins"]["us@us"] is True
    assert now["hooks"]["Start"][:-1] == before.get("hooks", {}).get("Start", [])
    assert {key: now[key] for key in before if key not in ("hooks", "plugins")} == {
        key: before[key] for key in before if key not in ("hooks", "plugins")
    }
    assert take_all(added, notes) == text


@pytest.mark.parametrize("text", TEXTS)
def test_an_addition_only_inserts(text: str) -> None:
    left = iter(add_all(text)[0])
    assert all(sign in left for sign in text)  # what was there is a subsequence of what is there now


def test_the_style_of_the_text_is_followed() -> None:
    edit = append('{\n\t"hooks": {\n\t\t"Start": [\n\t\t\t1\n\t\t]\n\t}\n}\n', ("hooks", "Start"), {"a": [2]})
    tabs = edit.text.replace("\t", ">").splitlines()
    assert tabs[3:9] == [">>>1,", ">>>{", '>>>>"a": [', ">>>>>2", ">>>>]", ">>>}"]
    assert put('{"a":1}', ("b",), [1, {"c": 2}]).text == '{"a":1,"b":[1,{"c":2}]}'
    assert put("{}", ("b",), 1).text == '{\n  "b": 1\n}'
    assert "\n" not in put('{\r\n  "a": 1\r\n}\r\n', ("b",), {"c": 1}).text.replace("\r\n", "")


def test_what_others_put_beside_ours_stays_when_ours_goes() -> None:
    added, notes = add_all("{}")
    edited = append(added, ("hooks", "Start"), "theirs behind").text
    edited = put(edited, ("hooks", "End"), ["theirs"]).text
    edited = put(edited, ("model",), "big").text
    left = take_all(edited, notes)
    assert json.loads(left) == {"hooks": {"Start": ["theirs behind"], "End": ["theirs"]}, "model": "big"}


def test_a_comment_that_others_wrote_into_our_container_stays() -> None:
    added, notes = add_all("{}")
    edited = added.replace('"plugins": {', '"plugins": { // see the wiki')
    assert "// see the wiki" in take_all(edited, notes)


def test_a_value_is_replaced_and_an_equal_one_is_left_alone() -> None:
    text = '{"a": {"b": 1}, "c": 2}'
    assert put(text, ("a", "b"), 1).text == text
    assert put(text, ("a", "b"), {"x": 1}).text == '{"a": {"b": {"x": 1}}, "c": 2}'


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", ":1:2"),
        ('{"a": 1\n "b": 2}', ":2:2"),
        ('{"a" 1}', ":1:6"),
        ("{a: 1}", ":1:2"),
        ('{"a": "x}', ":1"),
        ("[1] 2", ":1:5"),
        ("nul", ":1:1"),
        ("[" * 300, ":1:"),
        ('{"a": 01}', ":1:8"),
        ("/* never", ":1:9"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(FormatError) as caught:
        put(text, ("x",), 1, "settings.json")
    assert ("settings.json" + place) in caught.value.where


BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " // c\n", "/* c */", "\n\n    "])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.sampled_from([0.5, -1e9]))


@st.composite
def render_any(draw: st.DrawFn, value: Any) -> str:
    """`value` as JSON with blanks and comments anywhere."""
    around = lambda text: draw(BLANKS) + text + draw(BLANKS)  # noqa: E731 - three words
    if isinstance(value, dict):
        pairs = [around(json.dumps(key)) + ":" + around(draw(render_any(item))) for key, item in value.items()]
        return "{" + (",".join(pairs) or draw(BLANKS)) + ("," if pairs and draw(st.booleans()) else "") + "}"
    if isinstance(value, list):
        items = [around(draw(render_any(item))) for item in value]
        return "[" + (",".join(items) or draw(BLANKS)) + ("," if items and draw(st.booleans()) else "") + "]"
    return json.dumps(value)


VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": VALUES,
        "hooks": st.fixed_dictionaries({}, optional={"Start": st.lists(VALUES, max_size=2), "Zero": VALUES}),
        "plugins": st.dictionaries(st.text(max_size=3), VALUES, max_size=2),
        "z": VALUES,
    },
)


@settings(max_examples=60)
@given(st.data(), SETTINGS)
def test_any_settings_get_ours_and_give_them_back(data: st.DataObject, value: dict[str, Any]) -> None:
    text = data.draw(BLANKS) + data.draw(render_any(value)) + data.draw(BLANKS)
    assert parse(text).build_value() == value
    added, notes = add_all(text)
    assert parse(added).build_value()["plugins"]["us@us"] is True
    assert take_all(added, notes) == text


@settings(max_examples=60)
@given(st.data(), SETTINGS, SETTINGS)
def test_others_edits_in_between_survive(data: st.DataObject, before: dict[str, Any], theirs: dict[str, Any]) -> None:
    text = data.draw(render_any(before))
    added, notes = add_all(text)
    edited = added
    for key, value in theirs.items():
        if key not in ("hooks", "plugins"):
            edited = put(edited, (key,), value).text
    edited = put(edited, ("hooks", "Mine"), 1).text
    expected = {**before, **{key: value for key, value in theirs.items() if key not in ("hooks", "plugins")}}
    expected["hooks"] = {**before.get("hooks", {}), "Mine": 1}
    assert parse(take_all(edited, notes)).build_value() == expected
