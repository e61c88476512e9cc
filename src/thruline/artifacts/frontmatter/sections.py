"""Headings of a markdown body, as offsets into its bytes.

Only `#` headings count, as in CommonMark: up to three spaces before them, and not inside a code fence, an HTML comment
or `<pre>`. An underlined heading is text to us: a `---` below a line is far more often a rule that someone drew.
"""

_SPACE, _HASH, _ANGLE = b" #<"
_FENCES = b"`~"
_STARTS = frozenset(b" #<`~")
_RAW_HTML = (b"pre", b"script", b"style", b"textarea")


class Section:
    """A heading and what stands below it, up to the next heading of its level or above.

    `start` is where the heading line begins, `body` where the text begins, `end` where the next section begins;
    `line` counts from 1 in the whole file.
    """

    __slots__ = ("body", "end", "level", "line", "start", "title")

    def __init__(self, level: int, title: str, line: int, start: int, body: int) -> None:
        self.level = level
        self.title = title
        self.line = line
        self.start = start
        self.body = body
        self.end = body

    def __repr__(self) -> str:
        return f"Section({self.level}, {self.title!r}, line={self.line})"


def parse_sections(body: bytes, first: int) -> "list[Section]":
    """Every section of `body` in order; its first line is line `first` of the file."""
    found: list[Section] = []
    fence = b""  # the opening signs of the fence we are in
    closer: tuple[bytes, ...] = ()  # what ends the raw HTML we are in
    offset = 0
    starts = _STARTS
    number = first - 1
    for line in body.splitlines(True):
        start = offset
        offset += len(line)
        number += 1
        if closer:
            if _contains(line, closer):
                closer = ()
            continue
        sign = line[0]
        if sign not in starts:  # nearly every line leaves here
            continue
        if sign == _SPACE:
            indent = len(line) - len(line.lstrip(b" "))
            if indent > 3:
                continue
            line = line[indent:]
            sign = line[0] if line else _SPACE
        if sign == _HASH:
            if not fence:
                section = _parse_heading(line, number, start, offset)
                if section is not None:
                    found.append(section)
        elif fence:
            if sign == fence[0] and _is_closing(line, fence):
                fence = b""
        elif sign in _FENCES:
            fence = _parse_fence(line)
        elif sign == _ANGLE:
            closer = _find_closer(line)
    _close(found, len(body))
    return found


def _close(found: "list[Section]", end: int) -> None:
    open_sections: list[Section] = []
    for section in found:
        while open_sections and open_sections[-1].level >= section.level:
            open_sections.pop().end = section.start
        open_sections.append(section)
    for section in open_sections:
        section.end = end


def _parse_heading(text: bytes, line: int, start: int, body: int) -> "Section | None":
    rest = text.lstrip(b"#")
    level = len(text) - len(rest)
    if level > 6 or rest[:1] not in (b" ", b"\t", b"\r", b"\n", b""):
        return None
    title = rest.strip(b" \t\r\n")
    bare = title.rstrip(b"#")
    if not bare or (bare != title and bare[-1:] in b" \t"):
        title = bare.rstrip(b" \t")
    return Section(level, title.decode("utf-8", "surrogateescape"), line, start, body)


def _parse_fence(text: bytes) -> bytes:
    sign = text[:1]
    rest = text.lstrip(sign)
    length = len(text) - len(rest)
    # An info string with a backtick makes it inline code, not a fence.
    return b"" if length < 3 or (sign == b"`" and b"`" in rest) else sign * length


def _is_closing(text: bytes, fence: bytes) -> bool:
    return text.startswith(fence) and not text.lstrip(fence[:1]).strip(b" \t\r\n")


def _find_closer(text: bytes) -> "tuple[bytes, ...]":
    lower = text.lower()
    if lower.startswith(b"<!--"):
        return () if b"-->" in lower[4:] else (b"-->",)
    for name in _RAW_HTML:
        if lower.startswith(b"<" + name) and lower[len(name) + 1 : len(name) + 2] in (
            b" ",
            b"\t",
            b">",
            b"\r",
            b"\n",
            b"",
        ):
            closers = tuple(b"</" + each + b">" for each in _RAW_HTML)
            return () if _contains(text, closers) else closers
    return ()


def _contains(line: bytes, closers: "tuple[bytes, ...]") -> bool:
    lower = line.lower()
    return any(each in lower for each in closers)
