"""Entries put into their files, now or after a crash."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from thruline.disk.atomic import (
    build_folder_mode,
    make_folders,
    move_over,
    read_bytes,
    remove_quietly,
    sync_file,
    sync_folder,
    write_bytes,
    write_temp,
)
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import is_gits
from thruline.disk.own import check_own_folder
from thruline.disk.transaction.entry import ABSENT, Entry, FileChange, build_broken, build_digest
from thruline.disk.transaction.roots import check_pointed, find_named
from thruline.errors import NotFound
from thruline.layout import ProjectPaths

KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovery found of one file: `replayed`, `in place`, or `left alone` because someone else wrote it since.

    Our own version of a file left alone is at `kept`.
    """

    path: str
    outcome: str
    kept: str = ""


# --- where --------------------------------------------------------------------------------------------------------


def find_places(entry: Entry, holder: ProjectPaths, journal: str, followed: dict[str, str]) -> list[str]:
    """The path of each file of `entry`; JournalBroken if one is not where a change may reach.

    `followed` keeps what links lead to, folder by folder: the same few are asked about again and again.
    """
    # The first root is the one that holds the journal, wherever it was moved to meanwhile.
    projects = [holder, *(find_named(root, journal) for root in entry.roots[1:])]
    for project in projects[1:]:
        check_pointed(project, entry.id, holder, journal)
    found = []
    for each in entry.files:
        project = projects[each.root]
        top = _follow(project.root if each.area == "root" else project.base, followed)
        path = os.path.join(top, *each.path.split("/"))
        folder = os.path.dirname(path)
        led_astray = _follow(folder, followed) != folder or os.path.islink(path)
        if led_astray or not path.startswith(top.rstrip(os.sep) + os.sep) or is_gits(path, top):
            raise build_broken(journal, f"it names {each.path}, which is not a file of this project")
        found.append(path)
    return found


def _follow(folder: str, followed: dict[str, str]) -> str:
    if folder not in followed:
        followed[folder] = os.path.realpath(folder)
    return followed[folder]


# --- looking ------------------------------------------------------------------------------------------------------


def read_current(path: str) -> bytes | None:
    """The content of `path`; None if it is not there."""
    try:
        return read_bytes(path)
    except NotFound:
        return None


def build_mark(path: str) -> str:
    """Tells this very file from a later one of the same content; empty if it is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"


# --- putting in place ---------------------------------------------------------------------------------------------


def write_temps(entry: Entry, paths: list[str]) -> None:
    """Everything that can run out of space or be forbidden, before the first file is touched; OSError if so."""
    for each, path in zip(entry.files, paths, strict=True):
        if each.data is not None:
            write_temp(build_temp(path, each), each.data, path, each.mode, sync=False)


def move_into_place(each: FileChange, path: str) -> None:
    """The visible step of one file; OSError if it fails."""
    if each.data is not None:
        move_over(build_temp(path, each), path)
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def remove_temps(entry: Entry, paths: list[str]) -> None:
    """Takes away what `write_temps` made."""
    for each, path in zip(entry.files, paths, strict=True):
        if each.data is not None:
            remove_quietly(build_temp(path, each))


def build_temp(path: str, each: FileChange) -> str:
    """Where a file's new content waits for its rename."""
    return os.path.join(os.path.dirname(path), os.path.basename(each.temp))


def make_durable(paths: Iterable[str]) -> None:
    """Syncs these files and their folders, those that are there; DiskError if the disk will not."""
    folders = set()
    for path in paths:
        folders.add(os.path.dirname(path))
        try:
            fd = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise build_disk_error(error, "make safe", path) from None
        try:
            sync_file(fd)
        except OSError as error:
            raise build_disk_error(error, "make safe", path) from None
        finally:
            os.close(fd)
    for folder in folders:
        try:
            sync_folder(folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise build_disk_error(error, "make safe", folder) from None


def sync_made(folders: list[str]) -> None:
    """Makes folders that were just made durable, those above them being given; OSError if the disk will not."""
    for folder in folders:
        sync_folder(folder)


# --- replaying ----------------------------------------------------------------------------------------------------


def replay(path: str, changes: list[FileChange], *, same_boot: bool, keep_in: str) -> Recovered:
    """Brings one file to the last of `changes`, unless what is there is neither theirs nor what they replaced."""
    last = changes[-1]
    for each in changes:
        remove_quietly(build_temp(path, each))
    current = read_current(path)
    digest = build_digest(current)
    if digest == build_digest(last.data):
        return Recovered(path, "in place")
    if not _is_ours(path, digest, current, changes, same_boot):
        return Recovered(path, "left alone", _keep(path, last, keep_in))
    try:
        if last.data is None:
            os.unlink(path)
        else:
            sync_made(make_folders(os.path.dirname(path), build_folder_mode(last.mode)))
            write_temp(build_temp(path, last), last.data, path, last.mode, sync=True)
            move_over(build_temp(path, last), path)
    except OSError as error:
        remove_quietly(build_temp(path, last))
        raise build_disk_error(error, "bring back", path) from None
    return Recovered(path, "replayed")


def _is_ours(path: str, digest: str, current: bytes | None, changes: list[FileChange], same_boot: bool) -> bool:
    mark = build_mark(path)
    if any(digest == each.old and (digest == ABSENT or mark == each.mark) for each in changes):
        return True
    if same_boot or current is None:
        return False
    # Only a power cut loses bytes behind a rename, and then the file ends early or in zeros.
    seen = current.rstrip(b"\0")
    written = [each.data for each in changes if each.data is not None]
    return any(len(current) <= len(data) and data.startswith(seen) for data in written)


def _keep(path: str, last: FileChange, keep_in: str) -> str:
    if last.data is None:
        return ""
    folder = os.path.join(keep_in, KEPT)
    kept = os.path.join(folder, build_digest(last.data)[:8] + "-" + os.path.basename(path)[:200])
    try:
        make_folders(folder, 0o700)
        check_own_folder(folder)
        if os.path.islink(kept):
            os.unlink(kept)
    except OSError as error:
        raise build_disk_error(error, "keep our version in", folder) from None
    write_bytes(kept, last.data, mode=0o600)
    return kept
