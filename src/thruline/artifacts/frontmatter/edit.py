"""How lines change when one value or one section does; every other byte is passed on."""

from thruline.artifacts.frontmatter.fields import Field, Text
from thruline.artifacts.frontmatter.sections import Section
from thruline.artifacts.scalar_text import quote_double, render_scalar, render_string


def encode_text(text: str) -> bytes:
    """`text` as bytes. Half a character, as cut-off transcripts hold it, has no bytes: it becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        return whole.encode("utf-8")


# --- front matter -------------------------------------------------------------------------------------------------


def add_field(
    lines: "list[bytes]", key: str, value: "str | int | bool | list[str] | None", eol: bytes
) -> "list[bytes]":
    """`lines` with a new key at their end."""
    made = (
        render_string(key, "")
        + ": "
        + (_render_flow(value, {}) if isinstance(value, list) else render_scalar(value, ""))
    )
    return [*lines, encode_text(made) + eol]


def set_lines(lines: "list[bytes]", field: Field, value: "str | int | bool | list[str] | None") -> "list[bytes]":
    """`lines` with another value for `field`, in the style that is there."""
    made = list(lines)
    if isinstance(value, list) and value and field.items and not field.flow:
        return _set_items(made, field.items, value)
    at = field.text.line
    line, eol = _split_eol(made[at])
    if isinstance(value, list):
        raw = {str(item.value): line[item.start : item.end] for item in field.items or () if field.flow}
        text = _render_flow(value, raw)
    else:
        text = render_scalar(value, field.text.quote)
    before, after = line[: field.text.start], line[field.text.end :]
    if before.endswith(":"):
        before += " "
    made[at] = encode_text(before + text + after) + eol
    if field.items and not field.flow:
        for item in reversed(field.items):
            del made[item.line]
    return made


def remove_lines(lines: "list[bytes]", fields: "list[Field]") -> "list[bytes]":
    """`lines` without those of `fields`."""
    gone = {number for field in fields for number in range(field.text.line, field.last + 1)}
    return [line for number, line in enumerate(lines) if number not in gone]


def _render_flow(values: "list[str]", raw: "dict[str, str]") -> str:
    return "[" + ", ".join(raw.get(value) or quote_double(value) for value in values) + "]"


def _set_items(lines: "list[bytes]", items: "list[Text]", values: "list[str]") -> "list[bytes]":
    # What is the same at both ends stays untouched, so adding one item adds one line.
    same = 0
    while same < min(len(items), len(values)) and items[same].value == values[same]:
        same += 1
    tail = 0
    while tail < min(len(items), len(values)) - same and items[-1 - tail].value == values[-1 - tail]:
        tail += 1
    old = items[same : len(items) - tail]
    new = values[same : len(values) - tail]
    for item, value in zip(old, new, strict=False):
        line, eol = _split_eol(lines[item.line])
        made = line[: item.start] + render_string(value, item.quote) + line[item.end :]
        lines[item.line] = encode_text(_space_after_dash(made, item, line)) + eol
    if len(old) > len(new):
        for item in reversed(old[len(new) :]):
            del lines[item.line]
        return lines
    model = items[max(same + len(old) - 1, 0)]
    line, eol = _split_eol(lines[model.line])
    before = line[: line.index("-") + 1] + " "
    at = model.line + 1 if same + len(old) else items[0].line
    lines[at:at] = [encode_text(before + render_string(value, model.quote)) + eol for value in new[len(old) :]]
    return lines


def _space_after_dash(made: str, item: Text, line: str) -> str:
    # An empty item may be a dash alone, or a dash and a comment.
    if item.start and line[item.start - 1] == "-":
        made = made[: item.start] + " " + made[item.start :]
    return made


def _split_eol(line: bytes) -> "tuple[str, bytes]":
    bare = line.rstrip(b"\r\n")
    return bare.decode("utf-8", "surrogateescape"), line[len(bare) :]


# --- headings -----------------------------------------------------------------------------------------------------


def clean_text(data: bytes) -> str:
    """A section's text without the blank lines around it, its line ends as \\n."""
    text = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    rows = text.split("\n")
    while rows and not rows[0].strip(" \t"):
        del rows[0]
    while rows and not rows[-1].strip(" \t"):
        del rows[-1]
    return "\n".join(rows)


def put_text(body: bytes, section: Section, text: bytes, *, append: bool) -> bytes:
    """`body` with `text` in place of the section's text, or behind it."""
    heading = body[section.start : section.body]
    eol = _eol_of(heading) or _eol_of(body[: section.start]) or b"\n"
    inner = body[section.body : section.end]
    start, end = _find_core(inner)
    last = section.end == len(body)
    text = _fit(text, eol)
    before, after = inner[:start], inner[end:]
    if append and end > start:
        before = inner[:end]
        gap = b"" if not text else eol + eol
        return body[: section.body] + before + gap + text + after + body[section.end :]
    if text:
        if not _eol_of(heading):
            before = eol + eol
        if end == start:
            # Nothing was there: one blank line on each side, as a person would write it.
            before, after = before or eol, eol if last else eol + eol
    return body[: section.body] + before + text + after + body[section.end :]


def insert_section(
    body: bytes, sections: "list[Section]", title: bytes, text: bytes, order: "tuple[str, ...]", level: int, eol: bytes
) -> bytes:
    """`body` with a new section behind its nearest predecessor of `order`, else before its nearest successor."""
    at = _find_place(sections, title.decode("utf-8", "surrogateescape"), order, level, len(body))
    before, after = body[:at], body[at:]
    if before and not before.endswith((b"\n", b"\r")):
        before += eol
    if before and not before.endswith((eol + eol, b"\n\n", b"\r\n\r\n")):
        before += eol
    made = b"#" * level + b" " + title + eol
    fitted = _fit(text, eol)
    if fitted:
        made += eol + fitted + eol
    return before + made + (eol if after else b"") + after


def _find_place(sections: "list[Section]", title: str, order: "tuple[str, ...]", level: int, end: int) -> int:
    place = order.index(title) if title in order else len(order)
    for name in reversed(order[:place]):
        for section in sections:
            if section.title == name and section.level == level:
                return section.end
    for name in order[place + 1 :]:
        for section in sections:
            if section.title == name and section.level == level:
                return section.start
    return end


def _find_core(inner: bytes) -> "tuple[int, int]":
    start = end = 0
    offset = 0
    found = False
    for line in inner.splitlines(True):
        if line.strip(b" \t\r\n"):
            if not found:
                start, found = offset, True
            end = offset + len(line.rstrip(b"\r\n"))
        offset += len(line)
    return start, end


def _fit(text: bytes, eol: bytes) -> bytes:
    rows = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    while rows and not rows[0].strip(b" \t"):
        del rows[0]
    while rows and not rows[-1].strip(b" \t"):
        del rows[-1]
    return eol.join(rows)


def _eol_of(data: bytes) -> bytes:
    if data.endswith(b"\r\n"):
        return b"\r\n"
    return data[-1:] if data[-1:] in (b"\n", b"\r") else b""
