"""One file of the roster, as a value."""

import os
from dataclasses import dataclass

from thruline.artifacts.frontmatter import parse_document
from thruline.disk.atomic import read_bytes
from thruline.errors import FormatError

KINDS = ("commands", "agents", "skills")
FOLDER = os.path.dirname(os.path.abspath(__file__))


@dataclass(frozen=True, slots=True)
class Entry:
    """A command, an agent or a skill. Each of `arguments` is `HINT: what it is`; without `tools` it may use all.

    In `body` stand holes: `${ARGUMENTS}` for what the user wrote behind the name, `${SESSION}` for an option that names
    the running session, with a blank before it, `${HARNESSES}` for the clients that can be opened. `prompt`
    names the prompt that fills `${PROMPT}` of an agent.
    """

    kind: str
    name: str
    description: str
    arguments: tuple[str, ...]
    tools: tuple[str, ...]
    model: str
    body: str
    prompt: str = ""

    @property
    def hint(self) -> str:
        """The arguments as a client shows them while one types."""
        return " ".join(each.partition(":")[0] for each in self.arguments)


def read_roster(folder: str = FOLDER) -> list[Entry]:
    """Every entry that ships with this version, by kind and name."""
    return [parse_entry(read_bytes(path), path) for path in find_entries(folder)]


def find_entries(folder: str = FOLDER) -> list[str]:
    """The files of the roster."""
    found = []
    for kind in KINDS:
        place = os.path.join(folder, kind)
        names = sorted(os.listdir(place)) if os.path.isdir(place) else []
        found += [os.path.join(place, name) for name in names if name.endswith(".md")]
    return found


def parse_entry(data: bytes, path: str) -> Entry:
    """The entry that a file holds; its kind is the folder it lies in."""
    document = parse_document(data, path)
    name, description = document.get("name"), document.get("description")
    if not isinstance(name, str) or not isinstance(description, str):
        raise FormatError("An entry of the roster needs name and description.", path=path, line=1, next="add them")
    return Entry(
        kind=os.path.basename(os.path.dirname(path)),
        name=name,
        description=description,
        arguments=_read_list(document.get("arguments")),
        tools=_read_list(document.get("tools")),
        model=str(document.get("model") or ""),
        body=document.body.decode("utf-8").strip() + "\n",
        prompt=str(document.get("prompt") or ""),
    )


def _read_list(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(each) for each in value)
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else ()
