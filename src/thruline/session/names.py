"""What can be a session's id: never a path, a flag, or anything else with a meaning of its own."""

_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")

TOLD = "an id has letters, digits, - and _, and does not begin with -"


def is_id(text: str) -> bool:
    """Whether `text` can be one, wherever it was read."""
    return bool(text) and text[0] != "-" and len(text) <= 255 and _SIGNS.issuperset(text)
