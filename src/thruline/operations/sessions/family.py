"""The sessions that may share a history with one: what it says it was forked from, and those of its project.

Its project's are those that are listed, and, for a transcript that no client of this machine keeps, those that lie
beside it.
"""

import os
from collections.abc import Iterator

from thruline.errors import DiskError, ThrulineError
from thruline.harnesses.folders import find_files
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import is_stored, read_folder, recognise
from thruline.index.sessions import SessionRow
from thruline.operations.sessions.copies import Copies, drop_copies, write_stored
from thruline.operations.sessions.kept import read_kept, restore_kept
from thruline.operations.sessions.listing import list_sessions
from thruline.operations.sessions.locate import Located


class Family:
    """Iterate for the session's files and those of its relatives: where each can be read, until the next is asked for,
    and its path. `unread` tells afterwards of those that could not be read, and why.
    """

    def __init__(self, located: Located) -> None:
        self.located = located
        self.unread: list[tuple[str, str]] = []
        self._told: set[str] = set()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        located = self.located
        bases = [found.path for found in located.companions if found.kind == "base"]
        for path in [*located.files, *bases]:
            self._told.add(located.shown(path))
            yield path, located.shown(path)
        found = list_sessions(harness=located.harness.name, copies=True)
        own = next((row for row in found.rows if row.path == located.shown(located.files[0])), None)
        folder = own.cwd if own is not None else read_folder(located.harness, located.files[0])
        for row in found.rows:
            yield from self._open_row(row, folder, kept=row.path in found.kept)
        if own is None:
            yield from self._open_beside(folder)

    def _open_row(self, row: SessionRow, folder: str, *, kept: bool) -> Iterator[tuple[str, str]]:
        if row.path in self._told:
            return
        here = os.path.dirname(self.located.shown(self.located.files[0]))
        if row.state.startswith("unreadable") and os.path.dirname(row.path) == here:
            self.unread.append((row.path, row.state.partition(": ")[2]))
        if not folder or row.cwd != folder:
            return
        self._told.add(row.path)
        try:
            copies = _copy(self.located.harness, row, kept=kept)
        except ThrulineError as error:
            self.unread.append((row.path, error.what))
            return
        yield copies.files[0] if copies is not None else row.path, row.path
        if copies is not None:
            drop_copies(copies)

    def _open_beside(self, folder: str) -> Iterator[tuple[str, str]]:
        for entry in find_files(os.path.dirname(self.located.shown(self.located.files[0]))):
            if entry.path in self._told:
                continue
            try:
                harness = recognise(entry.path)
            except DiskError as error:
                self.unread.append((entry.path, error.what))
                continue
            except ThrulineError:
                continue  # no transcript
            if harness is self.located.harness and read_folder(harness, entry.path) == folder:
                yield entry.path, entry.path


def _copy(harness: Harness, row: SessionRow, *, kept: bool) -> Copies | None:
    """What has to be written out to be read: of the ark, or of the client's store; None for a file of lines."""
    if kept:
        entry = read_kept(harness, row.session_id)
        return restore_kept(entry, row.path, only={row.path}) if entry is not None else None
    return write_stored(harness, row.path) if is_stored(harness, row.path) else None
