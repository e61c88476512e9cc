"""The sessions that could be archived, and the files of each."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from thruline.ark.entry import Source
from thruline.errors import Refused
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import (
    describe_stored,
    find_companions,
    find_sidecars,
    find_transcripts,
    is_stored,
    read_copying,
    read_lines,
)
from thruline.operations.sessions.locate import Located
from thruline.session.found import Found

PACKED = "Its client compressed it; unpack it beside itself (zstd -d), and it will be taken."
LEADS_OUT = "This is a link that leads out of the client's folder; the ark does not take it."


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
    for harness, found in _find_all():
        if found.kind == "session" and has_content(harness, found):
            groups.setdefault((harness.name, found.session_id), []).append((harness, found))
    made = []
    for (_, session_id), group in groups.items():
        group.sort(key=lambda pair: pair[1].mtime, reverse=True)
        files = tuple(found.path for _, found in group)
        size = sum(found.size for _, found in group)
        made.append(Candidate(group[0][0], session_id, files, size, group[0][1].mtime))
    return sorted(made, key=lambda each: each.mtime, reverse=True)


def _find_all() -> Iterable[tuple[Harness, Found]]:
    return find_transcripts(dict(os.environ), os.path.expanduser("~"))


def find_packed() -> list[str]:
    """The transcripts that a client has compressed: nothing reads them, so nothing could point into a copy."""
    return [found.path for _, found in _find_all() if found.kind == "packed"]


def build_candidate(located: Located) -> Candidate:
    """A session that was asked for by name; Refused where only the ark has it."""
    if located.only_kept:
        raise Refused(
            "Only the ark has this session: there is nothing left to archive.",
            where=located.shown(located.files[0]),
            next="thruline sessions show " + located.session_id,
        )
    files = tuple(located.shown(path) for path in located.files)
    found = [_describe(located.harness, path) for path in files]
    return Candidate(located.harness, located.session_id, files, sum(each.size for each in found), found[0].mtime)


def _describe(harness: Harness, path: str) -> Found:
    if is_place(harness, path):
        return describe_stored(harness, path)
    status = os.stat(path)
    return Found(path, "", status.st_size, status.st_mtime)


def is_place(harness: Harness, path: str) -> bool:
    """Whether the path names a session in a client's store, and no file: what is kept are its canonical lines."""
    return is_stored(harness, path) and not os.path.lexists(path)


def has_content(harness: Harness, found: Found) -> bool:
    """Whether there is something to keep of a session. Of an empty one there may be: what its subagents did."""
    if found.size:
        return True
    # Seventeen empty files lay in one real folder, with nothing beside them.
    return is_name(found.session_id) and any(each.size for each in find_companions(harness, found.path))


def is_name(session_id: str) -> bool:
    """Whether an id names something. The file `...jsonl` would have the id `..`, and every file above belong to it."""
    return bool(session_id.strip("."))


def find_sources(candidate: Candidate) -> tuple[list[Source], list[str]]:
    """Everything that belongs to the session, its own transcript first; and files that links lead out to, not taken."""
    harness, session_id = candidate.harness, candidate.session_id
    if not is_name(session_id):
        raise Refused("A file of this name is no session.", where=candidate.files[0], next="give the file another")
    if _leads_out(candidate.files[0], candidate.files[0]):
        raise Refused(LEADS_OUT, where=candidate.files[0], next="archive the file it leads to")
    sources = {path: _build_source(harness, path, "session", session_id) for path in candidate.files}
    refused = [path for path in candidate.files if _leads_out(path, path)]
    for path in candidate.files:
        for found in (*find_companions(harness, path), *find_sidecars(harness, path)):
            # A subagent's lines, and a task list, bear the session's id; what it was forked from bears its own.
            sources.setdefault(found.path, _build_source(harness, found.path, found.kind, found.session_id))
            if _leads_out(found.path, path):
                refused.append(found.path)
    return [source for path, source in sources.items() if path not in refused], sorted(set(refused))


def _build_source(harness: Harness, path: str, kind: str, session_id: str) -> Source:
    grows = kind not in ("tasks", "sidecar")
    if is_place(harness, path):
        read = partial(read_lines, harness, path)
        changed = describe_stored(harness, path).mtime
        changed_ns = round(changed * 1000) * 10**6
        return Source(path, kind, session_id, grows, read=read, changed_ns=changed_ns, store=_find_file(path))
    mark, key = read_copying(harness, path) if kind == "session" else ("", "")
    return Source(path, kind, session_id, grows, mark, key)


def _find_file(path: str) -> str:
    """The file that is read for a path: the one that is there, or the store that the path leads into."""
    while not os.path.lexists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def _leads_out(path: str, transcript: str) -> bool:
    """Whether links below the folder that both lie in lead to a file that is not the client's."""
    path, transcript = _find_file(path), _find_file(transcript)
    folder = os.path.dirname(transcript)
    # projects/<folder>/<session>.jsonl: two more up is everything of the client. A folder of transcripts that is
    # itself a link is where the user put it.
    roots = [os.path.realpath(folder), os.path.realpath(os.path.dirname(os.path.dirname(folder)))]
    stop = os.path.commonpath([path, folder])
    here = path
    while len(here) > len(stop):
        if os.path.islink(here):
            real = os.path.realpath(path)
            return not any(os.path.commonpath([real, root]) == root for root in roots)
        here = os.path.dirname(here)
    return False
