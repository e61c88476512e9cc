"""The `with` block: what is read is remembered, what is written waits for its end."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from thruline.disk.atomic import build_folder_mode, build_temp_name, check_replaceable, make_folders
from thruline.disk.faults import build_disk_error
from thruline.disk.lock import TIMEOUT
from thruline.disk.transaction import boot
from thruline.disk.transaction.entry import LARGEST_ENTRY, Entry, FileChange, build_digest
from thruline.disk.transaction.place import (
    Recovered,
    build_mark,
    move_into_place,
    read_current,
    remove_temps,
    sync_made,
    write_temps,
)
from thruline.disk.transaction.reach import Located, Reach
from thruline.disk.transaction.recovery import (
    hold_clean,
    hold_recovered,
    open_journals,
    recover_locked,
    remember_unsettled,
)
from thruline.disk.transaction.roots import (
    check_folder,
    lock_all,
    read_state,
    remove_pointer,
    write_pointer,
    write_state,
)
from thruline.errors import Conflict, DiskError, Refused
from thruline.layout import ProjectPaths, find_project


@contextmanager
def transaction(
    project: ProjectPaths, *other_projects: ProjectPaths, kind: str | None = None, timeout: float = TIMEOUT
) -> Iterator["Change"]:
    """A change to files of these projects, made when the block ends; an exception in it leaves everything as it was.

    `kind` names the journal, `table` or `sheet`; without it the mount decides.
    """
    projects = [project, *other_projects]
    with hold_clean(projects, kind=kind, timeout=timeout) as recovered:
        change = Change(projects, recovered, kind)
        yield change
        change.commit()


def read_together(
    project: ProjectPaths, paths: Iterable[str], *other_projects: ProjectPaths, kind: str | None = None
) -> dict[str, bytes | None]:
    """The contents of `paths`, all from before any change or all from after it; None for a file that is not there."""
    projects = [project, *other_projects]
    reach = Reach(projects)
    wanted = {path: reach.locate(path).real for path in paths}
    while True:
        begun = [each for each in projects if os.path.isdir(each.journal)]
        for each in begun:
            check_folder(each)
        with lock_all(begun, timeout=TIMEOUT, shared=True):
            clean = all(read_state(each).clean for each in begun)
            found = {path: read_current(place) for path, place in wanted.items()} if clean else {}
        if not clean:
            with hold_recovered(begun, kind=kind):
                found = {path: read_current(place) for path, place in wanted.items()}
        # A first change may have begun while we read without its lock.
        if len(begun) == len([each for each in projects if os.path.isdir(each.journal)]):
            return found


class Change:
    """What one `with transaction(…)` block reads and writes. `recovered` is what earlier, broken-off changes left."""

    def __init__(self, projects: list[ProjectPaths], recovered: list[Recovered], kind: str | None) -> None:
        self.recovered = recovered
        self._projects = projects
        self._kind = kind
        self._seen: dict[str, str] = {}  # path -> digest when first read
        self._wanted: dict[str, tuple[bytes | None, int | None]] = {}
        self._reach = Reach(projects)
        self._located: dict[str, Located] = {}

    def read(self, path: str) -> bytes | None:
        """The content of `path`, None if it is not there; what this change has written already is seen."""
        real = self._find(path)
        if real in self._wanted:
            return self._wanted[real][0]
        data = read_current(real)
        self._seen.setdefault(real, build_digest(data))
        return data

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Has `path` hold `data` when the block ends. An existing file keeps its mode; `mode` is for a new one.

        What lies in the user's state is for the user alone, unless `mode` says otherwise.
        """
        real = self._find(path)
        if mode is None and self._located[real].area == "base":
            mode = 0o600
        self._wanted[real] = (data, mode)

    def delete(self, path: str) -> None:
        """Has `path` gone when the block ends; it need not be there."""
        self._wanted[self._find(path)] = (None, None)

    def _find(self, path: str) -> str:
        found = self._reach.locate(path)
        self._located[found.real] = found
        return found.real

    # --- the end of the block ---

    def commit(self) -> None:
        """Makes the change; called at the end of the block."""
        if not self._wanted:
            return
        old = self._check_unchanged()
        paths = [path for path, (data, _) in self._wanted.items() if build_digest(data) != old[path][0]]
        if not paths:
            return
        self._check_size(paths)
        try:
            for path in paths:
                check_replaceable(path)
                data, mode = self._wanted[path]
                if data is not None:
                    # Synced here: once the files are, the entry that could make them anew is forgotten.
                    sync_made(make_folders(os.path.dirname(path), build_folder_mode(mode)))
        except OSError as error:
            raise build_disk_error(error, "write", path) from None
        touched = sorted({self._located[path].project for path in paths})
        _Commit([self._projects[number] for number in touched], self._build_entry(paths, old, touched), paths).run(
            self._kind
        )

    def _check_size(self, paths: list[str]) -> None:
        size = sum(len(self._wanted[path][0] or b"") + len(path) for path in paths)
        if size > LARGEST_ENTRY // 2:
            raise Refused(
                f"A change of {size >> 20} MB is too large to be made together.",
                where=paths[0],
                next=f"change less than {LARGEST_ENTRY >> 21} MB at a time",
            )

    def _check_unchanged(self) -> dict[str, tuple[str, str]]:
        now: dict[str, tuple[str, str]] = {}
        for path in {**self._seen, **self._wanted}:
            # Read again, not only looked at: the clock of files is too coarse to show an edit of the same instant.
            mark = build_mark(path)
            now[path] = (build_digest(read_current(path)), mark)
            if self._seen.get(path, now[path][0]) != now[path][0]:
                raise build_conflict(path)
        return now

    def _build_entry(self, paths: list[str], old: dict[str, tuple[str, str]], touched: list[int]) -> Entry:
        files = []
        for path in paths:
            at = self._located[path]
            root = touched.index(at.project)
            data, mode = self._wanted[path]
            files.append(FileChange(root, at.area, at.rest, *old[path], data, mode, build_temp_name()))
        roots = tuple(os.path.abspath(self._projects[number].root) for number in touched)
        # Ids grow even where the clock goes back.
        last = max(read_state(self._projects[number]).last for number in touched)
        return Entry(max(time.time_ns(), last + 1), roots, tuple(files))


