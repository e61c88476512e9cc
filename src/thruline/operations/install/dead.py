"""Whether a hook command leads nowhere: the program, or the script that an interpreter shall run, is gone.

It errs on the side of life: a command with a condition, a pipe or a substitution may well know what it does.
"""

import os
import re

from thruline.operations.install.line import split_command

_SHELL = ("&&", "||", "|", ";", "$(", "`", "<", ">", "&", "\n")
_INTERPRETERS = ("bash", "bun", "deno", "node", "perl", "python", "python3", "ruby", "sh", "zsh")
# Options of interpreters that take no word of their own and leave the next one to be the script.
_PLAIN = ("-B", "-E", "-I", "-O", "-S", "-l", "-s", "-u")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def find_dead_part(command: str, root: str, variable: str = "") -> str:
    """The path in `command` that is not there; empty where nothing is missing or nobody can say.

    `variable` is what the client calls the project's root.
    """
    if any(sign in command for sign in _SHELL):
        return ""
    words = [_expand(word, root, variable) for word in split_command(command)]
    while words and "=" in words[0].partition("/")[0]:
        words.pop(0)  # a variable set for the command alone
    if not words or any("$" in word for word in words):
        return ""  # a variable that only the client, or its user's shell, knows
    program, rest = words[0], words[1:]
    if os.path.isabs(program) and not os.path.exists(program):
        return program
    if _find_name(program) in _INTERPRETERS:
        while rest and rest[0] in _PLAIN:
            rest.pop(0)
        script = rest[0] if rest else ""
        if os.path.isabs(script) and not os.path.exists(script):
            return script
    return ""


def _find_name(program: str) -> str:
    return os.path.basename(program).removesuffix(".exe")


def _expand(word: str, root: str, variable: str) -> str:
    known = {variable: root, "HOME": os.path.expanduser("~")}
    return os.path.expanduser(_VARIABLE.sub(lambda match: known.get(match[1] or match[2], match[0]), word))
