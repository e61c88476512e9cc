"""Adding to a JSON text in the style it has. An addition only inserts, so that `undo` can take it back to the byte."""

import json
from dataclasses import dataclass
from typing import Any

from thruline.jsontext.scan import BOM, Node, Path, find, find_blank_start, parse, skip, skip_blank, skip_comment

BEGUN, MADE, FILLED = "begun", "made", "filled"


@dataclass(frozen=True, slots=True)
class Edit:
    """The new text, and what `undo` must know: `[kind, path, text]`.

    `begun` the whole text was but `text`, blanks or nothing; `made` a member at `path` that was not there; `filled` the
    container at `path` was empty but for `text`.
    """

    text: str
    notes: tuple[tuple[str, Path, str], ...] = ()


def put(text: str, path: Path, value: Any, file: str = "") -> Edit:
    """Has the member at `path` be `value`; objects that are missing above it are made."""
    if not text.removeprefix(BOM).strip():
        return _fill_nothing(text, path, value)
    node = parse(text, file)
    there = find(node, path)
    if there is not None:
        if there.build_value() == value:
            return Edit(text)
        rendered = _render(value, _Style(text), _find_indent(text, there.start), _is_open(text, there))
        return Edit(text[: there.start] + rendered + text[there.end :])
    depth = 0
    while (below := find(node, path[depth : depth + 1])) is not None and below.kind == "object":
        node, depth = below, depth + 1
    for step in reversed(path[depth + 1 :]):
        value = {step: value}
    made = _insert(text, node, path[:depth], value, str(path[depth]))
    return Edit(made.text, (*made.notes, *_build_made(path, depth)))


def append(text: str, path: Path, value: Any, file: str = "") -> Edit:
    """Has the array at `path` hold `value` as its last item; what is missing above it is made."""
    there = find(parse(text, file), path) if text.removeprefix(BOM).strip() else None
    if there is None or there.kind != "array":
        return put(text, path, [value], file)
    return _insert(text, there, path, value, None)


def render_value(value: Any) -> str:
    """`value` as a JSON text of its own."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


class _Style:
    """How this text is written: line ends, one step of indentation, whether a blank follows a colon."""

    def __init__(self, text: str) -> None:
        first = text.find("\n")
        self.eol = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
        self.one_line = first < 0 or not text[first:].strip()
        self.step = "  "
        for line in text.splitlines()[1:]:
            blank = line[: len(line) - len(line.lstrip(" \t"))]
            if blank and line.strip():
                self.step = blank
                break
        colon = text.find('":')
        self.dense = self.one_line and colon >= 0 and not text[colon + 2 : colon + 3].isspace()


def _fill_nothing(text: str, path: Path, value: Any) -> Edit:
    for step in reversed(path):
        value = {step: value}
    return Edit(text + render_value(value), ((BEGUN, (), text), *_build_made(path, 0)))


def _build_made(path: Path, depth: int) -> list[tuple[str, Path, str]]:
    return [(MADE, path[:end], "") for end in range(depth + 1, len(path) + 1)]


def _insert(text: str, node: Node, path: Path, value: Any, key: str | None) -> Edit:
    style = _Style(text)
    prefix = "" if key is None else json.dumps(key, ensure_ascii=False) + (":" if style.dense else ": ")
    if not node.nodes:
        return _insert_first(text, node, path, style, prefix, value)
    last = node.nodes[-1]
    blank = _find_blank_before(text, node.starts[-1])
    is_open = "\n" in blank
    indent = blank.rpartition("\n")[2] if is_open else _find_indent(text, node.start)
    rendered = prefix + _render(value, style, indent, is_open)
    behind = skip(text, last.end)
    comma = behind if text.startswith(",", behind) else -1
    at = _skip_rest_of_line(text, last.end if comma < 0 else comma + 1)
    if not is_open and text.rfind("//", last.end, at) >= 0:
        blank = style.eol + indent + style.step  # behind a line comment only the next line counts
    elif not is_open and not style.dense:
        blank = blank or " "
    if comma >= 0:
        return Edit(text[:at] + blank + rendered + "," + text[at:])
    return Edit(text[: last.end] + "," + text[last.end : at] + blank + rendered + text[at:])


def _insert_first(text: str, node: Node, path: Path, style: _Style, prefix: str, value: Any) -> Edit:
    at, inner = node.start + 1, text[node.start + 1 : node.end - 1]
    closing = _find_indent(text, node.start)
    is_open = "\n" in inner or (not inner and (not style.one_line or text.removeprefix(BOM).strip() in ("{}", "[]")))
    rendered = prefix + _render(value, style, closing + style.step, is_open)
    before = style.eol + closing + style.step if is_open else " " if inner else ""
    after = style.eol + closing if is_open and not inner else ""
    return Edit(text[:at] + before + rendered + after + text[at:], ((FILLED, path, inner),))


def _render(value: Any, style: _Style, indent: str, is_open: bool) -> str:
    if not is_open:
        separators = (",", ":") if style.dense else (", ", ": ")
        return json.dumps(value, ensure_ascii=False, separators=separators)
    return json.dumps(value, ensure_ascii=False, indent=style.step).replace("\n", style.eol + indent)


def _is_open(text: str, node: Node) -> bool:
    return "\n" in text[node.start : node.end]


def _find_blank_before(text: str, at: int) -> str:
    return text[find_blank_start(text, at) : at]


def _find_indent(text: str, at: int) -> str:
    # Of the line that holds `at`.
    line = text.rfind("\n", 0, at) + 1
    start = line + len(BOM) if text.startswith(BOM, line) else line
    end = start
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    return text[start:end]


def _skip_rest_of_line(text: str, at: int) -> int:
    # Behind the comments that speak of what ends at `at`; there itself where none does.
    end = at
    while True:
        begin = skip_blank(text, end)
        after = skip_comment(text, begin)
        if after == begin or "\n" in text[end:begin]:
            return end
        end = after
