"""One value as a person wrote it; how we write one is in `artifacts/scalar_text.py`."""

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TRUES = frozenset(("true", "True", "TRUE"))
_FALSES = frozenset(("false", "False", "FALSE"))
# A value that starts so means more to YAML than text: a mapping, an anchor, an alias, a tag, a reserved sign.
FOREIGN = frozenset("{}]&*!%@`,")

_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
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
