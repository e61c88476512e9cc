"""The projects a change touches: their locks, the mark that tells whether anything is open, pointers between them.

In each journal folder lie `lock`, held by one writer or several readers, and `state`, one line that a writer sets to
`busy` before its change and to `clean` after it. The line is not synced: it is believed only within the boot it was
written in, and any doubt means looking into the journal. So a reader needs no SQLite, and an opener only after a crash.
"""

import json
import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache

from thruline.disk.atomic import read_bytes, remove_quietly, sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.lock import Lock
from thruline.disk.transaction.entry import build_broken
from thruline.errors import NotFound
from thruline.layout import ProjectPaths, find_project

LOCK, STATE = "lock", "state"
POINTER_START, POINTER_END = "pointer-", ".json"


def prepare(project: ProjectPaths) -> None:
    """Makes the journal folder of `project`, for its owner alone: a journal holds what the files will hold."""
    if os.path.isdir(project.journal):
        return
    try:
        os.makedirs(os.path.dirname(project.journal), exist_ok=True)
        os.mkdir(project.journal, 0o700)
        sync_folder(os.path.dirname(project.journal))
    except FileExistsError:
        pass
    except OSError as error:
        raise build_disk_error(error, "make the folder", project.journal) from None


def lock_all(projects: list[ProjectPaths], *, timeout: float, shared: bool = False) -> ExitStack:
    """Holds the locks of all `projects`; taken in one fixed order, so that two changes never wait for each other."""
    with ExitStack() as stack:
        # By device and inode: the same for everyone, by whatever path they came.
        journals = {_identify(project.journal): project.journal for project in projects}
        for _, journal in sorted(journals.items()):
            stack.enter_context(Lock(os.path.join(journal, LOCK), timeout, shared=shared))
        return stack.pop_all()


def _identify(folder: str) -> tuple[int, int]:
    try:
        found = os.stat(folder)
    except OSError as error:
        raise build_disk_error(error, "lock", folder) from None
    return found.st_dev, found.st_ino


# --- the mark -----------------------------------------------------------------------------------------------------


@cache
def find_boot() -> str:
    """What changes when the machine starts anew; empty where the system does not tell, and then no mark is believed."""
    if not sys.platform.startswith("linux"):
        return ""
    try:
        return read_bytes("/proc/sys/kernel/random/boot_id").decode().strip()
    except Exception:
        return ""


@dataclass(frozen=True, slots=True)
class State:
    """What the last writer left: whether all files are in place, and that is sure, since it was in this boot.

    `waiting` entries are in the journal only until their files are synced; `last` is the newest id given.
    """

    clean: bool
    same_boot: bool
    waiting: int = 0
    last: int = 0


def read_state(project: ProjectPaths) -> State:
    """The mark in the journal folder; one that is missing or unreadable proves nothing."""
    try:
        words = read_bytes(os.path.join(project.journal, STATE)).decode("ascii", "replace").split()
    except NotFound:
        # Written before the first entry: without it, nothing was ever begun here.
        return State(clean=not _holds_anything(project), same_boot=True)
    if len(words) != 4 or not words[2].isdigit() or not words[3].isdigit():
        return State(clean=False, same_boot=False)
    same = bool(find_boot()) and words[1] == find_boot()
    return State(words[0] == "clean" and same, same, int(words[2]), int(words[3]))


def _holds_anything(project: ProjectPaths) -> bool:
    try:
        return any(name != LOCK for name in os.listdir(project.journal))
    except FileNotFoundError:
        return False


def write_state(project: ProjectPaths, *, clean: bool, waiting: int, last: int) -> None:
    """Sets the mark; in place, as one short write is whole or, after a power cut, of another boot."""
    line = f"{'clean' if clean else 'busy'} {find_boot() or '-'} {waiting} {last}".ljust(99) + "\n"
    fd = os.open(os.path.join(project.journal, STATE), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(fd, line.encode())
    finally:
        os.close(fd)


# --- pointers -----------------------------------------------------------------------------------------------------


def write_pointer(project: ProjectPaths, number: int, holder: ProjectPaths) -> None:
    """Leaves word in `project` that the journal of `holder` has entry `number` for it."""
    path = os.path.join(project.journal, f"{POINTER_START}{number:020}{POINTER_END}")
    write_bytes(path, json.dumps({"schema": 1, "root": os.path.realpath(holder.root)}).encode() + b"\n", mode=0o600)


def find_pointers(project: ProjectPaths) -> list[str]:
    """The pointer files in the journal folder of `project`."""
    try:
        names = sorted(os.listdir(project.journal))
    except FileNotFoundError:
        return []
    return [
        os.path.join(project.journal, name)
        for name in names
        if name.startswith(POINTER_START) and name.endswith(POINTER_END)
    ]


def read_pointer(path: str) -> ProjectPaths:
    """The project whose journal the pointer at `path` names."""
    try:
        return find_named(json.loads(read_bytes(path))["root"], path)
    except (ValueError, KeyError, TypeError):
        raise build_broken(path, "it is no pointer to another project") from None


def remove_pointer(project: ProjectPaths, number: int) -> None:
    """Takes back what `write_pointer` left."""
    remove_quietly(os.path.join(project.journal, f"{POINTER_START}{number:020}{POINTER_END}"))


def find_named(root: str, named_in: str) -> ProjectPaths:
    """The project at `root`, as `layout` sees it, for the journal file `named_in` that spoke of it."""
    if os.path.isdir(root):
        project = find_project(root)
        if project.root == os.path.realpath(root):
            return project
    raise build_broken(named_in, f"it names a project that is no longer at {root}")
