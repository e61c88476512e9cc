"""The payload of an event: one JSON object from stdin.

Some clients keep the pipe open after the object, so reading to the end of input would wait for ever.
"""

import os

from thruline.scan import scan

LIMIT = 64 * 1024 * 1024
_BLANK = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


class Unusable(Exception):
    """What the client sent cannot be used; the message never quotes it."""


def read_payload(descriptor: int, limit: int = LIMIT) -> "dict[str, object]":
    """The object on `descriptor`, read no further than the piece in which it ends."""
    return parse_object(read_object_bytes(descriptor, limit))


def read_object_bytes(descriptor: int, limit: int = LIMIT) -> bytes:
    """The bytes up to the end of the first object, or to the end of input where none ends.

    Brackets outside strings are counted piece by piece with bytes methods: trying to parse after every piece would be
    quadratic, and payloads of some megabytes are real.
    """
    pieces = []
    size = depth = 0
    in_string = escaped = False
    while True:
        piece = os.read(descriptor, 65536)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise Unusable(f"more than {limit} bytes")
        text = piece[1:] if escaped else piece
        text = text.replace(b"\\\\", b"")
        escaped = text.endswith(b"\\")
        parts = text.replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[1::2] if in_string else parts[::2])
        in_string ^= len(parts) % 2 == 0
        depth += outside.count(b"{") + outside.count(b"[") - outside.count(b"}") - outside.count(b"]")
        if depth <= 0 and not in_string and (len(parts) > 1 or outside.strip(_BLANK + _BOM)):
            break
    return b"".join(pieces)


def parse_object(data: bytes) -> "dict[str, object]":
    """The first JSON value of `data`, which must be an object; what follows it is ignored.

    Lenient where clients are careless: a byte-order mark, raw control characters, bad UTF-8 and lone surrogates pass.
    """
    text = data.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    try:
        value: object = scan(text, 0)[0]
    except RecursionError:
        raise Unusable("nested too deeply") from None
    except (ValueError, StopIteration):
        raise Unusable("not JSON" if text else "empty") from None
    if type(value) is not dict:
        raise Unusable("not an object")
    return value
