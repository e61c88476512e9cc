"""A foreign client asked and gone again: what `oneshot.py` and `drive.py` of a harness build and read.

A harness translates, in and out, and runs nothing; `engines/command.py` and `engines/drive.py` do.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from thruline.errors import NotFound
from thruline.harnesses.registry import Harness, find_program
from thruline.redact import redact

_COLOUR = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_LOOKED_AT = 4_000  # characters at the end of what was said


@dataclass(frozen=True, slots=True)
class Request:
    """What a client is asked. `folder` is empty and ours: the client works there, and notes may lie in it."""

    program: str
    prompt: str
    schema: str
    folder: str
    model: str
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """One more turn of a session of the user's own, with all that is theirs: settings, tools, hooks.

    `session` is resumed; where it is empty a new one begins, under the id `fresh` where the client lets us choose.
    `more` are arguments that the user passes to the client; `folder` is empty and ours, for what the client may leave.
    """

    program: str
    prompt: str
    session: str
    fresh: str
    folder: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A command line. `give` and `drop` are variables for the child; `files` are written into the folder first.

    `links` are names in the folder and what they lead to: a login that the client may renew while it runs.
    """

    argv: tuple[str, ...]
    stdin: str
    give: Mapping[str, str] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: its status, both streams, and the folder it worked in."""

    code: int
    stdout: str
    stderr: str
    folder: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the client answered, or in `problem` why there is none, in a word and then more."""

    text: str = ""
    problem: str = ""
    model: str = ""
    read: int = 0
    written: int = 0
    cached: int = 0
    dollars: float | None = None


def need_program(harness: Harness, env: Mapping[str, str]) -> str:
    """The client's program in PATH; NotFound, with how it is installed, where there is none."""
    program = find_program(harness.programs, env)
    if not program:
        raise NotFound(
            f"{harness.title} is not installed.",
            where=f"looked for {' or '.join(harness.programs)} in PATH",
            next=f"npm install -g {harness.npm}",
        )
    return program


def shorten(text: str, most: int = 200) -> str:
    """The end of what a program said, on one line and without secrets: the reason stands last.

    A client may name the key that was refused, and colours its words; both would reach a terminal and a log.
    """
    plain = _COLOUR.sub("", text[-_LOOKED_AT:])
    line = " ".join(redact("".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in plain)).text.split())
    return line if len(line) <= most else "…" + line[-most:]
