"""An option as plain data: what both lanes read. Click makes its own of it, the quick lane takes the value as it is.

Plain slotted classes: the quick lane cannot afford dataclasses, which cost more than the whole command may.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FLAG, TEXT, COUNT = "flag", "text", "count"
_LONGEST_COUNT = 18  # digits: a machine word; a number of thousands of digits is an error of its own


class Option:
    """One option of a command. `name` is what its value is called; of the kind COUNT it is a whole number from `least`
    on. `usual` is the value where it is not given, which the help then tells."""

    __slots__ = ("flag", "help", "kind", "least", "metavar", "name", "usual")

    def __init__(
        self,
        flag: str,
        name: str,
        *,
        help: str,  # noqa: A002
        kind: str = TEXT,
        metavar: str = "",
        least: int = 0,
        usual: "int | str" = 0,
    ) -> None:
        self.flag = flag
        self.name = name
        self.kind = kind
        self.help = help
        self.metavar = metavar
        self.least = least
        self.usual = usual

    @property
    def default(self) -> "bool | int | str":
        """The value where the option is not given."""
        return False if self.kind == FLAG else self.usual or ("" if self.kind == TEXT else 0)


class Declared:
    """A command as plain data. `run` gets a value for every argument and option, by name, and `as_json`.

    `arguments` are the names of the words that must be given, in their order; `rest` is the name of all words behind
    them, where there may be any, and `rest_metavar` what the help calls those.
    """

    __slots__ = ("arguments", "example", "help", "options", "rest", "rest_metavar", "run")

    def __init__(
        self,
        *,
        help: str,  # noqa: A002
        example: str,
        options: "tuple[Option, ...]",
        run: "Any",
        arguments: "tuple[str, ...]" = (),
        rest: str = "",
        rest_metavar: str = "",
    ) -> None:
        self.help = help
        self.example = example
        self.options = options
        self.run = run
        self.arguments = arguments
        self.rest = rest
        self.rest_metavar = rest_metavar


def parse_plain(option: Option, text: str) -> "int | str | None":
    """The value that every parser would make of `text`; None where that takes a parser to tell."""
    if text.startswith("-"):
        return None  # another option, a stray dash, a negative number
    if option.kind == COUNT:
        count = int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_COUNT else -1
        return count if count >= option.least else None
    return text
