"""Whether a hook command leads nowhere: the program, or the script that an interpreter shall run, is gone.

It errs on the side of life: a command with a condition, a pipe or a substitution may well know what it does.
"""

import os

from thruline.operations.install.line import split_command

_SHELL = ("&&", "||", "|", ";", "$(", "`", "<", ">", "&", "\n")
_INTERPRETERS = ("bash", "bun", "deno", "node", "perl", "python", "python3", "ruby", "sh", "zsh")


def find_dead_part(command: str, root: str, variable: str = "") -> str:
    """The path in `command` that is not there; empty where nothing is missing or nobody can say.

    `variable` is what the client calls the project's root.
    """
    if any(sign in command for sign in _SHELL):
        return ""
    words = [_expand(word, root, variable) for word in split_command(command)]
    while words and "=" in words[0].partition("/")[0]:
        words.pop(0)  # a variable set for the command alone
    if not words:
        return ""
    program, rest = words[0], words[1:]
    if os.path.isabs(program) and not os.path.exists(program):
        return program
    if _find_name(program) in _INTERPRETERS:
        script = next((word for word in rest if not word.startswith("-")), "")
        if os.path.isabs(script) and not os.path.exists(script) and "-c" not in rest and "-e" not in rest:
            return script
    return ""


def _find_name(program: str) -> str:
    return os.path.basename(program).removesuffix(".exe")


def _expand(word: str, root: str, variable: str) -> str:
    # A variable that we do not know is left, and then no path is absolute.
    for name, value in ((variable, root), ("HOME", os.path.expanduser("~"))):
        if name:
            word = word.replace("${" + name + "}", value).replace("$" + name, value)
    return os.path.expanduser(word)
