"""Patterns that are compiled when they are first used.

A brief's rooms have a hundred and forty; a session needs a third of them, and compiling one takes as long as finding it
a thousand times. Type checkers see `re.compile`.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    compile_later = re.compile
else:

    class compile_later:  # noqa: N801 - stands for a function
        """Has the methods of the compiled pattern, which take their places here once one was asked for."""

        def __init__(self, pattern, flags=0):
            self._source = pattern, flags

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            made = re.compile(*self._source)
            for method in ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "pattern"):
                setattr(self, method, getattr(made, method))
            return getattr(made, name)


class Signs:
    """Any sign of scripts far from ASCII, given as ranges below U+10000 (`"\u4e00-\u9fff"`); `run` so many in a row.

    A set of so many signs takes two milliseconds to compile, and most sessions have none of them, only arrows and
    dashes. So a text is asked first whether it has a sign whose code has the same upper byte.
    """

    __slots__ = ("_others", "_pattern")

    def __init__(self, *ranges: str, run: int = 1) -> None:
        uppers = [range(ord(each[0]) >> 8, (ord(each[-1]) >> 8) + 1) for each in ranges]
        self._others = bytes(set(range(256)).difference(*uppers))
        self._pattern = compile_later(f"[{''.join(ranges)}]{{{run}}}")

    def search(self, text: str) -> "re.Match[str] | None":
        """Where the first of them stands."""
        return self._pattern.search(text) if self._may_hold(text) else None

    def findall(self, text: str) -> list[str]:
        """All of them."""
        return self._pattern.findall(text) if self._may_hold(text) else []

    def _may_hold(self, text: str) -> bool:
        if text.isascii():
            return False
        uppers = text.encode("utf-16-be", "surrogatepass")[::2]
        return bool(uppers.translate(None, self._others))
