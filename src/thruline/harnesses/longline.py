"""Lines of many megabytes that the fast decoder refused, mended as bytes so that it takes them after all.

The plain way costs up to twenty times such a line: a text with one emoji takes four bytes a character, and there are
several of it. Nearly always the cause is one of four, and each can be mended without decoding. Imported for such lines
alone.
"""

import re
from codecs import utf_8_decode

from thruline.harnesses.jsonl import BLANK, halves, is_utf8, tell_nuls
from thruline.session.parts import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.jsonl import Decode

_PIECE = 1 << 20
_BLANK = BLANK.encode()[:-3]  # without the mark of byte order, which is three bytes

# An escaped backslash, a whole pair, or half of one.
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def decode_mended(
    raw: bytes, path: str, line: int, problems: "list[Problem]", fast: "Decode"
) -> "list[dict[str, Any]] | None":
    """The records of the line with what was wrong told; None, and nothing told, where it has to go the plain way."""
    told: list[Problem] = []
    mended: bytes | bytearray = raw
    if not is_utf8(raw):
        told.append(Problem(path, line, "encoding", "bytes that are not UTF-8 were replaced"))
        mended = _replace_bad(raw)
    zeros = mended.count(b"\0")
    if zeros:
        told.append(tell_nuls(path, line, zeros))
        if b"\0" in (mended[:1], mended[-64:].rstrip(b"\r\n")[-1:]):
            mended = mended.strip(_BLANK)
        mended = mended.replace(b"\0", b"\\u0000")
    if b"\\ud" in mended or b"\\uD" in mended:
        mended = _replace_halves(mended)
    found: list[dict[str, Any]] = []
    try:
        found.append(fast(mended))
    except (ValueError, RecursionError):
        found = _decode_glued(mended, fast)
        if not found:
            return None
        told.append(Problem(path, line, "glued", f"{len(found)} records on one line; all were read"))
    problems += told
    return found


# What is mended is handed on as it was gathered: bytes made of it would be one more copy of the line.


def _replace_bad(raw: bytes) -> bytearray:
    view, end, at = memoryview(raw), len(raw), 0
    mended = bytearray()
    while at < end:
        text, used = utf_8_decode(view[at : at + _PIECE], "replace", at + _PIECE >= end)
        mended += text.encode()
        at += used
    return mended


def _replace_halves(raw: bytes | bytearray) -> bytes | bytearray:
    mended, at = bytearray(), 0
    view = memoryview(raw)
    for match in _ESCAPES.finditer(raw):
        if match.group(1):
            mended += view[at : match.start()]
            mended += b"\\ufffd"
            at = match.end()
    if not at:
        return raw
    halves[0] += 1
    mended += view[at:]
    return mended


def _decode_glued(raw: bytes | bytearray, fast: "Decode") -> "list[dict[str, Any]]":
    # Between two records stands `}{"`, and so does it where a text ends in a brace: a piece that is no record goes on.
    found: list[dict[str, Any]] = []
    view, begin, at = memoryview(raw), 0, 0
    for _ in range(64):
        at = raw.find(b'}{"', at) + 1
        try:
            found.append(fast(view[begin : at or len(raw)]))
        except (ValueError, RecursionError):
            if not at:
                return []
            continue
        if not at:
            return found
        begin = at
    return []
