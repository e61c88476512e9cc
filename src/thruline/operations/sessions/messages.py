"""What was said in a session, by whom, word for word."""

from dataclasses import dataclass

from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.session.parts import Said


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said; `line` and `uuid` are where it stands in `file`."""

    file: str
    line: int
    uuid: str
    kind: str
    by: str
    text: str
    source: str


def read_messages(located: Located, by: str = "") -> list[Message]:
    """The messages of a session in order; `by` limits them to `human`, `agent` or `client`."""
    files = located.sources()
    return [
        Message(located.shown(files[part.source]), part.line, part.uuid, part.kind, part.by, part.text, part.source)
        for part in Reading(located, tokens=False)
        if isinstance(part, Said) and (not by or part.by == by)
    ]
