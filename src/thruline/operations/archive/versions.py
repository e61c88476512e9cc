"""The versions of a session that the ark has: the last, and those from before its transcript was cut or rewritten."""

import os
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.ark.output import find_versions
from thruline.ark.store import Ark
from thruline.errors import NotFound, Refused
from thruline.layout import find_user_paths
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
    entry = _read_entry(located)
    found = [entry.members[0], *find_versions(entry)]
    return [
        Version(f"{entry.name}@{back}", member.mtime, member.size, member.path) for back, member in enumerate(found)
    ]


def write_back(located: Located, out: str, back: int = 0) -> dict[str, str]:
    """Writes every file that the ark has of a session into an empty folder: from the path each had to its new one."""
    entry = _read_entry(located)
    if os.path.lexists(out) and (not os.path.isdir(out) or os.listdir(out)):
        raise Refused("Nothing is overwritten: this is no empty folder.", where=out, next="give another --out")
    return Ark(find_user_paths().ark).restore(entry.shelf, entry.name, out, back=back)


def _read_entry(located: Located) -> Entry:
    entry = read_kept(located.harness, located.session_id)
    if entry is None or not entry.members:
        raise NotFound("The ark has nothing of this session.", where=located.session_id, next="thruline archive REF")
    return entry
