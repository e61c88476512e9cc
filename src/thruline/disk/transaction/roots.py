"""The projects a change touches: their locks, the mark that tells whether anything is open, pointers between them.

In each journal folder lie `lock`, held by one writer or several readers, and `state`, one line that a writer sets to
`busy` before its change and to `clean` after it. The line is not synced: it is believed only within the boot it was
written in, and any doubt means looking into the journal. So a reader needs no SQLite, and an opener only after a crash.
"""

import json
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass

from thruline.disk.atomic import make_folders, remove_quietly, sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import is_gits
from thruline.disk.lock import Lock
from thruline.disk.own import open_own, read_own
from thruline.disk.transaction import boot
from thruline.disk.transaction.entry import build_broken, build_foreign
from thruline.disk.transaction.seal import build_seal, is_sealed, make_key
from thruline.errors import NotFound, Refused
from thruline.layout import ProjectPaths, find_project

LOCK, STATE = "lock", "state"
POINTER_START, POINTER_END = "pointer-", ".json"
PURPOSE = "pointer"
_SMALL = 64 * 1024


def prepare(project: ProjectPaths) -> None:
    """Makes the journal folder of `project`, for its owner alone: a journal holds what the files will hold."""
    try:
        if not os.path.isdir(project.journal):
            check_folder(project)
            # What lies in the user's state is for the user alone.
            made = make_folders(os.path.dirname(project.journal), 0o777 if project.marked else 0o700)
            made += make_folders(project.journal, 0o700)
            for folder in made:
                sync_folder(folder)
    except OSError as error:
        raise build_disk_error(error, "make the folder", project.journal) from None
    check_folder(project)


def check_folder(project: ProjectPaths) -> None:
    """Refused where a link leads the journal away from its place: a repository could have it lie anywhere."""
    # A person may have moved the whole state or linked `.agent` to another folder of the project; no further.
    base = os.path.realpath(project.base)
    top = os.path.realpath(project.root if project.marked else os.path.dirname(project.base)).rstrip(os.sep) + os.sep
    wanted = os.path.join(base, os.path.relpath(project.journal, project.base))
    real = os.path.realpath(project.journal)
    if real != wanted or not base.startswith(top) or is_gits(base, top):
        raise Refused(
            "The journal of this project is led elsewhere by a link.",
            where=f"{project.journal} -> {real}",
            next="remove the link",
        )


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
        words = read_own(os.path.join(project.journal, STATE), _SMALL).decode("ascii", "replace").split()
    except NotFound:
        # Written before the first entry: without it, nothing was ever begun here.
        return State(clean=not _holds_anything(project), same_boot=True)
    if len(words) != 4 or not (_is_number(words[2]) and _is_number(words[3])):
        return State(clean=False, same_boot=False)
    now = boot.find_boot()
    same = bool(now) and words[1] == now
    return State(words[0] == "clean" and same, same, int(words[2]), int(words[3]))


def _is_number(word: str) -> bool:
    # Larger than any time could be: ids go on from it, and must stay numbers that a database can hold.
    return word.isdigit() and len(word) <= 19 and int(word) < 2 * time.time_ns()


def _holds_anything(project: ProjectPaths) -> bool:
    try:
        return any(name != LOCK for name in os.listdir(project.journal))
    except FileNotFoundError:
        return False


def write_state(project: ProjectPaths, *, clean: bool, waiting: int, last: int) -> None:
    """Sets the mark; in place, as one short write is whole or, after a power cut, of another boot."""
    line = f"{'clean' if clean else 'busy'} {boot.find_boot() or '-'} {waiting} {last}".ljust(99) + "\n"
    fd = open_own(os.path.join(project.journal, STATE), os.O_WRONLY | os.O_CREAT)
    try:
        os.write(fd, line.encode())
    finally:
        os.close(fd)


# --- pointers -----------------------------------------------------------------------------------------------------


def write_pointer(project: ProjectPaths, number: int, holder: ProjectPaths) -> None:
    """Leaves word in `project` that the journal of `holder` has entry `number` for it."""
    root = os.path.realpath(holder.root)
    told = {"schema": 1, "root": root, "seal": build_seal(make_key(), PURPOSE, _build_body(number, root))}
    write_bytes(_build_pointer(project, number), json.dumps(told).encode() + b"\n", mode=0o600)


def _build_pointer(project: ProjectPaths, number: int) -> str:
    return os.path.join(project.journal, f"{POINTER_START}{number:020}{POINTER_END}")


def _build_body(number: int, root: str) -> bytes:
    return f"{number} {root}".encode("utf-8", "surrogatepass")


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


def read_pointer(path: str, key: bytes) -> ProjectPaths:
    """The project whose journal the pointer at `path` names; JournalBroken unless the machine with `key` wrote it."""
    try:
        told = json.loads(read_own(path, _SMALL))
        root, seal = str(told["root"]), str(told["seal"])
        number = int(os.path.basename(path)[len(POINTER_START) : -len(POINTER_END)])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise build_foreign(path, "it is no pointer to another project") from None
    if not is_sealed(key, PURPOSE, _build_body(number, root), seal):
        raise build_foreign(path, "it is damaged, or another machine wrote it")
    return find_named(root, path)


def check_pointed(project: ProjectPaths, number: int, holder: ProjectPaths, journal: str) -> None:
    """JournalBroken unless `project` was told that `holder` has entry `number` for it."""
    path = _build_pointer(project, number)
    if not os.path.lexists(path) or read_pointer(path, make_key()).root != os.path.realpath(holder.root):
        raise build_broken(journal, f"it names the project at {project.root}, which knows nothing of it")


def remove_pointer(project: ProjectPaths, number: int) -> None:
    """Takes back what `write_pointer` left."""
    remove_quietly(_build_pointer(project, number))


def find_named(root: str, named_in: str) -> ProjectPaths:
    """The project at `root`, as `layout` sees it, for the journal file `named_in` that spoke of it."""
    if os.path.isdir(root):
        project = find_project(root)
        if project.root == os.path.realpath(root):
            return project
    raise build_broken(named_in, f"it names a project that is no longer at {root}")
