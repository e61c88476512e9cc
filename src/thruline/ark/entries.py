"""The folder of entries: one small file per session, below the shelf of its client.

Finding a session needs names only. A temporary file in here is a sign as well: whoever holds the ark's lock and sees
one knows that a change was broken off, and that blocks may lie in packs which nobody uses.
"""

import os
from collections.abc import Iterator

from thruline.ark.entry import Entry, parse_entry, render_entry
from thruline.ark.names import END, find_names, list_names, quote
from thruline.disk.atomic import TEMP_END, TEMP_START, build_temp_name, make_folders, write_temp
from thruline.disk.faults import build_disk_error
from thruline.errors import FormatError, Refused


class Entries:
    """The entries below `folder`, which need not exist."""

    __slots__ = ("folder",)

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_path(self, shelf: str, name: str) -> str:
        """Where the entry is kept, whether or not it exists. Any name is possible; none leads elsewhere."""
        files = [quote(part) for part in (shelf, name)]
        if not shelf or not name or max(map(len, files)) > 200:
            raise Refused(
                "This name cannot be kept in the ark.", where=repr((shelf, name)), next="give the file another"
            )
        return os.path.join(self.folder, files[0], files[1] + END)

    def find_names(self) -> Iterator[tuple[str, str]]:
        """(shelf, name) of every entry; nothing is opened."""
        for shelf, name, _ in find_names(self.folder):
            yield shelf, name

    def read(self, shelf: str, name: str) -> Entry | None:
        """The entry; None where there is none, FormatError where it is damaged."""
        path = self.find_path(shelf, name)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise build_disk_error(error, "read", path) from None
        return parse_entry(data, path)

    def read_all(self) -> Iterator[Entry]:
        """Every entry, in no order."""
        for shelf, name in self.find_names():
            entry = self.read(shelf, name)
            if entry is not None:
                yield entry

    def find_trouble(self) -> dict[tuple[str, str], FormatError | Refused]:
        """The entries that cannot be read, and why."""
        found: dict[tuple[str, str], FormatError | Refused] = {}
        for pair in self.find_names():
            try:
                self.read(*pair)
            except (FormatError, Refused) as error:
                found[pair] = error
        return found

    def stage(self, entry: Entry) -> str:
        """Writes the entry under a temporary name, durably; a rename to `find_path` makes it count."""
        path = self.find_path(entry.shelf, entry.name)
        make_folders(os.path.dirname(path), 0o700)
        temp = os.path.join(os.path.dirname(path), build_temp_name())
        write_temp(temp, render_entry(entry), path, 0o600, sync=True)
        return temp

    def mark(self) -> str:
        """A temporary file that says, as long as it is there: a collection was begun and is not finished."""
        make_folders(self.folder, 0o700)
        path = os.path.join(self.folder, build_temp_name())
        write_temp(path, b"", path, 0o600, sync=False)
        return path

    def find_marks(self) -> list[str]:
        """Temporary files, whoever left them."""
        folders = [self.folder, *(os.path.join(self.folder, shelf) for shelf in list_names(self.folder))]
        return [
            os.path.join(folder, name)
            for folder in folders
            for name in list_names(folder)
            if name.startswith(TEMP_START) and name.endswith(TEMP_END)
        ]
