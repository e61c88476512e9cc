"""How a result is printed: as text for people, or as one JSON document for programs."""

from thruline.cli.terminal import escape_json, say
from thruline.errors import ThrulineError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Value = TypeVar("Value")


def show(value: "Value", as_json: bool, render: "Callable[[Value], str]") -> None:
    """Prints `value`: JSON if asked for, else what `render` makes of it."""
    say(render_json(value) if as_json else render(value).rstrip("\n"))


def render_json(value: "Any") -> str:
    """One JSON document; dataclasses, and what has `to_fields`, become objects."""
    import json  # here, as most answers are text and it is dear

    return escape_json(json.dumps(value, default=_plain, ensure_ascii=False, indent=2))


def _plain(value: "Any") -> "Any":
    if hasattr(value, "to_fields"):
        return value.to_fields()  # of a plain class, where a dataclass would cost too much
    import dataclasses

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def render_error(error: ThrulineError, as_json: bool) -> str:
    """The three parts of an error, in the form the caller asked for."""
    if not as_json:
        return str(error)
    parts = {"kind": type(error).__name__, "what": error.what, "where": error.where, "next": error.next}
    return render_json({"error": parts})
