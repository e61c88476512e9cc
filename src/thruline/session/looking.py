"""Whether a command line only looks: then it changed no file, whatever it printed.

Errs on the side of change: a program that is not known to look may write anything.
"""

from thruline.session.runs import SAYING, SHOWING, Run, find_runs

_OTHERS = (
    "stat file du df date whoami hostname uname ps diff cmp jq cut tr basename dirname realpath readlink sleep "
    "test [ nl tac sha256sum md5sum printenv id column comm"
)
_LOOKING = SAYING | SHOWING | frozenset(_OTHERS.split())
# What git shows, or brings into no file; a branch or a remote is no file of the project either.
_VERBS = (
    "status log diff show branch remote rev-parse rev-list blame ls-files ls-tree grep describe shortlog fetch "
    "cat-file reflog tag push"
)
_SHOWN = frozenset(_VERBS.split())
# Options with which a program that looks writes, and letters that do so among short options (`sed -Ei`, `sort -uo f`).
_WRITING = {
    "find": ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"),
    "sed": ("--i", "--file"),
    "sort": ("--o",),
    "less": ("--log", "--LOG"),
    "git": ("--output",),
}
_LETTERS = {"sed": "if", "sort": "o", "less": "oO"}
# In a script of sed: write to a file, or run what stands there.
_SCRIPTED = frozenset("we")
# It writes, or runs something out of sight.
_HIDING = (">", "$(", "`")
_NOWHERE = ("2>&1", "1>&2", ">&2", "&>/dev/null", "> /dev/null", ">/dev/null")


def may_write(command: str) -> bool:
    """Whether a command line may have changed a file, also where it cannot be read."""
    plain = command
    for words in _NOWHERE:
        plain = plain.replace(words, " ")
    runs = find_runs(command)
    return not runs or any(sign in plain for sign in _HIDING) or any(may_write_by(run) for run in runs)


def may_write_by(run: Run) -> bool:
    """Whether a program may have changed a file, called with these words."""
    program = run.program
    options = [word for word in run.words if word.startswith("-")]
    if any(word.startswith(_WRITING.get(program, ("\n",))) for word in options):
        return True
    letters = frozenset(_LETTERS.get(program, ""))
    if any(not word.startswith("--") and not letters.isdisjoint(word) for word in options):
        return True
    if program == "git":
        verb = next((word for word in run.words if not word.startswith("-")), "")
        return verb not in _SHOWN
    if program == "sed":
        return any(_writes(script) for script in _find_scripts(run.words))
    if program == "uniq":  # the second name is what it writes
        return len(run.words) - len(options) > 1
    return program not in _LOOKING and program not in _WRITING


def _find_scripts(words: "list[str]") -> "list[str]":
    """The scripts of sed: behind `-e`, or the first word that is no option."""
    given = [word for at, word in enumerate(words) if at and words[at - 1].startswith("-") and words[at - 1][-1] == "e"]
    given += [word for word in words if word.startswith("--expression")]
    return given or [word for word in words if not word.startswith("-")][:1]


def _writes(script: str) -> bool:
    """Whether a script of sed may end in a file: `s/a/b/w f`, `/a/wf`; a file's name ends the line."""
    mark = script[1:2] if script.startswith("s") else "/"
    return "w " in script or not _SCRIPTED.isdisjoint(script.rpartition(mark or "/")[2])
