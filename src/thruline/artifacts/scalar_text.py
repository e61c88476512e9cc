"""One value as we write it into front matter, so that every YAML reader takes it for what it is.

It stands outside the room of the scanner because a hook that changes two lines of a loop imports this and not that.
"""

# Read the same by YAML 1.1 and 1.2 only when quoted; Python's YAML readers still follow 1.1 in places.
_WORDS = frozenset(
    ("null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=", ".inf", "+.inf", "-.inf", ".nan")
)
_NUMBER_START = frozenset("0123456789+-.")
_NUMBER_REST = frozenset("0123456789+-.:_abcdefABCDEFxXoOtTzZ ")
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


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
        from thruline.errors import FormatError  # here and not on top: a hook would pay for what never happens there

        raise FormatError("This number is too long for front matter.", next="write it as text")
    return str(value)
