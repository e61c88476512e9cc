"""A value of a foreign record taken as what it should be, or as nothing: no record may break a reader."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def as_dict(value: "Any") -> "dict[str, Any]":
    """The value where it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: "Any") -> "list[dict[str, Any]]":
    """The objects of the value where it is a list; else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_text(value: "Any") -> str:
    """The value where it is a text; else an empty one."""
    return value if isinstance(value, str) else ""


def as_number(value: "Any") -> int:
    """The value where it is a whole number; else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
