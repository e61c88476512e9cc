"""JSON as models write it, read all the same: fences around it, prose before and behind, stray backslashes, a cut end.

Only the form is repaired; what it says is checked by those who asked for it.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from thruline.pattern import compile_later

_STRAY = compile_later(r'\\(?:u(?![0-9A-Fa-f]{4})|(?![\\"/bfnrtu]))')
_PAIRS = compile_later(r"\\\\")
# Prose may hold braces of its own before the object begins.
_MOST_STARTS = 20
_MOST_NESTED = 64

_decoder = json.JSONDecoder(strict=False)


def repair_json(text: str) -> Any:
    """The JSON object of an answer, repaired where needed; None where there is none.

    The largest is the answer; but the last of several with its fields is: an example of the form, or a draft, comes
    before what it is an example of.
    """
    text = text.replace("\ufeff", "").replace("\x00", "")
    best, size = None, 0
    # The least repair first: a stronger one counts only where it makes no less of the text readable.
    for mended in _mend(text):
        found, length, whole = _find_object(mended)
        if length and length >= size:
            best, size = found, length
        if length and whole:
            break  # every object was read: nothing larger can come
    return best


def _mend(text: str) -> Iterator[str]:
    yield text
    text = _double_strays(text)
    yield text
    text = _drop_commas(text)
    yield text
    yield _close(text)


def _find_object(text: str) -> tuple[Any, int, bool]:
    """The object meant, the length of the largest, and whether all that looked like one could be read."""
    best, size, whole = None, 0, True
    later: Any = None  # behind the largest, with the same fields
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            value, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            whole = False
            at = text.find("{", at + 1)
            continue
        # An empty object stands in prose, and is not what was asked for.
        if value and end - at > size:
            best, size, later = value, end - at, None
        elif value and best is not None and value.keys() == best.keys():
            later = value
        at = text.find("{", end)
    return best if later is None else later, size, whole and at < 0


def _double_strays(text: str) -> str:
    # Pairs are put aside first, so that the second half of one is not taken for a stray.
    return _STRAY.sub(lambda match: "\\" + match[0], _PAIRS.sub("\x00", text)).replace("\x00", "\\\\")


def _drop_commas(text: str) -> str:
    pieces: list[str] = []
    for kind, piece in _scan(text):
        if kind == "sign" and piece in "}]":
            while pieces and not pieces[-1].strip():
                pieces.pop()
            if pieces and pieces[-1] == ",":
                pieces.pop()
        pieces.append(piece)
    return "".join(pieces)


def _close(text: str) -> str:
    """A text that was cut off, with its string and its brackets closed."""
    text = text[text.find("{") :] if "{" in text else text
    opened: list[str] = []
    last = ""
    for kind, piece in _scan(text):
        if kind == "sign" and piece in "{[":
            opened.append("}" if piece == "{" else "]")
        elif kind == "sign" and piece in "}]" and opened:
            opened.pop()
        last = kind
        if len(opened) > _MOST_NESTED:
            return text
    end = text[: -1 if re.search(r"(?<!\\)(?:\\\\)*\\\Z", text) else None] + '"' if last == "open" else text
    return end + "".join(reversed(opened))


def _scan(text: str) -> "list[tuple[str, str]]":
    """Strings, single signs and what is between them; a string that never ends is `open`."""
    found = []
    for match in re.finditer(r'"(?:[^"\\]|\\.)*(")?|[{}\[\],]|[^"{}\[\],]+', text, re.DOTALL):
        piece = match[0]
        kind = ("string" if match[1] else "open") if piece[0] == '"' else "sign" if piece in "{}[]," else "other"
        found.append((kind, piece))
    return found
