"""A pointer of a brief as a value: a place in a transcript, a commit, or a file.

In markdown it is one word without blanks, so a path is percent-encoded where it holds anything that could end the word
or act as markdown.
"""

import re

from thruline.brief.attempts.prose import is_prose, percent, percent_prose, split_parts
from thruline.errors import UsageError
from thruline.pattern import compile_later
from thruline.session.pointer import parse_place, render_pointer
from thruline.value import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KINDS = ("transcript", "commit", "file")

_COMMIT = compile_later(r"([0-9a-f]{4,64})(?::(.+))?\Z")
_FILE = compile_later(r"([^:]+)(?::(?:L([1-9][0-9]{0,9})|([^\s:`][^\s`]{0,199})))?\Z")
_PLAIN = compile_later(r"[\w./@+~=-]", re.ASCII)
# Somewhere in prose, in backticks or not; what follows the word is not part of it.
FIND = compile_later(
    r"\b(?:transcript:(?:[a-z][0-9]+:)?L[0-9]+(?:-L[0-9]+)?|commit:[0-9a-f]{4,64}(?::[^\s`)\],;]+)?|file:[^\s`)\],;]+)"
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place that can be opened; `kind` says which of the fields count.

    transcript: `line`, `last` (0 for one line), `source` (the label of another file of the session) and, where known,
    the record's `uuid`. commit: `commit` and perhaps `path`. file: `path` and perhaps `symbol` or `line`.
    """

    kind: str
    line: int = 0
    last: int = 0
    source: str = ""
    uuid: str = ""
    commit: str = ""
    path: str = ""
    symbol: str = ""

    def render(self) -> str:
        """`transcript:L12`, `commit:1a2b3c4`, `file:src/a.py:main`."""
        if self.kind == "transcript":
            return render_pointer(self.line, self.last, self.source)
        if self.kind == "commit":
            return f"commit:{self.commit}" + (f":{encode_path(self.path)}" if self.path else "")
        end = f":L{self.line}" if self.line else f":{self.symbol}" if self.symbol else ""
        return f"file:{encode_path(self.path)}{end}"

    def to_fields(self) -> "dict[str, Any]":
        """The pointer as JSON holds it: type, ref, and the uuid where there is one."""
        kind, _, ref = self.render().partition(":")
        return {"type": kind, "ref": ref} | ({"uuid": self.uuid} if self.uuid else {})


def place(line: int, last: int = 0, source: str = "", uuid: str = "") -> Pointer:
    """A pointer into the transcript."""
    return Pointer("transcript", line=line, last=last, source=source, uuid=uuid)


def parse_pointer(text: str) -> Pointer:
    """The value of a pointer as it stands in a brief; UsageError where it is none."""
    kind, _, ref = text.partition(":")
    return _parse(kind, ref)


def parse_ref(kind: str, ref: str) -> Pointer:
    """The value of a pointer's type and ref, as a model's JSON gives them; the type may stand in the ref too."""
    return _parse(kind, ref.strip().removeprefix(f"{kind}:"))


def _parse(kind: str, ref: str) -> Pointer:
    if kind == "transcript":
        source, first, last = parse_place(ref)
        return Pointer(kind, line=first, last=last if last != first else 0, source=source)
    if kind == "commit" and (match := _COMMIT.match(ref)):
        return Pointer(kind, commit=match[1], path=decode_path(match[2] or ""))
    if kind == "file" and (match := _FILE.match(ref)) and "\x00" not in decode_path(match[1]):
        return Pointer(kind, path=decode_path(match[1]), line=int(match[2] or 0), symbol=match[3] or "")
    raise UsageError(
        f'"{kind}:{ref}" is not a pointer.', next="transcript:L120, commit:<hash>[:path] or file:<path>[:symbol|:L<n>]"
    )


def encode_path(path: str) -> str:
    """A path as one word that ends nowhere, does nothing, and in which no sentence can be read."""
    return "".join(percent_prose(part) if is_prose(part) else _encode_part(part) for part in split_parts(path))


def _encode_part(part: str) -> str:
    return "".join(c if _PLAIN.match(c) else _percent(c) for c in part)


def decode_path(text: str) -> str:
    """The inverse of `encode_path`."""
    if "%" not in text:
        return text
    from urllib.parse import unquote  # here: few paths are encoded, and it imports a dozen modules

    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return text  # no path of ours: one that was cut, or changed by hand


def _percent(character: str) -> str:
    # Letters of any language stay readable; what is a sign, a blank or a control is encoded.
    if character.isalnum() and not character.isascii():
        return character
    return percent(character)
