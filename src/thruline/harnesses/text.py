"""Texts as a list shows them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def one_line(text: str, limit: int = 300) -> str:
    """The text on one line, cut at `limit` characters."""
    # What is one line already is known in half the time of splitting it; a blank is the only space that is printable.
    if len(text) <= limit and text.isprintable() and "  " not in text and text.strip() == text:
        return text
    line = " ".join(text[: limit * 2].split())
    return line if len(line) <= limit and len(text) <= limit * 2 else line[: limit - 1] + "…"


def find_telling(given: "dict[str, Any]", keys: "tuple[str, ...]") -> str:
    """What a call of a tool that we do not know is about: the first argument of `keys` that it has, else any text."""
    for key in keys:
        value = given.get(key)
        if isinstance(value, str) and value:
            return one_line(value)
    for value in given.values():
        if isinstance(value, str) and value:
            return one_line(value, 120)
    return ""
