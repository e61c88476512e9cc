"""JSON lines as clients really write them: glued, cut, padded with NULs, half a surrogate pair at the end of a cut.

A line is decoded by the fastest decoder that takes it. Typed msgspec skips what nobody asked for at memory speed but
refuses some lines that plain JSON reads; those few take the slow way. What even that refuses is told, with its line.
Two complete records on one line (a newline lost between two writers) are both read.

Both decoders return dicts. The fast one holds only the declared keys and leaves `Raw` values undecoded; `value_of`
gives the plain value of either. It does not look into what it skips, so a line is given to it only where `is_utf8`:
else a text with one bad byte would be found missing when it is asked for, with nothing told.
"""

from codecs import utf_8_decode

from thruline.scan import find_scanner, scan
from thruline.session.parts import Problem

TYPE_CHECKING = False  # typing costs a third of what the tail of a transcript may cost
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decode = Callable[[bytes | bytearray | memoryview], Any]

# Under this size the import of msgspec costs more than it saves.
FAST_FROM_BYTES = 2 << 20

_PIECE = 1 << 12
_LONG = 1 << 20
_HUGE = 8 << 20

# What may stand around a record.
BLANK = " \t\r\n\x00\ufeff"

# How often half a surrogate pair was replaced. Most texts are decoded long after their line, where they are asked for:
# a reader looks whether this grew, and tells it of the line it is at.
halves = [0]


# The digits of every whole number that was too long to be one; nobody asks for such a number.
_too_long: "list[int]" = []


def decode_records(
    raw: bytes, path: str, line: int, problems: "list[Problem]", fast: "Decode | None" = None
) -> "list[dict[str, Any]]":
    """The records of one line: usually one, two where records were glued, none where it is empty or unreadable.

    `fast` is the typed decoder that refused the line, if one did: a huge line is mended and given to it again.
    """
    if is_cut(raw):
        problems.append(tell_cut(path, line))
        return []
    if fast is not None and len(raw) > _HUGE:
        from thruline.harnesses.longline import decode_mended

        found = decode_mended(raw, path, line, problems, fast)
        if found is not None:
            return found
    return _decode_plainly(raw) or _decode_slowly(raw, path, line, problems)


def is_cut(raw: bytes) -> bool:
    """Whether a long last line ends inside its only record, as its bytes tell: it need not be decoded to be told."""
    if len(raw) <= _LONG or raw.endswith(b"\n") or raw[-64:].rstrip(b" \t\r\0").endswith(b"}"):
        return False
    return b'}{"' not in raw


def tell_cut(path: str, line: int) -> "Problem":
    """That the last line is being written, or was when the client died."""
    return Problem(path, line, "cut", "the last line is unfinished")


def tell_halves(path: str, line: int) -> "Problem":
    """That a text of the line was cut inside a character."""
    return Problem(path, line, "encoding", "half a surrogate pair was replaced")


def tell_nuls(path: str, line: int, count: int) -> "Problem":
    """That the line holds NUL bytes, as a machine leaves them that lost its power."""
    return Problem(path, line, "nul", "1 NUL byte" if count == 1 else f"{count:,} NUL bytes")


def _decode_plainly(raw: bytes) -> "list[dict[str, Any]]":
    try:
        text = raw.decode("utf-8")
        record, end = scan(text, 0)
    except (ValueError, RecursionError, StopIteration):
        return []
    # Lone halves of a surrogate pair can only come from an escape; without one there is nothing to clean.
    if type(record) is not dict or text[end:].strip() or "\\ud" in text or "\\uD" in text or "\x00" in text:
        return []
    return [record]


def _decode_slowly(raw: bytes, path: str, line: int, problems: "list[Problem]") -> "list[dict[str, Any]]":
    text = raw.decode("utf-8", "replace")
    if "\ufffd" in text and not is_utf8(raw):
        problems.append(Problem(path, line, "encoding", "bytes that are not UTF-8 were replaced"))
    if "\x00" in text:
        problems.append(tell_nuls(path, line, text.count("\x00")))
    found: list[dict[str, Any]] = []
    _too_long.clear()
    at = _pass_blank(text, 0)
    while at < len(text):
        try:
            value, at = _scan_any(text, at)
            value = _clean(value)
        except (ValueError, RecursionError, StopIteration) as error:
            if raw.endswith(b"\n"):
                problems.append(Problem(path, line, "json", f"not JSON ({_reason(error)})"))
            else:
                problems.append(tell_cut(path, line))
            break
        if isinstance(value, dict):
            found.append(value)
        else:
            problems.append(Problem(path, line, "shape", f"a {type(value).__name__} where a record should be"))
        at = _pass_blank(text, at)
    for digits in _too_long:
        problems.append(Problem(path, line, "number", f"a number of {digits:,} digits was left out"))
    if len(found) > 1:
        problems.append(Problem(path, line, "glued", f"{len(found)} records on one line; all were read"))
    return found


def _scan_any(text: str, at: int) -> "tuple[Any, int]":
    """`scan`, which gives up a whole value for one number of thousands of digits; here only the number is left out."""
    try:
        found: tuple[Any, int] = scan(text, at)
    except ValueError as error:
        if hasattr(error, "pos"):
            raise  # no JSON
        found = find_scanner(_parse_int)(text, at)  # type: ignore[no-untyped-call]
    return found


def _parse_int(digits: str) -> "int | None":
    try:
        return int(digits)
    except ValueError:  # Python makes no number of so many
        _too_long.append(len(digits.lstrip("-")))
        return None


def _pass_blank(text: str, at: int) -> int:
    # Piece by piece: stripping would copy a huge line for its line end.
    while at < len(text):
        piece = text[at : at + 4096]
        kept = len(piece.lstrip(BLANK))
        at += len(piece) - kept
        if kept:
            break
    return at


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, StopIteration):
        return f"no value at column {error.value + 1}"
    return f"{getattr(error, 'msg', error)} at column {getattr(error, 'pos', 0) + 1}"


def is_utf8(raw: bytes) -> bool:
    """Whether every byte of a line is sound; piece by piece, as most pieces of most lines are plain ASCII."""
    if raw.isascii():
        return True
    at, end = 0, len(raw)
    try:
        while at < end:
            piece = raw[at : at + _PIECE]
            at += len(piece) if piece.isascii() else utf_8_decode(piece, "strict", at + _PIECE >= end)[1]
    except UnicodeDecodeError:
        return False
    return True


def _clean(value: "Any") -> "Any":
    # A client that cuts a string in the middle of an emoji leaves half a surrogate pair, which no file can be written
    # with. Here is where such text enters, so here it is replaced.
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            halves[0] += 1
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def value_of(raw: "Any") -> "Any":
    """The plain value of a field that the fast decoder may have left undecoded; None where it cannot be read."""
    if raw is None or isinstance(raw, dict | list | str | int | float):
        return raw
    try:
        return _clean(_scan_any(bytes(raw).decode("utf-8"), 0)[0])
    except (ValueError, RecursionError, StopIteration):
        return None


_NESTED = (list, dict)


def copy_value(value: "Any") -> "Any":
    """A plain value of its own: what is done to the copy does not reach the original."""
    # Most are numbers and texts in lists of lists, thousands of them; a call for each would cost more than the copy.
    if isinstance(value, list):
        return [copy_value(item) if isinstance(item, _NESTED) else item for item in value]
    if isinstance(value, dict):
        return {key: copy_value(item) for key, item in value.items()}
    return value
