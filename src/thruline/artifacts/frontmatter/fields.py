"""The lines between the two `---`, each read once and kept as it is.

An error is what leaves open which lines belong to which key, for then an edit could hit the wrong ones: a line without
a key, nesting, text over several lines, an open quote or bracket. What is odd but has clear bounds is read as well as
it goes, kept byte for byte, and told in `problems`: a key given twice, a `: ` that wants quotes, YAML beyond ours.
"""

from thruline.artifacts.frontmatter.scalar import FOREIGN, ScalarError, parse_plain, scan_quoted
from thruline.errors import FormatError

_KEY_STARTS = frozenset("-?:,[]{}#&*!|>%@`")


class Problem:
    """Something that was read with a guess; `line` and `column` count from 1."""

    __slots__ = ("column", "line", "what")

    def __init__(self, what: str, line: int, column: int) -> None:
        self.what = what
        self.line = line
        self.column = column

    def __repr__(self) -> str:
        return f"Problem({self.what!r}, {self.line}, {self.column})"


class Text:
    """One scalar on its line: `line[start:end]` is its text, `quote` is `'`, `"` or empty."""

    __slots__ = ("end", "line", "quote", "start", "value")

    def __init__(self, value: "str | int | bool | None", line: int, start: int, end: int, quote: str) -> None:
        self.value = value
        self.line = line
        self.start = start
        self.end = end
        self.quote = quote


class Field:
    """One key. `items` is None for a single value; `flow` says that the list stands in brackets on the key's line."""

    __slots__ = ("flow", "items", "key", "last", "text")

    def __init__(self, key: str, text: Text) -> None:
        self.key = key
        self.text = text
        self.items: list[Text] | None = None
        self.flow = False
        self.last = text.line

    @property
    def value(self) -> "str | int | bool | list[str] | None":
        if self.items is None:
            return self.text.value
        return [str(item.value) for item in self.items]


class Scan:
    """What one pass over the lines found."""

    __slots__ = ("fields", "problems")

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.problems: list[Problem] = []


def parse_fields(lines: "list[str]", path: str, first: int) -> Scan:
    """The fields of front matter `lines` (without line ends); the first of them is line `first` of the file."""
    scan = Scan()
    seen: dict[str, int] = {}
    indent = -1  # of the list that is being read
    for number, line in enumerate(lines):
        try:
            start = len(line) - len(line.lstrip(" "))
            sign = line[start : start + 1]
            if sign in ("", "#") or (sign == "\t" and not line.strip(" \t")):
                continue
            if sign == "-" and line[start + 1 : start + 2] in ("", " ", "\t"):
                indent = _take_item(scan, line, number, start, indent)
                continue
            if sign == "\t" or start:
                raise ScalarError(
                    "A tab cannot indent front matter."
                    if sign == "\t"
                    else "Front matter is flat: this line is indented, but it is no list item.",
                    start,
                )
            field = _parse_key_line(scan, line, number)
        except ScalarError as error:
            raise FormatError(
                error.what,
                path=path,
                line=first + number,
                column=error.at + 1,
                next="write one `key: value` a line; quote a value that needs it",
            ) from None
        indent = -1
        if field.key in seen:
            before = first + seen[field.key]
            scan.problems.append(Problem(f'"{field.key}" is given twice; line {before} is not used.', number, 0))
        seen[field.key] = number
        scan.fields.append(field)
    for problem in scan.problems:
        problem.line += first
        problem.column += 1
    return scan


def _parse_key_line(scan: Scan, line: str, number: int) -> Field:
    key, colon = _split_key(line)
    start = colon + 1
    while line[start : start + 1] in (" ", "\t"):
        start += 1
    if line[start : start + 1] == "[":
        items, end = _scan_flow(line, number, start)
        _check_rest(line, end)
        field = Field(key, Text(None, number, start, end, ""))
        field.items, field.flow = items, True
        return field
    text = _scan_scalar(scan, line, number, start)
    if text.start == text.end:
        # Nothing there: a value that comes later goes right behind the colon.
        text.start = text.end = colon + 1
    return Field(key, text)


