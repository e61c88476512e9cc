"""An option as plain data: what both lanes read. Click makes its own of it, the quick lane takes the value as it is.

Plain slotted classes: the quick lane cannot afford dataclasses, which cost more than the whole command may.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAG, TEXT, COUNT = "flag", "text", "count"
_LONGEST_COUNT = 9  # digits; nobody means more, and a number of thousands of digits is an error of its own


class Option:
    """One option of a command. `name` is what its value is called; of the kind COUNT it is a whole number from 0 on."""

    __slots__ = ("flag", "help", "kind", "metavar", "name")

    def __init__(self, flag: str, name: str, *, help: str, kind: str = TEXT, metavar: str = "") -> None:  # noqa: A002
        self.flag = flag
        self.name = name
        self.kind = kind
        self.help = help
        self.metavar = metavar

    @property
    def default(self) -> "bool | int | str":
        """The value where the option is not given."""
        return {FLAG: False, COUNT: 0}.get(self.kind, "")


class Declared:
    """A command as plain data. `run` gets a value for every option, by name, and `as_json`."""

    __slots__ = ("example", "help", "options", "run")

    def __init__(self, *, help: str, example: str, options: "tuple[Option, ...]", run: "Any") -> None:  # noqa: A002
        self.help = help
        self.example = example
        self.options = options
        self.run = run


def parse_plain(kind: str, text: str) -> "int | str | None":
    """The value that every parser would make of `text`; None where that takes a parser to tell."""
    if text.startswith("-"):
        return None  # another option, a stray dash, a negative number
    if kind == COUNT:
        return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_COUNT else None
    return text
