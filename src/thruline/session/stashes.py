"""What `git stash` laid aside in a session, and what became of it: taken out again, dropped, or there still.

Git's stack is of the repository, and other programs use it as well. So whatever may have taken something out did: a
`pop` that failed, one in a line that is known in part, and one behind a stash of which nobody knows whether it held
anything. What was laid aside in another repository is nobody's here.
"""

from thruline.session import parts
from thruline.session.places import resolve_folder
from thruline.session.put_back import ALL, PutBack, name_all
from thruline.session.runs import CUT, UNKNOWN, Asked, find_asked

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from thruline.session.places import Places

# What became of a stash.
KEPT, TAKEN, DROPPED = "kept", "taken", "dropped"
_PUSHING = frozenset(("push", "save"))
# What takes out, and which of its words tells what.
_TAKING = {"pop": 1, "apply": 1, "branch": 2}
# What looks at the stack, or makes a commit that stands on none.
_LOOKING = frozenset(("list", "show", "create"))
_HELP = frozenset(("--help", "-h"))
# Nobody knows which part of the work was laid aside.
_IN_PART = frozenset(("-p", "--patch", "-S", "--staged", "--pathspec-from-file"))
_KEEPING = frozenset(("-k", "--keep-index"))
_UNTRACKED = frozenset(("-u", "--include-untracked", "-a", "--all"))
# A line that nobody can read, by its words.
_TAKING_WORDS = ("stash pop", "stash apply", "stash branch", "stash store")


class Stash:
    """One stash. `back` tells what lies in it (None where nobody knows), `line` where it was made, `end` its last fate.

    `untracked` where files that git did not know went with it; `keeps` where what was staged stayed in its place too.
    """

    __slots__ = ("back", "end", "fate", "keeps", "line", "source", "untracked")

    def __init__(self, line: int, source: str) -> None:
        self.line = line
        self.source = source
        self.back: PutBack | None = None
        self.keeps = False
        self.untracked = False
        self.fate = KEPT
        self.end = 0


class Stashes:
    """Give it every command that ended, with `see`; `all` are the stashes, the oldest first."""

    __slots__ = ("_places", "_stack", "all")

    def __init__(self, places: "Places") -> None:
        self.all: list[Stash] = []
        self._stack: list[Stash] = []
        self._places = places

    def see(self, command: str, result: parts.Result, here: str, changed: "tuple[int, ...]") -> None:
        """Takes in a command that ran in the folder `here`.

        `changed` is the last line since the last commit that changed a file which git may know, and any file; else 0.
        """
        if "stash" not in command or "git" not in command or result.outcome == parts.REFUSED:
            return
        asked = find_asked(command, "git")
        if not asked and any(words in command for words in _TAKING_WORDS):
            self._take_all(result.line)
        worked = result.outcome == parts.OK
        for at, step in enumerate(asked):
            if step.verb != "stash" or self._places.is_elsewhere(step.folder, result.source, here):
                continue
            sure = worked and (step.sure or (not at and command.startswith("git stash")))
            if not _looks(step):
                self._follow(step, result, here, changed, sure=sure)
        if command.endswith(CUT):
            self._take_all(result.line)  # what it did with its stash at the end is not told

    def _follow(self, step: Asked, result: parts.Result, here: str, changed: "tuple[int, ...]", *, sure: bool) -> None:
        verb, line = _find_verb(step), result.line
        if verb in _TAKING:
            self._take(_read_number(step.plain[_TAKING[verb] :]), line, leaves=verb == "apply")
        elif verb == "drop":
            self._drop(_read_number(step.plain[1:]), line, sure=sure)
        elif verb == "clear":
            while self._stack:
                self._drop(0, line, sure=sure)
        else:
            self._push(step, verb, result, here, changed if sure else (0, 0))

    def _push(self, step: Asked, verb: str, result: parts.Result, here: str, changed: "tuple[int, ...]") -> None:
        options = _read_options(step)
        stash = Stash(result.line, result.source)
        stash.keeps = not options.isdisjoint(_KEEPING)
        stash.untracked = not options.isdisjoint(_UNTRACKED)
        place = resolve_folder(here, step.folder) if here or step.folder else ""
        holds = self._has_changed(changed[stash.untracked])
        if holds and verb in _PUSHING and options.isdisjoint(_IN_PART) and place != UNKNOWN:
            stash.back = PutBack(place, _read_names(step, verb), led=bool(step.folder))
        self.all.append(stash)
        self._stack.append(stash)

    def _has_changed(self, line: int) -> bool:
        """Whether there was something to lay aside: with nothing changed since the last stash git makes none."""
        last = self.all[-1] if self.all else None
        back = last is not None and last.fate == TAKEN and last.back is not None
        return bool(line) and (last is None or line > last.line or back)

    def _take(self, number: int, line: int, *, leaves: bool = False) -> None:
        """Takes out the stash of this number, and all that may be meant instead where one may not be there at all."""
        if number < 0 or any(one.back is None for one in self._stack):
            self._take_all(line)
        elif number < len(self._stack):
            stash = self._stack[-1 - number]
            stash.fate, stash.end = TAKEN, line
            if not leaves:
                self._stack.remove(stash)

    def _take_all(self, line: int) -> None:
        for stash in self._stack:
            stash.fate, stash.end = TAKEN, line
        self._stack.clear()

    def _drop(self, number: int, line: int, *, sure: bool) -> None:
        if number < 0 or not sure or any(one.back is None for one in self._stack):
            self._take_all(line)
        elif number < len(self._stack):
            stash = self._stack.pop(-1 - number)
            if stash.fate == KEPT:  # what was applied is in its place, whatever becomes of the stash
                stash.fate, stash.end = DROPPED, line


def _find_verb(step: Asked) -> str:
    return "push" if not step.words or step.words[0].startswith("-") else step.words[0]


def _read_options(step: Asked) -> "frozenset[str]":
    return frozenset(option.partition("=")[0] for option in step.options)


def _looks(step: Asked) -> bool:
    """Whether it does nothing to the stack."""
    return _find_verb(step) in _LOOKING or not _HELP.isdisjoint(step.options)


def _read_names(step: Asked, verb: str) -> "tuple[str, ...]":
    words = step.words
    at = words.index("--") if "--" in words else len(words)
    named = words[at + 1 :] or ([word for word in words[:at] if not word.startswith("-")][1:] if verb == "push" else [])
    return name_all(named) if named else ALL


def _read_number(words: "list[str]") -> int:
    """Which stash is meant, from the newest on: `stash@{2}`, `2`; -1 where nobody can tell."""
    number = words[0].removeprefix("stash@{").removesuffix("}") if words else "0"
    return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else -1
