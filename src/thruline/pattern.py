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
