"""A foreign client opened with a prompt: what `launch.py` of a harness builds, as a line for people and for us.

A harness tells its arguments; the folder, the variables and who starts it are the same for all of them.
"""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from thruline.errors import NotFound, UsageError
from thruline.harnesses.capability import find_able, find_named, load
from thruline.harnesses.registry import HARNESSES, Harness, find_program

_PROMPT = "\0prompt\0"


@dataclass(frozen=True, slots=True)
class Launch:
    """A client to be opened: its program and words, in `folder`, without the variables in `drop`.

    `line` does the same when it is pasted into a terminal: there the prompt comes from the command that prints it.
    """

    harness: str
    argv: tuple[str, ...]
    folder: str
    drop: tuple[str, ...]
    line: str


def find_openable() -> list[Harness]:
    """The clients that can be opened with a prompt."""
    return find_able("launch")


def build_launch(name: str, prompt: str, *, folder: str, source: str, env: Mapping[str, str]) -> Launch:
    """How to open the client `name` with `prompt`; `source` is the command line that prints it."""
    harness = find_named("launch", name)
    if harness is None:
        known = next((one for one in HARNESSES if one.name == name), None)
        able = ", ".join(one.name for one in find_openable())
        if known is None:
            raise UsageError(f'No client "{name}" can be opened with a prompt.', next=f"one of {able}")
        raise UsageError(
            f"How {known.title} is opened with a prompt is not known here; these can be opened with a prompt: {able}.",
            where=name,
            next=f"thruline pickup --copy, and paste it into {known.title}",
        )
    # The variables are those of the client that we run in, whichever that is; elsewhere none of them is set.
    drop = tuple(sorted({name for one in HARNESSES for name in one.launch_env_drop if name in env}))
    program = find_program(harness.programs, env)
    words = load(harness, "launch").build_words
    shown = [_show(word, source) for word in words(_PROMPT)]
    free = ["env", *(part for name in drop for part in ("-u", name))] if drop else []
    line = f"cd {shlex.quote(folder)} && {' '.join([*free, harness.programs[0], *shown])}"
    return Launch(name, (program or harness.programs[0], *words(prompt)), folder, drop, line)


def _show(word: str, source: str) -> str:
    before, told, _ = word.partition(_PROMPT)
    if not told:
        return shlex.quote(word)
    return (shlex.quote(before) if before else "") + f'"$({source})"'


def check_installed(launch: Launch) -> None:
    """NotFound where the client's program is not there."""
    if os.path.isabs(launch.argv[0]):
        return
    harness = next(one for one in HARNESSES if one.name == launch.harness)
    raise NotFound(
        f"{harness.title} is not installed.",
        where=f"looked for {' or '.join(harness.programs)} in PATH",
        next=f"npm install -g {harness.npm}",
    )
