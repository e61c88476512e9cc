"""How a project's files come home: from the user's state, where they lie without a marker, into the project."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from thruline.disk.atomic import read_bytes, remove_quietly, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.disk.leftovers import is_temp_name
from thruline.disk.transaction import hold_recovered
from thruline.disk.transaction.roots import LOCK
from thruline.errors import NotFound
from thruline.layout import ProjectPaths


@dataclass(frozen=True, slots=True)
class Moved:
    """One file that has come. `rival` is the other file of that name, when there was one with other content."""

    source: str
    target: str
    rival: str = ""


@contextmanager
def hold_gathered(unmarked: ProjectPaths, *, timeout: float) -> Iterator[None]:
    """Keeps others from changing what `unmarked` holds, every change of theirs finished."""
    if not os.path.isdir(unmarked.base):
        yield
        return
    with hold_recovered([unmarked], timeout=timeout, close=True):
        yield


def copy_in(unmarked: ProjectPaths, project: ProjectPaths) -> list[Moved]:
    """Copies what `unmarked` holds into `project`, over nothing: where names clash, both files stay."""
    targets = {source: _build_target(unmarked, project, source) for source in _find_files(unmarked)}
    for target in targets.values():
        check_inside(project.root, target)
    return [_copy(source, target, project.root) for source, target in targets.items()]


def remove_copied(unmarked: ProjectPaths, copied: list[Moved]) -> None:
    """Removes the sources of `copied`, and the journal."""
    for each in copied:
        if read_bytes(each.target) == _read(each.source):
            remove_quietly(each.source)
    for name in os.listdir(unmarked.journal) if os.path.isdir(unmarked.journal) else ():
        # Recovery has emptied the journal. What it kept of files that others had changed is in a folder, and stays.
        if not os.path.isdir(os.path.join(unmarked.journal, name)):
            remove_quietly(os.path.join(unmarked.journal, name))


def remove_folders(unmarked: ProjectPaths) -> list[str]:
    """Removes the folders of `unmarked` that are empty; returns the files that had to stay."""
    # Where an open file cannot be removed (Windows), the lock is still there.
    remove_quietly(os.path.join(unmarked.journal, LOCK))
    for here, _, _ in os.walk(unmarked.base, topdown=False):
        try:
            os.rmdir(here)
        except OSError:
            pass  # not empty: told below
    return [os.path.join(here, name) for here, _, names in os.walk(unmarked.base) for name in names]


def _find_files(unmarked: ProjectPaths) -> Iterator[str]:
    for here, folders, names in os.walk(unmarked.base):
        folders[:] = sorted(name for name in folders if os.path.join(here, name) != unmarked.journal)
        for name in sorted(names):
            path = os.path.join(here, name)
            if os.path.isfile(path) and not os.path.islink(path) and not is_temp_name(name):
                yield path


def _build_target(unmarked: ProjectPaths, project: ProjectPaths, source: str) -> str:
    rest = os.path.relpath(source, unmarked.base)
    for was, now in ((unmarked.logs, project.logs), (unmarked.handoffs, project.handoffs)):
        if source.startswith(was + os.sep):
            return os.path.join(now, os.path.relpath(source, was))
    return os.path.join(project.base, rest)


def _copy(source: str, target: str, root: str) -> Moved:
    data = read_bytes(source)
    stem, end = os.path.splitext(target)
    place, number = target, 0
    while (there := _read(place)) is not None and there != data:
        number += 1
        place = f"{stem}.moved{number if number > 1 else ''}{end}"
        check_inside(root, place)
    if there is None:
        found = _find_stat(source)
        write_bytes(place, data, mode=found.st_mode & 0o777)
        try:
            os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns))
        except OSError as error:
            raise build_disk_error(error, "set the time of", place) from None
    return Moved(source, place, target if place != target else "")


def _find_stat(source: str) -> os.stat_result:
    try:
        return os.stat(source)
    except OSError as error:
        raise build_disk_error(error, "read", source) from None


def _read(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except NotFound:
        return None