def _split_key(line: str) -> "tuple[str, int]":
    if line[0] in "'\"":
        key, end = scan_quoted(line, 0)
        colon = end + len(line[end:]) - len(line[end:].lstrip(" \t"))
        if line[colon : colon + 1] != ":" or line[colon + 1 : colon + 2] not in ("", " ", "\t"):
            raise ScalarError("A quoted key needs a colon and a space behind it.", end)
        return key, colon
    colon = line.find(":")
    while colon >= 0 and line[colon + 1 : colon + 2] not in ("", " ", "\t"):
        colon = line.find(":", colon + 1)
    key = line[: max(colon, 0)].rstrip(" \t")
    if colon < 0 or " #" in key or "\t#" in key:
        tight = line.find(":")
        if tight > 0 and " " not in line[:tight]:
            raise ScalarError("There is no space behind the colon.", tight)
        raise ScalarError("This line has no `key:`.", 0)
    if not key or key[0] in _KEY_STARTS:
        raise ScalarError("A key cannot begin like this; quote it.", 0)
    return key, colon


def _take_item(scan: Scan, line: str, number: int, start: int, indent: int) -> int:
    field = scan.fields[-1] if scan.fields else None
    if field is None or field.flow or field.text.value is not None or field.text.start != field.text.end:
        raise ScalarError("A list item needs a key without a value above it.", start)
    if field.items is None:
        field.items = []
        indent = start
    elif start != indent:
        raise ScalarError("List items of one key stand one below the other.", start)
    at = start + 1
    while line[at : at + 1] in (" ", "\t"):
        at += 1
    if line[at : at + 1] == "[" or (line[at : at + 1] == "-" and line[at + 1 : at + 2] in ("", " ", "\t")):
        raise ScalarError("A list inside a list is not taken.", at)
    text = _scan_scalar(scan, line, number, at)
    if not text.quote:
        text.value = line[text.start : text.end]
    if text.start == text.end:
        text.start = text.end = start + 1
    field.items.append(text)
    field.last = number
    return indent


def _scan_scalar(scan: Scan, line: str, number: int, start: int) -> Text:
    sign = line[start : start + 1]
    if sign and sign in "'\"":
        value, end = scan_quoted(line, start)
        _check_rest(line, end)
        return Text(value, number, start, end, sign)
    end = start if sign == "#" else _find_comment(line, start)
    raw = line[start:end].rstrip(" \t")
    end = start + len(raw)
    if sign and sign in "|>" and not raw[1:].strip("+-0123456789"):
        raise ScalarError("Text over several lines is not taken; write it in double quotes with \\n.", start)
    if sign in FOREIGN and raw:
        scan.problems.append(Problem("YAML beyond flat values; kept, and read as plain text.", number, start))
        return Text(raw, number, start, end, "")
    if ": " in raw or raw.endswith(":"):
        scan.problems.append(Problem("A value with a colon and a space wants quotes.", number, start))
    return Text(parse_plain(raw), number, start, end, "")


def _find_comment(line: str, start: int) -> int:
    at = line.find("#", start)
    while at >= 0:
        if line[at - 1] in " \t":
            return at
        at = line.find("#", at + 1)
    return len(line)


def _check_rest(line: str, end: int) -> None:
    rest = line[end:].lstrip(" \t")
    if rest and (rest[0] != "#" or line[end] == "#"):
        raise ScalarError("There is text behind the end of this value.", end)


def _scan_flow(line: str, number: int, start: int) -> "tuple[list[Text], int]":
    items: list[Text] = []
    at = start + 1
    while True:
        while line[at : at + 1] in (" ", "\t"):
            at += 1
        sign = line[at : at + 1]
        if sign == "]":
            return items, at + 1
        if sign == "":
            raise ScalarError("A list in brackets ends on its own line.", start)
        if sign in "[{":
            raise ScalarError("A list holds plain values only.", at)
        if sign in "'\"":
            value, end = scan_quoted(line, at)
            items.append(Text(value, number, at, end, sign))
        else:
            end = at
            while end < len(line) and line[end] not in ",[]{}" and not (line[end] == "#" and line[end - 1] in " \t"):
                end += 1
            raw = line[at:end].rstrip(" \t")
            if not raw:
                raise ScalarError("There is no value before this sign.", at)
            items.append(Text(raw, number, at, at + len(raw), ""))
        at = end
        while line[at : at + 1] in (" ", "\t"):
            at += 1
        if line[at : at + 1] == ",":
            at += 1
        elif line[at : at + 1] != "]":
            raise ScalarError("List values are parted by a comma, and the list ends with `]`.", min(at, len(line)))
