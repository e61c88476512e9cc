"""Markdown with flat front matter, read and edited line by line so that nothing else in the file changes by a byte.

People edit these files, so a YAML library is out: it would move comments, quotes and key order on every write, and it
is too dear for hooks, which import this room. The file stays bytes throughout, for two reasons: whatever a person's
editor left there survives, and bytes split into lines exactly where YAML and CommonMark do, while text also splits at
form feeds and U+2028. Only front matter lines and titles are decoded; a stray byte becomes a lone surrogate.

A Document is a value: an edit returns a new one, `render()` gives its bytes.
"""

from thruline.artifacts.frontmatter.edit import (
    add_field,
    clean_text,
    encode_text,
    insert_section,
    put_text,
    remove_lines,
    set_lines,
)
from thruline.artifacts.frontmatter.fields import Field, Problem, Scan, parse_fields
from thruline.artifacts.frontmatter.sections import Section, parse_sections
from thruline.errors import FormatError

__all__ = ["Document", "Field", "Problem", "Section", "parse_document"]

_BOM = b"\xef\xbb\xbf"


class Document:
    """One file: `lines` is the front matter between the rules, `None` where there is none; `body` is the rest."""

    __slots__ = ("_scan", "_sections", "body", "foot", "head", "lines", "path")

    def __init__(self, path: str, head: bytes, lines: "list[bytes] | None", foot: bytes, body: bytes) -> None:
        self.path = path
        self.head = head  # byte order mark and opening rule
        self.lines = lines
        self.foot = foot  # closing rule
        self.body = body
        self._sections: list[Section] | None = None
        decoded = [line.rstrip(b"\r\n").decode("utf-8", "surrogateescape") for line in lines or ()]
        self._scan: Scan = parse_fields(decoded, path, 2)

    def render(self) -> bytes:
        """The bytes of the file."""
        return b"".join((self.head, *(self.lines or ()), self.foot, self.body))

    # --- front matter ---------------------------------------------------------------------------------------------

    @property
    def problems(self) -> "list[Problem]":
        """What was read with a guess."""
        return self._scan.problems

    @property
    def values(self) -> "dict[str, str | int | bool | list[str] | None]":
        """Every key with its value, in the order of the file; of a key given twice the last."""
        return {field.key: field.value for field in self._scan.fields}

    def get_field(self, key: str) -> "Field | None":
        """The field `key`, the last one where it is given twice; None where there is none."""
        for field in reversed(self._scan.fields):
            if field.key == key:
                return field
        return None

    def get(self, key: str) -> "str | int | bool | list[str] | None":
        """The value of `key`; None where it is null or absent."""
        field = self.get_field(key)
        return None if field is None else field.value

    def set(self, key: str, value: "str | int | bool | list[str] | None") -> "Document":
        """The document with `key` set: its own lines change, or a line is added at the end of the front matter."""
        if self.lines is None:
            eol = _find_eol(self.body) or b"\n"
            bare = Document(self.path, self.head + b"---" + eol, [], b"---" + eol, self.body)
            return bare.set(key, value)
        field = self.get_field(key)
        if field is None:
            lines = add_field(self.lines, key, value, _find_eol(self.lines[-1] if self.lines else self.head))
        elif field.value == value and type(field.value) is type(value):
            return self
        else:
            lines = set_lines(self.lines, field, value)
        return Document(self.path, self.head, lines, self.foot, self.body)

    def remove(self, key: str) -> "Document":
        """The document without `key`, however often it was given."""
        if self.lines is None or self.get_field(key) is None:
            return self
        lines = remove_lines(self.lines, [field for field in self._scan.fields if field.key == key])
        return Document(self.path, self.head, lines, self.foot, self.body)

    # --- headings -------------------------------------------------------------------------------------------------

    @property
    def sections(self) -> "list[Section]":
        """Every section in order; one with sub-headings contains them."""
        if self._sections is None:
            first = 1 if self.lines is None else len(self.lines) + 3
            self._sections = parse_sections(self.body, first)
        return self._sections

    def get_section(self, title: str, level: int = 0) -> "Section | None":
        """The first section with this title (and level, if given)."""
        for section in self.sections:
            if section.title == title and level in (0, section.level):
                return section
        return None

    def read_section(self, title: str, level: int = 0, *, exact: bool = False) -> "str | None":
        """The text below a heading, without blank lines around it; None where there is no such heading.

        Its line ends are \\n, unless it has to be `exact`.
        """
        section = self.get_section(title, level)
        if section is None:
            return None
        data = self.body[section.body : section.end]
        return data.decode("utf-8", "surrogateescape") if exact else clean_text(data)

    def replace_section(self, title: str, text: str, level: int = 0) -> "Document":
        """The document with other text below this heading, sub-headings included; blank lines around it stay."""
        section = self._need_section(title, level)
        return self._with_body(put_text(self.body, section, encode_text(text), append=False), section)

    def append_section(self, title: str, text: str, level: int = 0) -> "Document":
        """The document with `text` as a further paragraph at the end of this section."""
        section = self._need_section(title, level)
        return self._with_body(put_text(self.body, section, encode_text(text), append=True), section)

    def add_section(self, title: str, text: str, order: "tuple[str, ...] | list[str]", level: int = 2) -> "Document":
        """The document with a new section, placed among its neighbours of `order`; at the end where it has none."""
        section = self.get_section(title, level)
        if section is not None:
            raise FormatError(
                f'There is a section "{title}" already.', path=self.path, line=section.line, next="replace or append"
            )
        eol = _find_eol(self.body) or _find_eol(self.foot) or _find_eol(self.head) or b"\n"
        body = insert_section(self.body, self.sections, encode_text(title), encode_text(text), tuple(order), level, eol)
        # A closing rule that ends the file may have no line end; what follows it must begin a line.
        foot = self.foot if not self.foot or _find_eol(self.foot) else self.foot + eol
        made = Document(self.path, self.head, self.lines, foot, body)
        added = made.get_section(title, level)
        kept = [(each.level, each.title) for each in self.sections]
        if added is None or _outline(made.sections, added) != kept:
            raise self._refuse(title, 0)
        return made

    def _need_section(self, title: str, level: int) -> Section:
        section = self.get_section(title, level)
        if section is None:
            there = ", ".join(each.title for each in self.sections) or "none"
            raise FormatError(f'There is no section "{title}".', path=self.path, next=f"headings here: {there}")
        return section

    def _with_body(self, body: bytes, section: Section) -> "Document":
        made = Document(self.path, self.head, self.lines, self.foot, body)
        at = self.sections.index(section)
        changed = made.sections[at] if at < len(made.sections) else None
        if (
            changed is None
            or changed.start != section.start
            or _outline(made.sections, changed, True) != _outline(self.sections, section, True)
            or len(body) - changed.end != len(self.body) - section.end
        ):
            # An open fence or a heading of the same level in the text would take the rest of the file with it.
            raise self._refuse(section.title, section.line)
        return made

    def _refuse(self, title: str, line: int) -> FormatError:
        return FormatError(
            f'The text for "{title}" would change the headings around it.',
            path=self.path,
            line=line,
            next="close its code fences and comments, and use headings below this section's level",
        )


