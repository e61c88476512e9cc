"""From a reference to a list of what is left of that session, and then to nothing.

The client's own files are named and never touched: they are not ours to delete.
"""

import os
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.config import load_config_tolerant
from thruline.disk.faults import build_disk_error
from thruline.errors import FormatError, NotFound, Refused, ThrulineError, UsageError
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.transcripts import find_companions, find_transcripts, read_head
from thruline.layout import find_project, find_user_paths
from thruline.operations.forget.traces import Forgotten, Trace, find_traces, find_unseen, read_index_rows
from thruline.operations.sessions.copies import sweep_copies
from thruline.operations.sessions.kept import find_kept, find_kept_path, read_kept, read_kept_head
from thruline.operations.sessions.locate import check_id


@dataclass(frozen=True, slots=True)
class Plan:
    """What would go. `theirs` are the client's own files, which stay; `unseen` folders that are not looked into."""

    harness: str
    session: str
    traces: tuple[Trace, ...]
    theirs: tuple[str, ...]
    damaged: str = ""
    unseen: tuple[str, ...] = ()


def plan_forget(ref: str) -> Plan:
    """What there is of the session that `ref` (an id, a prefix of one, or the path of its transcript) names."""
    harness, session_id = _resolve(ref)
    theirs = [
        (known, found)
        for known, found in find_transcripts(dict(os.environ), os.path.expanduser("~"), harness)
        if found.session_id == session_id and found.kind == "session"
    ]
    entry, damaged = _read_entry(harness, session_id)
    paths = {found.path for _, found in theirs}
    paths |= {member.path for member in entry.members} if entry is not None else set()
    user = find_user_paths()
    # Where the session ran, as its transcript says and as the index still knows, and where we are.
    folders = {row.cwd for row in read_index_rows(user, paths, harness, session_id)} | {os.curdir}
    folders |= {read_head(known, found.path).get("cwd", "") for known, found in theirs}
    if entry is not None:
        known = next(each for each in HARNESSES if each.name == harness)
        folders.add(read_kept_head(known, entry).get("cwd", ""))
    projects = {project.root: project for project in map(find_project, filter(None, folders))}
    session = Forgotten(user, tuple(projects.values()), harness, session_id, entry, frozenset(paths))
    beside = {found.path for known, own in theirs for found in find_companions(known, own.path) if found.kind != "base"}
    return Plan(
        harness,
        session_id,
        tuple(find_traces(session)),
        tuple(sorted(paths_here(paths) | {found.path for _, found in theirs} | beside)),
        damaged,
        tuple(find_unseen(session)),
    )


def forget(plan: Plan) -> None:
    """Removes everything the plan lists, and what killed commands left of any session.

    One thing that cannot be removed does not keep the others, and is tried again when they are gone: on a full disk
    the ark makes the room that the index needs.
    """
    failed = [trace for trace in plan.traces if _remove(trace) is not None]
    sweep_copies()
    user = find_user_paths()
    ark = Ark(user.ark, load_config_tolerant(None, user, os.environ).disk.lock_seconds)
    failed.append(Trace("ark", user.ark, 0, ark.settle))
    errors = [error for error in map(_remove, failed) if error is not None]
    if errors:
        raise errors[0]


def _remove(trace: Trace) -> ThrulineError | None:
    try:
        trace.remove()
    except ThrulineError as error:
        return error
    except OSError as error:
        return build_disk_error(error, "forget", trace.what)
    return None


def paths_here(paths: set[str]) -> set[str]:
    """Those that exist."""
    return {path for path in paths if os.path.lexists(path)}


def _read_entry(harness: str, session_id: str) -> tuple[Entry | None, str]:
    for known, name in find_kept():
        if (known.name, name) == (harness, session_id):
            try:
                entry = read_kept(known, name)
            except FormatError as error:
                # It can no longer be read, and may still be forgotten.
                return Entry(harness, session_id, 0.0, ()), error.where
            _check_others(harness, session_id)
            return entry, ""
    return None, ""


def _check_others(harness: str, session_id: str) -> None:
    """Raises, before anything is removed, where the session's blocks cannot be told from another's."""
    for (shelf, name), error in Ark(find_user_paths().ark).entries.find_trouble().items():
        if (shelf, name) != (harness, session_id):
            raise Refused(
                "Nothing was forgotten: another session's entry in the ark cannot be read, so its blocks are unknown.",
                where=error.where,
                next=error.next
                if isinstance(error, Refused)
                else f"put it back from a backup, or thruline forget {name}",
            )


def _resolve(ref: str) -> tuple[str, str]:
    if os.sep in ref or "/" in ref or ref.endswith(".jsonl"):
        return _resolve_path(os.path.abspath(os.path.expanduser(ref)))
    if ref in ("latest", "current"):
        raise UsageError(
            f'"{ref}" names another session every time.', where="thruline forget", next="give the id or the path"
        )
    wanted = check_id(ref).lower()
    known = {(harness.name, name) for harness, name in find_kept()}
    known |= {
        (harness.name, found.session_id)
        for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~"))
        if found.kind == "session"
    }
    fitting = sorted(pair for pair in known if pair[1].lower().startswith(wanted))
    if not fitting:
        raise NotFound(
            f'No session "{ref}".', where="looked at every client and in the ark", next="thruline sessions list --all"
        )
    if len(fitting) > 1:
        names = ", ".join(name for _, name in fitting[:8])
        raise UsageError(f'"{ref}" fits {len(fitting)} sessions.', where=names, next="give more characters of the id")
    return fitting[0]


def _resolve_path(path: str) -> tuple[str, str]:
    for harness, found in find_transcripts(dict(os.environ), os.path.expanduser("~")):
        if found.path == path:
            return harness.name, found.session_id
    kept = find_kept_path(path)
    if kept is None:
        raise NotFound("No client and no ark has this file.", where=path, next="thruline sessions list --all")
    return kept[0].name, kept[1].name
