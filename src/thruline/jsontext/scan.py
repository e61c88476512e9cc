"""A JSON text as spans. Comments and trailing commas pass, since people write them; whatever else is wrong is told."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from thruline.errors import FormatError

BOM = "\ufeff"
DEEPEST = 100
_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}
_SCAN_STRING = json.decoder.scanstring  # type: ignore[attr-defined]

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One value and its span. An object's `keys` stand beside its `nodes`; `starts` is where each element begins.

    An element of an object begins at its key, one of an array at its value; both end where the value ends.
    """

    kind: str  # object, array or value
    start: int
    end: int
    value: Any = None
    nodes: tuple["Node", ...] = ()
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()

    def build_value(self) -> Any:
        """What a JSON parser makes of it; of two equal keys the last one counts."""
        if self.kind == "object":
            return {key: node.build_value() for key, node in zip(self.keys, self.nodes, strict=True)}
        return [node.build_value() for node in self.nodes] if self.kind == "array" else self.value

    def find_index(self, step: str | int) -> int:
        """Which element `step` names; -1 where there is none."""
        if isinstance(step, int):
            return step if self.kind == "array" and 0 <= step < len(self.nodes) else -1
        return max((at for at, key in enumerate(self.keys) if key == step), default=-1)


def parse(text: str, path: str = "") -> Node:
    """The spans of `text`; FormatError, naming the file `path`, where it is no JSON."""
    return _Scanner(text, path).scan_whole()


def find(node: Node, path: Path) -> Node | None:
    """The value at `path` below `node`."""
    for step in path:
        at = node.find_index(step)
        if at < 0:
            return None
        node = node.nodes[at]
    return node


def skip(text: str, at: int) -> int:
    """Where the next token begins, behind blanks and comments."""
    while True:
        at = skip_blank(text, at)
        end = skip_comment(text, at)
        if end == at:
            return at
        at = end


def skip_blank(text: str, at: int) -> int:
    """Where something other than a blank begins."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def skip_comment(text: str, at: int) -> int:
    """The end of the comment that begins at `at`; `at` itself where none does. A line comment ends before its line."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        return end - 1 if text[end - 1 : end] == "\r" else end
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        return len(text) if end < 0 else end + 2
    return at


def find_blank_start(text: str, at: int) -> int:
    """Where the blanks that end at `at` begin."""
    while at and text[at - 1] in " \t\r\n":
        at -= 1
    return at


class _Scanner:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path

    def scan_whole(self) -> Node:
        node = self._scan(skip(self._text, len(BOM) if self._text.startswith(BOM) else 0), 0)
        rest = skip(self._text, node.end)
        if rest < len(self._text):
            self._refuse("There is more behind the end", rest)
        return node

    def _scan(self, at: int, depth: int) -> Node:
        sign = self._text[at : at + 1]
        if depth > DEEPEST:
            self._refuse("It is nested too deeply", at)
        if sign == "{" or sign == "[":
            return self._scan_container(at, depth, "object" if sign == "{" else "array")
        if sign == '"':
            value, end = self._scan_string(at)
            return Node("value", at, end, value)
        for word, meant in _WORDS.items():
            if self._text.startswith(word, at):
                return Node("value", at, at + len(word), meant)
        number = _NUMBER.match(self._text, at)
        if not number:
            self._refuse("Here should be a value", at)
        return Node("value", at, number.end(), _parse_number(number[0]))

    def _scan_container(self, at: int, depth: int, kind: str) -> Node:
        elements = list(self._scan_elements(at + 1, depth, kind))
        *inner, (end, _, _) = elements
        return Node(
            kind,
            at,
            end,
            nodes=tuple(node for _, _, node in inner if node),
            keys=tuple(key for _, key, _ in inner) if kind == "object" else (),
            starts=tuple(start for start, _, _ in inner),
        )

    def _scan_elements(self, at: int, depth: int, kind: str) -> Iterator[tuple[int, str, Node | None]]:
        # Each element as start, key and value; at last the end of the container.
        closing = "}" if kind == "object" else "]"
        while True:
            at = skip(self._text, at)
            if self._text.startswith(closing, at):
                yield at + 1, "", None
                return
            start, key = at, ""
            if kind == "object":
                if not self._text.startswith('"', at):
                    self._refuse("Here should be a key", at)
                key, at = self._scan_string(at)
                at = skip(self._text, at)
                if not self._text.startswith(":", at):
                    self._refuse("Here should be a colon", at)
                at = skip(self._text, at + 1)
            node = self._scan(at, depth + 1)
            yield start, key, node
            at = skip(self._text, node.end)
            if self._text.startswith(",", at):
                at += 1
            elif not self._text.startswith(closing, at):
                self._refuse(f'Here should be "," or "{closing}"', at)

    def _scan_string(self, at: int) -> tuple[str, int]:
        try:
            value, end = _SCAN_STRING(self._text, at + 1, True)
        except ValueError as error:
            self._refuse("This text is not closed or has a bad sign in it", getattr(error, "pos", at))
        return value, end

    def _refuse(self, what: str, at: int) -> NoReturn:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise FormatError(f"{what}; it is no JSON.", path=self._path, line=line, column=column, next="mend it by hand")


def _parse_number(text: str) -> int | float | str:
    try:
        made: int | float = json.loads(text)
    except ValueError:
        return text  # more digits than Python takes for a number; nobody adds to it, so its text will do
    return made
