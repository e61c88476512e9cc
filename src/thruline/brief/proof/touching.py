"""Whether a command that ended well may have made, changed or removed a file that it names.

A file that no edit tells of is known by such a command alone. It must be named as a whole: by a word of the command
that is its path, or ends in it; letters that happen to stand in a word name nothing.
"""

from collections.abc import Iterable

from thruline.brief.claims.stated import DELETED, GONE
from thruline.pattern import compile_later
from thruline.session.runs import only_says

_BETWEEN = compile_later(r"""[\s'"`;&|<>(){}\[\],=:]+""")
# What takes a file away, and what makes or changes one: a program, a word of one, or the last part of a call in a line
# of code (`os.remove`).
_TAKING = frozenset(("clean", "del", "delete", "-delete", "mv", "move", "remove", "Remove-Item", "rename"))
_TAKING |= {"rm", "rmdir", "rmtree", "shred", "trash", "unlink"}
_MAKING = frozenset(("apply", "awk", "cp", "dd", "ed", "install", "ln", "mkdir", "mv", "patch", "perl", "sed", "tar"))
_MAKING |= {"tee", "touch", "truncate", "unzip"}
_LAST = compile_later(r"[./\\]")


class Touching:
    """Give it every command that ended well, with `see`; `has` tells of the names that it was asked to look for."""

    def __init__(self, names: Iterable[str]) -> None:
        named = set(names) - {""}
        self._whole = {name for name in named if not _BETWEEN.search(name)}
        # Of one with a blank or a sign a command has several words.
        self._broken = named - self._whole
        self._made: set[str] = set()
        self._taken: set[str] = set()

    def see(self, command: str) -> None:
        """Takes in a command."""
        if not self._whole and not self._broken:
            return
        words = [word for word in _BETWEEN.split(command) if word]
        found = {name for name in self._broken if name in command}
        found |= {name for word in words[1:] for name in _find_ends(word) if name in self._whole}
        found -= self._made & self._taken
        if not found or (only_says(command) and ">" not in command):
            return
        verbs = {_LAST.split(word)[-1] for word in words} | set(words)
        if not verbs.isdisjoint(_TAKING) and "--cached" not in words:  # git's index loses it, the folder does not
            self._taken |= found
        makes = ">" in command or not verbs.isdisjoint(_MAKING)
        # A word without a dot or a slash may be anything: a module, an option's value.
        self._made |= {name for name in found if makes or "." in name.strip(".") or "/" in name}

    def has(self, name: str, kind: str) -> bool:
        """Whether a command may have done this to the file that is called so."""
        return name in (self._taken if kind in (DELETED, GONE) else self._made)


def _find_ends(word: str) -> Iterable[str]:
    """What a word of a command may name: the path that it is, or the last parts of one."""
    path = word.replace("\\", "/").rstrip("/").removeprefix("./")
    yield path
    while "/" in path:
        path = path.partition("/")[2]
        yield path
