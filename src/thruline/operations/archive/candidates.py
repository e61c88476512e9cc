"""The sessions that could be archived, and the files of each."""

import os
from dataclasses import dataclass

from thruline.ark.entry import Source
from thruline.errors import Refused
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_companions, find_sidecars, find_transcripts
from thruline.operations.sessions.locate import Located
from thruline.session.found import Found


@dataclass(frozen=True, slots=True)
class Candidate:
    """One session: its transcript first, then copies of it elsewhere."""

    harness: Harness
    session_id: str
    files: tuple[str, ...]
    size: int
    mtime: float


def find_candidates() -> list[Candidate]:
    """Every session that a client has, the one written last first."""
    groups: dict[tuple[str, str], list[tuple[Harness, Found]]] = {}
    for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~")):
        # Seventeen empty files lay in one real folder: there is nothing in them to keep.
        if found.kind == "session" and found.size:
            groups.setdefault((harness.name, found.session_id), []).append((harness, found))
    made = []
    for (_, session_id), group in groups.items():
        group.sort(key=lambda pair: pair[1].mtime, reverse=True)
        files = tuple(found.path for _, found in group)
        size = sum(found.size for _, found in group)
        made.append(Candidate(group[0][0], session_id, files, size, group[0][1].mtime))
    return sorted(made, key=lambda each: each.mtime, reverse=True)


def build_candidate(located: Located) -> Candidate:
    """A session that was asked for by name; Refused where only the ark has it."""
    if located.originals:
        raise Refused(
            "Only the ark has this session: there is nothing left to archive.",
            where=located.shown(located.files[0]),
            next="thruline sessions show " + located.session_id,
        )
    found = [os.stat(path) for path in located.files]
    size = sum(each.st_size for each in found)
    return Candidate(located.harness, located.session_id, located.files, size, found[0].st_mtime)


def find_sources(candidate: Candidate) -> list[Source]:
    """Everything that belongs to the session, its own transcript first."""
    harness, session_id = candidate.harness, candidate.session_id
    sources = {path: Source(path, "session", session_id, grows=True) for path in candidate.files}
    for path in candidate.files:
        for found in (*find_companions(harness, path), *find_sidecars(harness, path)):
            # A subagent's lines, and a task list, bear the session's id; what it was forked from bears its own.
            grows = found.kind not in ("tasks", "sidecar")
            sources.setdefault(found.path, Source(found.path, found.kind, found.session_id, grows=grows))
    return list(sources.values())
