"""The versions of a session that the ark has: the last, and those from before its transcript was cut or rewritten."""

from dataclasses import dataclass

from thruline.ark.output import find_versions
from thruline.errors import NotFound
from thruline.operations.sessions.kept import read_kept
from thruline.operations.sessions.locate import Located


@dataclass(frozen=True, slots=True)
class Version:
    """One of them. `ref` names it in every command; `written` is when the client last wrote it, in seconds."""

    ref: str
    written: float
    size: int
    path: str


def list_versions(located: Located) -> list[Version]:
    """What the ark has of a session's own transcript, the last version first."""
    entry = read_kept(located.harness, located.session_id)
    if entry is None or not entry.members:
        raise NotFound("The ark has nothing of this session.", where=located.session_id, next="thruline archive REF")
    found = [entry.members[0], *find_versions(entry)]
    return [
        Version(f"{entry.name}@{back}", member.mtime, member.size, member.path) for back, member in enumerate(found)
    ]
