"""Texts as a list shows them."""


def one_line(text: str, limit: int = 300) -> str:
    """The text on one line, cut at `limit` characters."""
    line = " ".join(text[: limit * 2].split())
    return line if len(line) <= limit and len(text) <= limit * 2 else line[: limit - 1] + "…"