def _outline(sections: "list[Section]", inner: Section, keep: bool = False) -> "list[tuple[int, str]]":
    return [
        (each.level, each.title)
        for each in sections
        if not inner.start <= each.start < inner.end or (keep and each is inner)
    ]


def parse_document(data: bytes, path: str = "") -> Document:
    """The document in `data`; `path` is only for messages. FormatError where front matter cannot be read."""
    head = _BOM if data.startswith(_BOM) else b""
    rest = data[len(head) :]
    if not rest.startswith(b"---"):
        return Document(path, head, None, b"", rest)
    # The rule is nearly always the first line that begins like one; a body is split only where it is not.
    rule = rest.find(b"\n", rest.find(b"\n---", 3) + 1) + 1
    lines = rest[: rule or len(rest)].splitlines(True)
    if lines[0].rstrip(b" \t\r\n") != b"---":
        return Document(path, head, None, b"", rest)
    found = _find_rule(lines)
    if not found:
        lines = rest.splitlines(True)
        found = _find_rule(lines)
    if not found:
        raise FormatError("Front matter is never closed.", path=path, line=1, column=1, next="end it with a line ---")
    size = sum(map(len, lines[: found + 1]))
    return Document(path, head + lines[0], lines[1:found], lines[found], rest[size:])


def _find_rule(lines: "list[bytes]") -> int:
    for number in range(1, len(lines)):
        if lines[number].startswith(b"---") and lines[number].rstrip(b" \t\r\n") == b"---":
            return number
    return 0


def _find_eol(data: bytes) -> bytes:
    for at in range(len(data)):
        if data[at] == 10:
            return b"\n"
        if data[at] == 13:
            return b"\r\n" if data[at + 1 : at + 2] == b"\n" else b"\r"
    return b""
