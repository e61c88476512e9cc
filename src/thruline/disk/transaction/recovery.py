"""What an opener does before it reads or writes: nothing, after a clean end; else it finishes what others began."""

import atexit
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from thruline.disk.faults import build_disk_error
from thruline.disk.leftovers import is_temp_name
from thruline.disk.lock import TIMEOUT
from thruline.disk.temps import remove_quietly
from thruline.disk.transaction.entry import Entry, FileChange, Journal
from thruline.disk.transaction.mount import is_shared
from thruline.disk.transaction.place import Recovered, find_places, make_durable, replay
from thruline.disk.transaction.roots import (
    find_named,
    find_pointers,
    lock_all,
    prepare,
    read_pointer,
    read_state,
    write_state,
)
from thruline.disk.transaction.seal import make_key
from thruline.disk.transaction.sheet import Sheets
from thruline.disk.transaction.table import Table
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths

# Entries wait until this many are there: one round of syncs for all of them, not one for each.
BATCH = 16

_unsettled: dict[str, ProjectPaths] = {}


def open_journals(project: ProjectPaths, kind: str | None) -> list[Journal]:
    """The journals that may hold entries of `project`; the first is the one to add to."""
    sheets = Sheets(project.journal)
    if kind == "sheet" or (kind is None and is_shared(project.journal)):
        return [sheets]
    # Sheets too: a guest that sees this folder through a shared mount writes those.
    return [Table(project.journal), sheets]


@contextmanager
def hold_clean(
    projects: list[ProjectPaths], *, kind: str | None = None, timeout: float = TIMEOUT
) -> Iterator[list[Recovered]]:
    """Holds the locks of `projects`, with nothing unfinished in any; gives what had to be recovered first."""
    for project in projects:
        prepare(project)
    with lock_all(projects, timeout=timeout):
        states = [read_state(project) for project in projects]
        if all(state.clean and state.waiting < BATCH for state in states):
            yield []
            return
    with hold_recovered(projects, kind=kind, timeout=timeout) as found:
        yield found


def recover(project: ProjectPaths, *, kind: str | None = None, timeout: float = TIMEOUT) -> list[Recovered]:
    """Finishes every change that was broken off in `project` or points to it, and clears its journal."""
    if not os.path.isdir(project.journal):
        return []
    with hold_recovered([project], kind=kind, timeout=timeout, close=True) as found:
        return found


def settle(project: ProjectPaths, *, kind: str | None = None, timeout: float = TIMEOUT) -> None:
    """Makes what was changed durable in its files and clears the journal; done at exit and every few changes anyway."""
    recover(project, kind=kind, timeout=timeout)


@contextmanager
def hold_recovered(
    projects: list[ProjectPaths], *, kind: str | None = None, timeout: float = TIMEOUT, close: bool = False
) -> Iterator[list[Recovered]]:
    """The same, whatever the marks say; with `close`, no file of a journal but the lock stays open.

    The locks are not let go in between: where no mark is believed, nobody could tell that all is well a moment later.
    """
    # An entry may touch other projects, and those have journals of their own: the circle grows until it is closed.
    group = {project.journal: project for project in projects}
    while True:
        for project in group.values():
            prepare(project)
        with lock_all(list(group.values()), timeout=timeout):
            for project in group.values():
                _sweep(project)
            more = {other.journal: other for project in group.values() for other in _find_linked(project, kind)}
            if more.keys() <= group.keys():
                found = recover_locked(list(group.values()), kind)
                for project in group.values() if close else ():
                    for journal in open_journals(project, kind):
                        journal.close()
                yield found
                return
        group = {**more, **group}


def _sweep(project: ProjectPaths) -> None:
    # We hold the lock: nobody is writing here, so every temporary file is of someone who died.
    for name in os.listdir(project.journal):
        if is_temp_name(name):
            remove_quietly(os.path.join(project.journal, name))


def _find_linked(project: ProjectPaths, kind: str | None) -> list[ProjectPaths]:
    linked = [read_pointer(path, make_key()) for path in find_pointers(project)]
    for journal in open_journals(project, kind):
        linked += [find_named(root, project.journal) for entry in journal.read() for root in entry.roots[1:]]
    return linked


def recover_locked(projects: list[ProjectPaths], kind: str | None, *, in_place: bool = False) -> list[Recovered]:
    """The same for `projects` whose locks are held, and which no entry links to any other.

    `in_place`: the caller knows that every file got its content, so what differs was edited since.
    """
    open_entries: list[tuple[Entry, ProjectPaths, Journal]] = []
    for project in projects:
        for journal in open_journals(project, kind):
            open_entries += [(entry, project, journal) for entry in journal.read()]
    open_entries.sort(key=lambda each: each[0].id)
    files: dict[str, list[FileChange]] = defaultdict(list)
    keep_in: dict[str, str] = {}
    followed: dict[str, str] = {}
    for entry, holder, _ in open_entries:
        for each, path in zip(entry.files, find_places(entry, holder, holder.journal, followed), strict=True):
            files[path].append(each)
            keep_in[path] = holder.journal
    states = [read_state(project) for project in projects]
    found: list[Recovered] = []
    if not in_place and not all(state.clean for state in states):
        same_boot = all(state.same_boot for state in states)
        found = [replay(path, changes, same_boot=same_boot, keep_in=keep_in[path]) for path, changes in files.items()]
    make_durable(files)
    try:
        _forget(projects, open_entries)
    except OSError as error:
        raise build_disk_error(error, "clear the journal of", projects[0].journal) from None
    return found


def _forget(projects: list[ProjectPaths], entries: list[tuple[Entry, ProjectPaths, Journal]]) -> None:
    by_journal: dict[int, tuple[Journal, list[int]]] = {}
    for entry, _, journal in entries:
        by_journal.setdefault(id(journal), (journal, []))[1].append(entry.id)
    # Those whose newest entry is the oldest go first: what is left, should we die here, still ends in today's files.
    for journal, ids in sorted(by_journal.values(), key=lambda each: each[1][-1]):
        journal.remove(ids)
    # Pointers last: one without its entry is harmless, an entry that nobody points to is not.
    for project in projects:
        for path in find_pointers(project):
            os.unlink(path)
        write_state(project, clean=True, waiting=0, last=max([0, *(entry.id for entry, _, _ in entries)]))
        _unsettled.pop(project.journal, None)


def remember_unsettled(project: ProjectPaths) -> None:
    """Has `project` settled when this process ends."""
    _unsettled[project.journal] = project


@atexit.register
def _settle_at_exit() -> None:
    # Whoever comes next would do it too; nobody should wait for it, or hear of it, here.
    for project in list(_unsettled.values()):
        try:
            settle(project, timeout=0.0)
        except (ThrulineError, OSError):
            pass


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unsettled.clear)
