"""What a client's `install.py` says, and the shape that most of their hook settings share.

A client joins by having `install.py` in its folder. It only names things: which files, which keys, which texts.
Reading, asking and writing are the operation's, so no client's module touches a disk.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from thruline.harnesses.capability import find_able, load
from thruline.harnesses.launching import find_openable
from thruline.harnesses.registry import Harness
from thruline.roster import Entry

USER, PROJECT, SHARED = "user", "project", "shared"
SCOPES = (USER, PROJECT, SHARED)

Line = Callable[[str], str]  # from one of our events to the command that a client runs for it


@dataclass(frozen=True, slots=True)
class Surface:
    """Where an installation goes: the user's variables and home, the project's root, a folder for what is rendered."""

    env: Mapping[str, str]
    home: str
    root: str
    plugin: str


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that a settings file shall hold: `value` at `at`, or as an item of the list there.

    `slot` is a place that only one can have: what stands there is kept in the record, and put back in the end. Ours
    takes the keys over that it does not set itself.
    """

    at: tuple[str, ...]
    value: Any
    listed: bool = False
    slot: bool = False


@dataclass(frozen=True, slots=True)
class Handler:
    """One hook command in a settings file: its client's event, its place there and the words it runs."""

    event: str
    group: int
    index: int
    command: str
    entry: Mapping[str, Any]
    matcher: str = ""

    @property
    def at(self) -> tuple[str | int, ...]:
        return ("hooks", self.event, self.group, "hooks", self.index)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a client's own settings mean for us. `broken` is worse than a note."""

    what: str
    fix: str
    broken: bool = False


def find_installers(names: Sequence[str] = ()) -> list[tuple[Harness, ModuleType]]:
    """The clients that we can install into, or those of them that are named, with their modules."""
    return [
        (harness, load(harness, "install")) for harness in find_able("install") if not names or harness.name in names
    ]


def build_hook_wishes(events: Mapping[str, str], line: Line, timeouts: Mapping[str, int], timeout: int) -> list[Wish]:
    """A command for each event, in the table that several clients share: `hooks.<Event>[].hooks[]`."""
    return [
        Wish(
            ("hooks", theirs),
            {"hooks": [{"type": "command", "command": line(ours), "timeout": timeouts.get(theirs, timeout)}]},
            listed=True,
        )
        for theirs, ours in events.items()
    ]


def take_table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The table under `key`; an empty one where something else stands there."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def find_handlers(settings: Any) -> list[Handler]:
    """Every hook command in that table; whatever has another shape is passed over."""
    table = settings.get("hooks") if isinstance(settings, dict) else None
    found = []
    for event, groups in table.items() if isinstance(table, dict) else ():
        for group, each in enumerate(groups if isinstance(groups, list) else ()):
            entries = each.get("hooks") if isinstance(each, dict) else None
            for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, dict) and isinstance(entry.get("command"), str):
                    matcher = each.get("matcher")
                    found.append(
                        Handler(
                            event, group, index, entry["command"], entry, matcher if isinstance(matcher, str) else ""
                        )
                    )
    return found


def render_skill(entry: Entry, name: str) -> str:
    """The entry as a SKILL.md that every client with skills reads. `name` is that of its folder."""
    said = ""
    if "${ARGUMENTS}" in entry.body:
        said = "ARGUMENTS stands for what the user wrote behind the name of this skill; without any, leave it out.\n\n"
    body = fill_body(entry, arguments="ARGUMENTS", session="")
    return f"---\nname: {name}\ndescription: {quote(entry.description)}\n---\n{said}{body}"


def fill_body(entry: Entry, *, arguments: str, session: str) -> str:
    """The text of a command or a skill, with its holes filled for one client."""
    names = ", ".join(each.name for each in find_openable())
    body = entry.body.replace("${ARGUMENTS}", arguments).replace("${SESSION}", session)
    return body.replace("${HARNESSES}", names)


def quote(text: str) -> str:
    """`text` in double quotes, as YAML and JSON read it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
