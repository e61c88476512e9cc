"""`handoffs/handoff-*.md`: the brief of a session that ended, kept for the next one. Format: docs/formats/handoff.md.

A handoff waits in `handoffs/`; once the next session was told of it, it lies in `handoffs/seen/`.
"""

import os
from dataclasses import dataclass

from thruline.artifacts.frontmatter import parse_document
from thruline.errors import ThrulineError

SCHEMA = 1
SEEN = "seen"
_START, _END = "handoff-", ".md"
_KEYS = ("session", "harness", "ended_at", "branch", "title")


@dataclass(frozen=True, slots=True)
class HandoffHead:
    """What a handoff says before its brief."""

    session: str
    harness: str
    ended_at: str
    branch: str = ""
    title: str = ""


def build_handoff_name(ended_at: str, taken: "set[str] | frozenset[str]" = frozenset()) -> str:
    """`handoff-YYYYMMDD-HHMMSS.md` of that moment, or of the first second after it whose name is not taken."""
    # Only here: a worker that writes no handoff needs no dates.
    from datetime import timedelta

    from thruline.clock import parse_time

    moment = parse_time(ended_at)
    while True:
        name = f"{_START}{moment:%Y%m%d-%H%M%S}{_END}"
        if name not in taken:
            return name
        moment += timedelta(seconds=1)


def is_handoff_name(name: str) -> bool:
    """Whether a file of that name is a handoff; those of agents begin with another word."""
    stamp = name.removeprefix(_START).removesuffix(_END)
    return name == f"{_START}{stamp}{_END}" and stamp.replace("-", "").isdigit()


def find_handoffs(folder: str) -> list[str]:
    """The handoffs in `folder`, newest first by their name; those already seen are not among them."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(filter(is_handoff_name, names), reverse=True)]


def render_handoff(head: HandoffHead, brief: str) -> bytes:
    """The file: front matter, then the brief as it is."""
    document = parse_document(brief.encode("utf-8", "replace"), "")
    for key, value in (("schema", SCHEMA), *((key, getattr(head, key)) for key in _KEYS)):
        document = document.set(key, value)
    return document.render()


def parse_handoff(raw: bytes, path: str) -> HandoffHead | None:
    """What a handoff says of itself; None where it is none of ours."""
    try:
        document = parse_document(raw, path)
    except ThrulineError:
        return None
    values = {key: document.get(key) for key in _KEYS}
    if not isinstance(values["session"], str) or not values["session"]:
        return None
    return HandoffHead(**{key: value if isinstance(value, str) else "" for key, value in values.items()})
