"""A loop's file as we write it, read and changed without the scanner of front matter: what a hook can afford.

Of anything else (a comment, a blank, a list over lines, an escape of YAML's own, other words before the prompt) there
is none: then the scanner reads it. What is taken here is read and written as by the scanner, byte for byte; a test
holds the two side by side. Hooks import this module.
"""

from thruline.artifacts.loop_step import PROMPT
from thruline.artifacts.scalar_text import is_plain_safe, render_scalar
from thruline.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = str | int | list[str] | None

_RULE, _HEADING = b"---\n", b"\n## " + PROMPT.encode() + b"\n"
_LONGEST_INT = 18  # digits


class PlainLoop:
    """What `Document` is to everyone else, as far as a step of a loop needs it. A value: `set` returns another."""

    __slots__ = ("body", "lines", "path", "prompt", "values")

    def __init__(
        self, path: str, lines: "dict[str, str]", values: "dict[str, Value]", body: bytes, prompt: str
    ) -> None:
        self.path = path
        self.lines = lines  # what stands behind `key: `, by key
        self.values = values
        self.body = body  # from the blank line before the heading on
        self.prompt = prompt  # what stands below it, fence and all

    def get(self, key: str) -> "Value":
        """The value of `key`; None where it is null or absent."""
        return self.values.get(key)

    def set(self, key: str, value: "str | int | None") -> "PlainLoop":
        """The loop with `key` set, in the quotes that are there; at the end where it is new."""
        old = self.values.get(key)
        if old == value and type(old) is type(value) and key in self.values:
            return self
        text = render_scalar(value, '"' if self.lines.get(key, "")[:1] == '"' else "")
        return PlainLoop(self.path, {**self.lines, key: text}, {**self.values, key: value}, self.body, self.prompt)

    def render(self) -> bytes:
        """The bytes of the file."""
        front = "".join([f"{key}: {text}\n" for key, text in self.lines.items()])
        return b"".join((_RULE, front.encode(), _RULE, self.body))

    def read_section(self, title: str, level: int = 0, *, exact: bool = False) -> "str | None":
        """The text below the heading of the prompt; we know no other."""
        return self.prompt if (title, level) == (PROMPT, 2) else None


def parse_plain_loop(data: bytes, path: str) -> "PlainLoop | None":
    """The loop in `data`; None where it is not in our own form."""
    end = data.find(b"\n" + _RULE, 3)
    if not data.startswith(_RULE) or end < 0 or b"\r" in data[:end]:
        return None
    body = data[end + 1 + len(_RULE) :]
    try:
        front, prompt = data[len(_RULE) : end].decode(), _find_prompt(body)
    except UnicodeDecodeError:
        return None
    if not prompt:
        return None
    lines: dict[str, str] = {}
    values: dict[str, Value] = {}
    for line in front.split("\n"):
        key, _, text = line.partition(": ")
        if not key.isidentifier() or not key.isascii() or key in lines or not _read(values, key, text):
            return None
        lines[key] = text
    return PlainLoop(path, lines, values, body, prompt)


def _read(values: "dict[str, Value]", key: str, text: str) -> bool:
    """Puts the value that stands behind `key: ` among the others; whether it is in our own form."""
    if text == "null":
        values[key] = None
    elif text.isdigit() and text.isascii():
        if len(text) > _LONGEST_INT or (text[0] == "0" and text != "0"):
            return False
        values[key] = int(text)
    elif text[:1] in ('"', "["):
        try:
            value, end = scan(text, 0)  # as we quote it is JSON
        except (ValueError, StopIteration, RecursionError):
            return False
        plain = isinstance(value, str) or all(isinstance(one, str) for one in value)
        if end != len(text) or not plain:
            return False
        values[key] = value
    elif is_plain_safe(text):
        values[key] = text
    else:
        return False
    return True


def _find_prompt(body: bytes) -> str:
    """What stands below the heading: a fence as we make them, and behind it nothing or the next heading; else empty."""
    start = len(_HEADING)
    opened = body.find(b"\n", start)
    fence = body[start:opened].removesuffix(b"text")
    closed = body.find(fence, opened)
    end = closed + len(fence)
    ours = body.startswith(_HEADING) and len(fence) > 2 and not fence.strip(b"`") and opened < closed
    if not ours or body[closed - 1 : closed] != b"\n" or body[end : end + 1] not in (b"\n", b""):
        return ""
    rest = body[end:].lstrip(b"\n")
    return body[start:end].decode() if not rest or rest.startswith(b"## ") else ""
