"""The command that a client runs for an event. It names no version and no environment, so it never has to change."""

import os
import shlex
import sys
from dataclasses import dataclass

from thruline.errors import Refused, UsageError
from thruline.harnesses.installing import SHARED, Line, find_installers
from thruline.layout import UserPaths

# Works as it stands in sh, bash, zsh, cmd and PowerShell 7: where there is no thruline, the shell's complaint goes to
# stderr, which clients drop when the exit status is 0.
SHARED_LINE = "thruline hook {harness} {event} || exit 0"


@dataclass(frozen=True, slots=True)
class Called:
    """What a hook command of ours calls: the stub's path, empty for the shared line, then harness and event."""

    script: str
    harness: str
    event: str


def build_line(user: UserPaths, harness: str, event: str) -> str:
    """`<state>/hook/python -I -S <state>/hook/entry.py <harness> <event>`, quoted for the shell that a client has."""
    words = [_find_program(user), "-I", "-S", user.hook_entry, harness, event]
    line = _quote_for_windows(words) if sys.platform == "win32" else shlex.join(words)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(
            "The state folder's name is not valid UTF-8, and a client's settings are.",
            where=user.state,
            next="set THRULINE_HOME to another folder",
        ) from None
    return line


def build_lines(user: UserPaths, harness: str, scope: str) -> Line:
    """From an event to its command, in settings of that scope."""
    if scope == SHARED:
        return lambda event: SHARED_LINE.format(harness=harness, event=event)
    return lambda event: build_line(user, harness, event)


def show_line(user: UserPaths, harness: str, event: str) -> str:
    """The line, for names that are checked."""
    known = {each.name: set(module.EVENTS.values()) for each, module in find_installers()}
    if harness not in known:
        raise UsageError(f'Nothing can be installed into "{harness}".', where="--show-command", next=", ".join(known))
    if event not in known[harness]:
        events = ", ".join(sorted(known[harness]))
        raise UsageError(f'{harness} has no event "{event}".', where="--show-command", next=events)
    return build_line(user, harness, event)


def parse_line(command: str) -> Called | None:
    """What a hook command calls if it is one of ours, of whatever state folder; None for everybody else's."""
    words = split_command(command)
    if words[:2] == ["thruline", "hook"] and len(words) >= 4:
        return Called("", words[2], words[3])
    if len(words) == 6 and words[1:3] == ["-I", "-S"] and words[3].replace("\\", "/").endswith("/hook/entry.py"):
        return Called(words[3], words[4], words[5])
    return None


def split_command(command: str) -> list[str]:
    """The words of a command line; none where its quotes do not close."""
    try:
        return shlex.split(command, posix=sys.platform != "win32")
    except ValueError:
        return []


def _find_program(user: UserPaths) -> str:
    if os.name != "nt":
        return user.hook_python
    try:
        with open(user.hook_python, encoding="utf-8") as file:
            return file.read().strip() or sys.executable
    except OSError:
        return sys.executable


def _quote_for_windows(words: list[str]) -> str:
    return " ".join(f'"{word}"' if os.sep in word or " " in word else word for word in words)