def build_conflict(path: str) -> Conflict:
    """The error for a file that someone else wrote meanwhile."""
    return Conflict(
        f"{os.path.basename(path)} was changed by someone else meanwhile; nothing was overwritten.",
        where=path,
        next="run it again: it will start from the new content",
    )


class _Commit:
    """One entry on its way: pointers, journal, temporary files, renames."""

    def __init__(self, projects: list[ProjectPaths], entry: Entry, paths: list[str]) -> None:
        self.projects = projects
        self.holder = projects[0]
        self.entry = entry
        self.paths = paths
        self.states = {project.journal: read_state(project) for project in projects}

    def run(self, kind: str | None) -> None:
        journal = open_journals(self.holder, kind)[0]
        others = self.projects[1:]
        for project in others:
            if find_project(project.root).journal != project.journal:
                raise ValueError(f"layout does not know the project at {project.root} by this journal")
        try:
            for project in self.projects:
                self._mark(project, clean=False)
            for project in others:
                write_pointer(project, self.entry.id, self.holder)
        except (OSError, DiskError) as error:
            self._give_up(error)
        try:
            journal.add(self.entry)
            write_temps(self.entry, self.paths)
            self._check_still(self.paths)
            move_into_place(self.entry.files[0], self.paths[0])
        except (OSError, DiskError) as error:
            remove_temps(self.entry, self.paths)
            try:
                journal.remove([self.entry.id])
            except DiskError:
                raise self._tell(error, "It may be recorded; if so, the next run completes it.") from None
            self._give_up(error)
        try:
            for each, path in zip(self.entry.files[1:], self.paths[1:], strict=True):
                move_into_place(each, path)
            if others or not boot.find_boot():
                # Settled at once: as long as a pointer is there, opening one project means locking them all; and
                # without a boot id an edit made later could not be told from what a power cut left.
                recover_locked(self.projects, kind, in_place=True)
            else:
                self._mark(self.holder, clean=True, added=1)
        except (OSError, DiskError) as error:
            raise self._tell(error, "The change is recorded; the next run completes it.") from None
        remember_unsettled(self.holder)

    def _mark(self, project: ProjectPaths, *, clean: bool, added: int = 0) -> None:
        waiting = self.states[project.journal].waiting + added
        write_state(project, clean=clean, waiting=waiting, last=self.entry.id)

    def _check_still(self, paths: list[str]) -> None:
        for each, path in zip(self.entry.files, paths, strict=True):
            if build_mark(path) != each.mark:
                raise build_conflict(path)

    def _give_up(self, error: OSError | DiskError) -> NoReturn:
        for project in self.projects[1:]:
            remove_pointer(project, self.entry.id)
        try:
            for project in self.projects:
                self._mark(project, clean=True)
        except OSError:
            pass  # it stays busy: the next opener looks, and finds nothing to do
        raise self._tell(error, "Nothing was changed.") from None

    def _tell(self, error: OSError | DiskError, outcome: str) -> DiskError:
        if isinstance(error, OSError):
            error = build_disk_error(error, "write", str(error.filename2 or error.filename or self.paths[0]))
        if not isinstance(error, Conflict):
            error.what = f"{error.what} {outcome}"
        return error
