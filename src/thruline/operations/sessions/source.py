"""The transcripts that a brief was made from, found again when it is read."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thruline.ark.output import find_versions
from thruline.brief.section import Source
from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import open_reader, recognise
from thruline.operations.sessions.describe import is_same
from thruline.operations.sessions.in_ark import locate_version
from thruline.operations.sessions.kept import read_kept
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.measure import digest_file
from thruline.session.parts import Part


@dataclass(frozen=True, slots=True)
class FoundSources:
    """A brief's session on this machine. `notes` say what moved, changed or is missing.

    `changed` tells what its line in the Sources says otherwise, where everything else there is true of the file.
    """

    located: Located | None
    labels: dict[str, str]
    notes: tuple[str, ...]
    changed: str = ""


def find_sources(sources: Sequence[Source], *, folder: str, session: str = "") -> FoundSources:
    """The session that `sources` describe: where it was, or wherever its id is found; `session` overrides both."""
    own = next((source for source in sources if not source.label), None)
    notes: list[str] = []
    changed = ""
    located = _find_session(own, folder, session, notes)
    if located is None:
        return FoundSources(None, {}, tuple(notes))
    if own is not None and own.digest and not is_same(own, located.files[0]):
        path = located.shown(located.files[0])
        before = _find_version(own, located)
        if before is not None:
            located = before
            notes.append(f"{path} changed since: it was read as the ark has it from then")
        else:
            notes.append(f"{path} is not the file that this was made from, as it was then")
            changed = _find_changed(own, located.files[0])
    return FoundSources(located, _find_labels(sources, located), tuple(notes), changed)


def _find_changed(own: Source, path: str) -> str:
    """Which of a file's size and digest is not its own while the other is: the brief was changed then, not the file."""
    size = os.path.getsize(path)
    if size == own.size:
        return "that is not the digest of the file, which has that many bytes and all that is quoted"
    return "the file has another size, and that digest" if digest_file(path, size) == own.digest else ""


def _find_version(own: Source, located: Located) -> Located | None:
    """The session as the ark has it from when `own` was described; None where it has not."""
    try:
        entry = read_kept(located.harness, located.session_id)
        for back, member in enumerate([entry.members[0], *find_versions(entry)] if entry is not None else ()):
            if member.size >= own.size:
                before = locate_version(located, back)
                if is_same(own, before.files[0]):
                    return before
    except ThrulineError:
        pass  # `doctor` tells of a damaged entry
    return None


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
    elif not session:
        notes.append("what only the transcript proves was not checked: --session PATH tells where it is now")
    return None


def _find_labels(sources: Sequence[Source], located: Located) -> dict[str, str]:
    # New subagents may have changed the numbers since: a brief's own list decides, by path, then by file name.
    here = located.sources()
    by_name = {os.path.basename(path): path for path in here.values()}
    labels = {}
    for source in sources:
        if source.label:
            found = [source.path, by_name.get(os.path.basename(source.path), ""), here.get(source.label, "")]
            found = [path for path in found if os.path.isfile(path)]
            # One that was cut or rewritten since is the last choice: the ark may have it as it was.
            same = [path for path in found if not source.digest or is_same(source, path)]
            labels[source.label] = next(iter(same or _find_kept(source, located) or found), "")
    return {label: path for label, path in (here | labels).items() if path}


def _find_kept(source: Source, located: Located) -> list[str]:
    """A copy, out of the ark, of another file of the session as it was when `source` was described."""
    try:
        kept = locate_version(located, 0).originals
    except ThrulineError:
        return []
    return [copy for copy, path in kept.items() if path == source.path and is_same(source, copy)]


def read_others(located: Located, labels: dict[str, str], wanted: set[str]) -> Iterator[Part]:
    """The parts of the files beside the session's own whose labels are wanted."""
    agents = {found.path for found in located.companions if found.kind == "subagent"}
    for label in sorted(wanted - {""}):
        path = labels.get(label, "")
        if path in agents:
            yield from open_reader(located.harness, path, label=label)
        elif path and path not in located.sources().values():
            # Of a merged packet: another session, maybe of another client.
            yield from open_reader(recognise(path), path, label=label)
