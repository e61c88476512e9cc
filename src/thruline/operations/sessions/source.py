"""The transcripts that a brief was made from: described when it is made, found again when it is read."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from thruline.brief.section import Source
from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import open_reader, recognise
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.reading import Reading
from thruline.session.parts import Part

_SAMPLE = 64 << 10


@dataclass(frozen=True, slots=True)
class FoundSources:
    """A brief's session on this machine. `notes` say what moved, changed or is missing."""

    located: Located | None
    labels: dict[str, str]
    notes: tuple[str, ...]


def describe_sources(
    located: Located, *, session: str, leaf: str, labels: Sequence[str] = (), project: str = ""
) -> tuple[Source, ...]:
    """The session's own file, and those of `labels` (subagents, copies) that a brief points into."""
    files = located.sources()
    own = _describe(located, files[""])
    own = replace(own, session=session or located.session_id, harness=located.harness.name, leaf=leaf, project=project)
    others = [
        replace(_describe(located, files[label]), label=label)
        for label in sorted(set(labels))
        if label in files and label
    ]
    return own, *others


def _describe(located: Located, path: str) -> Source:
    size = os.path.getsize(path)
    return Source(path=located.shown(path), size=size, digest=digest_file(path, size))


def digest_file(path: str, size: int) -> str:
    """What tells this file from another, of its first `size` bytes: their two ends, and how many they are."""
    digest = hashlib.sha256(str(size).encode())
    with open(path, "rb") as file:
        digest.update(file.read(min(size, _SAMPLE)))
        file.seek(max(0, size - _SAMPLE))
        digest.update(file.read(min(size, _SAMPLE)))
    return digest.hexdigest()[:16]


def find_sources(sources: Sequence[Source], *, folder: str, session: str = "") -> FoundSources:
    """The session that `sources` describe: where it was, or wherever its id is found; `session` overrides both."""
    own = next((source for source in sources if not source.label), None)
    notes: list[str] = []
    located = _find_session(own, folder, session, notes)
    if located is None:
        return FoundSources(None, {}, tuple(notes))
    if own is not None and own.digest and not _is_same(own, located.files[0]):
        notes.append(f"{located.shown(located.files[0])} is not the file that this was made from, as it was then")
    return FoundSources(located, _find_labels(sources, located), tuple(notes))


def _find_session(own: Source | None, folder: str, session: str, notes: list[str]) -> Located | None:
    refs = [session] if session else [ref for ref in (own.path, own.session) if ref] if own else []
    for ref in refs:
        try:
            located = locate(ref, folder=folder)
        except ThrulineError as error:
            notes.append(f"{ref}: {error.what}")
            continue
        if notes:
            notes.append(f"found in {located.shown(located.files[0])}")
        return located
    if not refs:
        notes.append("no Sources in the file; give --session")
    return None


def _is_same(source: Source, path: str) -> bool:
    try:
        return os.path.getsize(path) >= source.size and digest_file(path, source.size) == source.digest
    except OSError:
        return False


def _find_labels(sources: Sequence[Source], located: Located) -> dict[str, str]:
    # New subagents may have changed the numbers since: a brief's own list decides, by path, then by file name.
    here = located.sources()
    by_name = {os.path.basename(path): path for path in here.values()}
    labels = {}
    for source in sources:
        if source.label:
            path = source.path if os.path.isfile(source.path) else by_name.get(os.path.basename(source.path), "")
            labels[source.label] = path or here.get(source.label, "")
    return {label: path for label, path in (here | labels).items() if path}


def read_parts(located: Located, labels: dict[str, str], wanted: set[str]) -> Iterator[Part]:
    """The session's parts, and those of the other files whose labels are wanted."""
    yield from Reading(located)
    agents = {found.path for found in located.companions if found.kind == "subagent"}
    for label in sorted(wanted - {""}):
        path = labels.get(label, "")
        if path in agents:
            yield from open_reader(located.harness, path, label=label)
        elif path and path not in located.sources().values():
            # Of a merged packet: another session, maybe of another client.
            yield from open_reader(recognise(path), path, label=label)
