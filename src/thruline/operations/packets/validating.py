"""`packet validate`: the commands that tell whether a packet's purpose is reached; run only when a person asks.

A packet comes with a repository, and a repository is not the user: its commands are shown, and nothing else happens
until somebody says so. What was seen is kept in the packet: one field, and a bullet a command in its Notes.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

from thruline.artifacts.packet import HEADINGS, NOTES, Packet, check_writable
from thruline.brief.claims.names import render_command
from thruline.child import run_line
from thruline.clock import read_clock, render_time
from thruline.errors import Refused
from thruline.layout import ProjectPaths
from thruline.operations.packets.store import change_packet, find_packet
from thruline.redact import redact

TIMEOUT = 600.0
_FIELD = "validated"
_TAIL = 2_000


@dataclass(frozen=True, slots=True)
class Result:
    """One command. `problem` is "" where it passed; `said` is the end of what it printed."""

    command: str
    problem: str
    said: str


@dataclass(frozen=True, slots=True)
class Validation:
    """The commands of a packet, and how they went; `results` is empty where none was run."""

    packet: str
    commands: tuple[str, ...]
    results: tuple[Result, ...]
    interrupted: bool = False

    @property
    def passed(self) -> bool:
        return bool(self.results) and not self.interrupted and not any(result.problem for result in self.results)


def show_validators(paths: ProjectPaths, ref: str) -> Validation:
    """The commands, none of them run."""
    packet = find_packet(paths, ref)
    return Validation(packet.id, packet.validators, ())


def run_validators(
    paths: ProjectPaths, ref: str, *, timeout: float = TIMEOUT, tell: Callable[[str], None] = lambda _line: None
) -> Validation:
    """Runs the commands in the project's root, one after another, and keeps what was seen in the packet.

    An interrupt ends the command that runs, with all its children; what was seen until then is kept.
    """
    packet = find_packet(paths, ref)
    check_writable(packet)
    if not packet.validators:
        raise Refused("The packet has no validators.", where=packet.document.path, next='add them to "validators"')
    results: list[Result] = []
    interrupted = False
    for command in packet.validators:
        tell(command)
        try:
            problem, said = run_line(command, folder=paths.root, env=os.environ, timeout=timeout)
        except KeyboardInterrupt:
            results.append(Result(command, "interrupted", ""))
            interrupted = True
            break
        results.append(Result(command, problem, redact(said[-_TAIL:]).text))
    made = Validation(packet.id, packet.validators, tuple(results), interrupted)
    change_packet(paths, packet.id, lambda now: _record(now, made))
    return made


def _record(packet: Packet, made: Validation) -> bytes:
    moment = render_time(read_clock())
    good = sum(not result.problem for result in made.results)
    rows = [f"- validated {moment}: {render_command(one.command)} {one.problem or 'passed'}" for one in made.results]
    document = packet.document.set(_FIELD, f"{moment}, {good} of {len(made.commands)} passed").set("updated_at", moment)
    text = document.read_section(NOTES, 2)
    if text is None:
        return document.add_section(NOTES, "\n".join(rows), HEADINGS, 2).render()
    # What an earlier run saw is replaced by this one; people's own notes stay.
    told = [f": {render_command(one.command)} " for one in made.results]
    kept = [
        line
        for line in text.splitlines()
        if not (line.startswith("- validated ") and any(mark in line for mark in told))
    ]
    return document.replace_section(NOTES, "\n".join([*kept, *rows]).strip("\n"), 2).render()
