"""One value as text: how a person wrote it, and how we write it so that every YAML reader agrees."""

from thruline.errors import FormatError

# Read the same by YAML 1.1 and 1.2 only when quoted; Python's YAML readers still follow 1.1 in places.
_WORDS = frozenset(
    ("null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".inf", "+.inf", "-.inf", ".nan")
)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TRUES = frozenset(("true", "True", "TRUE"))
_FALSES = frozenset(("false", "False", "FALSE"))
_NUMBER_START = frozenset("0123456789+-.")
_NUMBER_REST = frozenset("0123456789+-.:_abcdefABCDEFxXoOtTzZ ")
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
# A value that starts so means more to YAML than text: a mapping, an anchor, an alias, a tag, a reserved sign.
FOREIGN = frozenset("{}]&*!%@`,")

_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LONGEST_INT = 640  # the smallest limit Python may be run with for int(text)


class ScalarError(Exception):
    """Why a value cannot be read, and at which index of its text; becomes a FormatError with a place."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


def parse_plain(text: str) -> "str | int | bool | None":
    """The value of unquoted text: null, a bool, a decimal int without leading zero, else the text itself."""
    if text in _NULLS:
        return None
    if text in _TRUES:
        return True
    if text in _FALSES:
        return False
    digits = text[1:] if text[0] == "-" else text
    if digits.isdigit() and digits.isascii() and len(digits) <= _LONGEST_INT and (digits[0] != "0" or text == "0"):
        return int(text)
    return text


def scan_quoted(text: str, start: int) -> "tuple[str, int]":
    """The string whose opening quote is at `start`, and the index behind its closing quote."""
    quote = text[start]
    end = text.find(quote, start + 1)
    if quote == "'":
        while end >= 0 and text[end + 1 : end + 2] == "'":
            end = text.find("'", end + 2)
        if end < 0:
            raise ScalarError("A single quote is never closed on this line.", start)
        return text[start + 1 : end].replace("''", "'"), end + 1
    if end >= 0 and "\\" not in text[start:end]:
        return text[start + 1 : end], end + 1
    return _scan_escaped(text, start)


def _scan_escaped(text: str, start: int) -> "tuple[str, int]":
    parts: list[str] = []
    at = start + 1
    while at < len(text):
        char = text[at]
        if char == '"':
            return _join_halves("".join(parts)), at + 1
        if char != "\\":
            parts.append(char)
            at += 1
            continue
        sign = text[at + 1 : at + 2]
        if sign in _HEX:
            digits = text[at + 2 : at + 2 + _HEX[sign]]
            code = int(digits, 16) if len(digits) == _HEX[sign] and _is_hex(digits) else 0x110000
            if code > 0x10FFFF:
                raise ScalarError(f"\\{sign} needs {_HEX[sign]} hexadecimal digits of a character.", at)
            parts.append(chr(code))
            at += 2 + _HEX[sign]
        elif sign in _ESCAPES:
            parts.append(_ESCAPES[sign])
            at += 2
        else:
            raise ScalarError(f"\\{sign} is no escape in double quotes.", at)
    raise ScalarError("A double quote is never closed on this line.", start)


def _is_hex(digits: str) -> bool:
    return all(digit in "0123456789abcdefABCDEF" for digit in digits)


def _join_halves(text: str) -> str:
    # JSON writes a character above U+FFFF as two escapes; a half that stands alone stays as it is.
    if not any("\ud800" <= char <= "\udbff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def is_plain_safe(text: str) -> bool:
    """Whether `text` may stand unquoted and be read as this very string by us and by any YAML reader."""
    return not (
        not text
        or text[0] in _INDICATORS
        or text[0] == " "
        or text[-1] in " :"
        or not text.isprintable()
        or ": " in text
        or " #" in text
        or text.lower() in _WORDS
        or (text[0] in _NUMBER_START and all(char in _NUMBER_REST for char in text))
    )


def quote_double(text: str) -> str:
    """`text` as a JSON string, which is YAML too; printable characters stay as they are."""
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + "".join(_escape(char) for char in text) + '"'


def _escape(char: str) -> str:
    short = _SHORT.get(char)
    if short is not None:
        return short
    if char.isprintable():
        return char
    code = ord(char)
    # Above U+FFFF JSON has only pairs, which YAML reads as two characters; the character itself suits both.
    return f"\\u{code:04x}" if code <= 0xFFFF else char


def render_string(text: str, quote: str) -> str:
    """`text` in the quoting that was there (`'`, `"` or none), or in double quotes where that would not hold it."""
    if quote == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if quote == "" and is_plain_safe(text):
        return text
    return quote_double(text)


def render_scalar(value: "str | int | bool | None", quote: str) -> str:
    """`value` as it stands in a file."""
    if isinstance(value, str):
        return render_string(value, quote)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value.bit_length() > 2000:  # about 600 digits
        raise FormatError("This number is too long for front matter.", next="write it as text")
    return str(value)
