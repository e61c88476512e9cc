"""Which clients this machine has, and where each keeps its files.

A client that reads its variable in a way of its own (several folders, a second default) says so once, in its `find`;
whoever asks where a client is at home asks here, so that what is listed, installed into and examined is the same.
"""

import os

from thruline.harnesses.capability import has, load
from thruline.harnesses.registry import HARNESSES, Harness, find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Installed:
    """A harness that was found: its program in PATH ("" if it is not), the folders of its that are there, or both."""

    __slots__ = ("harness", "homes", "program")

    def __init__(self, harness: Harness, program: str, homes: "tuple[str, ...]") -> None:
        self.harness = harness
        self.program = program
        self.homes = homes


def find_homes(harness: Harness, env: "Mapping[str, str]", user_home: str) -> "list[str]":
    """Where `harness` keeps its files, whether or not they exist; never nothing."""
    if has(harness, "find") and hasattr(find := load(harness, "find"), "find_homes"):
        return list(find.find_homes(dict(env), user_home))
    moved = env.get(harness.home_variable, "") if harness.home_variable else ""
    if moved:
        return [os.path.join(moved, harness.home_below) if harness.home_below else moved]
    return [os.path.join(user_home, *harness.home.split("/"))]


def find_installed(env: "Mapping[str, str]", user_home: str) -> "list[Installed]":
    """The harnesses of this machine, in the table's order. Looks at names only: no file of theirs is opened."""
    found = []
    for harness in HARNESSES:
        program = find_program(harness.programs, env)
        homes = tuple([home for home in find_homes(harness, env, user_home) if os.path.isdir(home)])
        if program or homes:
            found.append(Installed(harness, program, homes))
    return found
