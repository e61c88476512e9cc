"""One key of a TOML text set or taken out, every other byte kept.

Whatever form the section has there is followed: a `[section]` table, dotted keys, an inline table. The result is read
again before it leaves here; where it does not say what was asked, the text is refused rather than written.
"""

import copy
import tomllib
from typing import Any

from thruline.config.place import Place, find_places
from thruline.config.schema import Setting, Value
from thruline.errors import ConfigError

_BOM = "\ufeff"
_ESCAPES = {'"': '\\"', "\\": "\\\\"}


def set_key(text: str, setting: Setting, value: Value, path: str) -> str:
    """`text` with the setting at `value`; `path` is only for messages."""
    body = text.removeprefix(_BOM)
    expected = copy.deepcopy(tomllib.loads(body))
    if not isinstance(expected.setdefault(setting.section, {}), dict):
        line = next((place.line for place in find_places(body) if place.path == (setting.section,)), 0)
        what = f"{setting.section} is a section, not a value."
        raise ConfigError(what, path=path, line=line, next="take that line out by hand")
    expected[setting.section][setting.name] = list(value) if isinstance(value, tuple) else value
    made = _set(body, setting, render_value(value))
    return text[: len(text) - len(body)] + _verify(made, expected, path)


def has_key(text: str, section: str, name: str) -> bool:
    """Whether the text says something about that key, known or not."""
    content = tomllib.loads(text.removeprefix(_BOM)).get(section)
    return isinstance(content, dict) and name in content


def unset_key(text: str, section: str, name: str, path: str) -> str:
    """`text` without that key, and without its table if only that was in it; the same text where it has no such key."""
    if not has_key(text, section, name):
        return text
    body = text.removeprefix(_BOM)
    expected = copy.deepcopy(tomllib.loads(body))
    del expected[section][name]
    made = _unset(body, section, name)
    return text[: len(text) - len(body)] + _verify(made, expected, path)


def render_value(value: Value) -> str:
    """`value` in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(render_value(each) for each in value) + "]"
    if isinstance(value, str):
        return '"' + "".join(_escape(char) for char in value) + '"'
    return repr(value)


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _set(text: str, setting: Setting, rendered: str) -> str:
    places = find_places(text)
    target = (setting.section, setting.name)
    eol = "\r\n" if "\r\n" in text else "\n"
    for place in places:
        if place.path == target and not place.header:
            return text[: place.value] + rendered + text[place.end :]
    for place in places:
        if place.path == target[:1] and not place.header:
            return _put_inline(text, places, place, f"{setting.name} = {rendered}")
    inside = [place for place in places if place.table == target[:1] and not place.inline]
    if inside:
        return _insert_line(text, inside[-1], f"{setting.name} = {rendered}", eol)
    dotted = [place for place in places if place.path[:1] == target[:1] and not place.table and not place.inline]
    if dotted:
        return _insert_line(text, dotted[-1], f"{setting.section}.{setting.name} = {rendered}", eol)
    if text and not text.endswith("\n"):
        text += eol
    return text + (eol if text.strip() else "") + f"[{setting.section}]{eol}{setting.name} = {rendered}{eol}"


def _insert_line(text: str, behind: Place, line: str, eol: str) -> str:
    end = text.find("\n", behind.end)
    if end < 0:
        return text + eol + line + eol
    start = text.rfind("\n", 0, behind.start) + 1
    indent = "" if behind.header else text[start : behind.start]
    return text[: end + 1] + indent + line + eol + text[end + 1 :]


def _put_inline(text: str, places: list[Place], table: Place, pair: str) -> str:
    pairs = [text[place.start : place.end] for place in _find_pairs(places, table)]
    return text[: table.value] + "{ " + ", ".join([*pairs, pair]) + " }" + text[table.end :]


def _find_pairs(places: list[Place], table: Place) -> list[Place]:
    inside = [place for place in places if place.inline and table.value < place.start < table.end]
    return [place for place in inside if not any(o.value <= place.start < o.end for o in inside if o is not place)]


def _unset(text: str, section: str, name: str) -> str:
    places = find_places(text)
    for place in places:
        if place.path == (section, name) and not place.header:
            if not place.inline:
                start = text.rfind("\n", 0, place.start) + 1
                end = text.find("\n", place.end)
                rest = text[:start] + (text[end + 1 :] if end >= 0 else "")
                return _drop_table(rest, section) if place.table == (section,) else rest
            for table in places:
                if table.path == (section,) and table.value < place.start < table.end:
                    kept = [text[p.start : p.end] for p in _find_pairs(places, table) if p != place]
                    made = "{ " + ", ".join(kept) + " }" if kept else "{}"
                    return text[: table.value] + made + text[table.end :]
    return text


def _drop_table(text: str, section: str) -> str:
    # A header over nothing says nothing; one with a comment, or over one, is a person's.
    places = find_places(text)
    for place, behind in zip(places, [*places[1:], None], strict=True):
        if place.path == (section,) and place.header:
            end = behind.start if behind else len(text)
            if text[place.start : end].strip() != f"[{section}]" or (behind and not behind.header):
                return text
            start = place.start
            if behind is None:
                start = len(text[:start].rstrip("\r\n")) + len(_first_line_end(text[:start]))
            return text[:start] + text[end:]
    return text


def _first_line_end(before: str) -> str:
    # What ends the last line that is kept, out of the line ends and blank lines behind it.
    ends = before[len(before.rstrip("\r\n")) :]
    return ends[: ends.find("\n") + 1] if before.strip() else ""


def _verify(text: str, expected: dict[str, Any], path: str) -> str:
    try:
        if _drop_empty(tomllib.loads(text)) == _drop_empty(expected):
            return text
    except tomllib.TOMLDecodeError:
        pass
    raise ConfigError("This file is written in a way that cannot be edited by line.", path=path, next="edit it by hand")


def _drop_empty(data: dict[str, Any]) -> dict[str, Any]:
    # A section without keys says nothing; with its last dotted key it is gone.
    return {name: value for name, value in data.items() if value != {}}
