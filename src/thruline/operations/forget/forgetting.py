"""From a reference to a list of what is left of that session, and then to nothing.

The client's own files are named and never touched: they are not ours to delete.
"""

import os
from collections.abc import Collection
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.config import load_config_tolerant
from thruline.disk.faults import build_disk_error
from thruline.errors import FormatError, Refused, ThrulineError
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.transcripts import find_companions, find_transcripts, read_folder
from thruline.layout import find_project, find_user_paths
from thruline.operations.forget.family import find_holders, find_subagents
from thruline.operations.forget.loops import find_staying_loops
from thruline.operations.forget.packets import find_staying_packets
from thruline.operations.forget.resolving import resolve
from thruline.operations.forget.trace import Forgotten, Trace
from thruline.operations.forget.traces import find_traces, find_unseen, read_index_rows
from thruline.operations.sessions.copies import sweep_copies
from thruline.operations.sessions.kept import find_kept, read_kept, read_kept_head


@dataclass(frozen=True, slots=True)
class Plan:
    """What would go, of the session and of its `subagents`, which its client counts as sessions of their own.

    `theirs` are the client's own files, which stay, as do the sessions in the ark that hold a copy of it (`holders`)
    and packets and loops that git has, or that are others' as well (`staying`). `unseen` are folders that are not
    looked into.
    """

    harness: str
    session: str
    traces: tuple[Trace, ...]
    theirs: tuple[str, ...]
    damaged: str = ""
    unseen: tuple[str, ...] = ()
    subagents: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    staying: tuple[str, ...] = ()


def plan_forget(ref: str) -> Plan:
    """What there is of the session that `ref` (an id, a prefix of one, or the path of its transcript) names."""
    harness, session_id = resolve(ref)
    known = next(each for each in HARNESSES if each.name == harness)
    sessions = [
        found
        for _, found in find_transcripts(dict(os.environ), os.path.expanduser("~"), harness)
        if found.kind == "session"
    ]
    theirs = [found for found in sessions if found.session_id == session_id]
    entry, damaged = _read_entry(harness, session_id)
    ids = dict.fromkeys([session_id, *find_subagents(known, entry, theirs)])
    entries = [found for name in ids if (found := entry if name == session_id else _read_entry(harness, name)[0])]
    if entries and not damaged:
        _check_others(harness, ids)
    paths = {found.path for found in sessions if found.session_id in ids}
    paths |= {member.path for each in entries for member in each.members}
    user = find_user_paths()
    # Where the session ran, as its transcript says and as the index still knows, and where we are.
    folders = {row.cwd for row in read_index_rows(user, paths, harness, ids)} | {os.curdir}
    folders |= {read_folder(known, found.path) for found in theirs}
    folders |= {read_kept_head(known, each).get("cwd", "") for each in entries}
    projects = {project.root: project for project in map(find_project, filter(None, folders))}
    session = Forgotten(user, tuple(projects.values()), harness, tuple(ids), tuple(entries), frozenset(paths))
    beside = {found.path for own in theirs for found in find_companions(known, own.path) if found.kind != "base"}
    traces = tuple(find_traces(session))
    return Plan(
        harness,
        session_id,
        traces,
        tuple(sorted(paths_here(paths) | {found.path for found in theirs} | beside)),
        damaged,
        tuple(find_unseen(session)),
        tuple(name for name in ids if name != session_id),
        tuple(find_holders(known, ids)),
        (*find_staying_packets(session), *find_staying_loops(session)),
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
            return entry, ""
    return None, ""


def _check_others(harness: str, session_ids: Collection[str]) -> None:
    """Raises, before anything is removed, where the session's blocks cannot be told from another's."""
    for (shelf, name), error in Ark(find_user_paths().ark).entries.find_trouble().items():
        if shelf != harness or name not in session_ids:
            raise Refused(
                "Nothing was forgotten: another session's entry in the ark cannot be read, so its blocks are unknown.",
                where=error.where,
                next=error.next
                if isinstance(error, Refused)
                else f"put it back from a backup, or thruline forget {name}",
            )
