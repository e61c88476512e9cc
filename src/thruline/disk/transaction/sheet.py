"""Entries in plain files, one each: for mounts where SQLite's locks may not reach the other side.

A sheet is written under a temporary name, synced and renamed, so one that can be seen is whole; a wrong seal is damage
or another machine's, not a crash.
"""

import json
import os
from typing import Any

from thruline.disk.atomic import sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.leftovers import is_temp_name
from thruline.disk.own import read_own
from thruline.disk.transaction.entry import (
    LARGEST_ENTRY,
    SCHEMA,
    Entry,
    FileChange,
    build_broken,
    build_foreign,
    build_newer,
)
from thruline.disk.transaction.seal import build_seal, is_sealed, make_key

START, END = "entry-", ".journal"
MAGIC = b"thruline-journal"
PURPOSE = "entry"


class Sheets:
    """The journal of one folder, in files named `entry-<id>.journal`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def add(self, entry: Entry) -> None:
        write_bytes(self._path(entry.id), render_sheet(entry, make_key()), mode=0o600)

    def read(self) -> list[Entry]:
        return [read_sheet(path, make_key()) for path in find_sheets(self.folder)]

    def remove(self, ids: list[int]) -> None:
        try:
            for number in ids:
                try:
                    os.unlink(self._path(number))
                except FileNotFoundError:
                    pass
            sync_folder(self.folder)
        except OSError as error:
            raise build_disk_error(error, "clear the journal in", self.folder) from None

    def close(self) -> None:
        pass

    def _path(self, number: int) -> str:
        return os.path.join(self.folder, f"{START}{number:020}{END}")


def find_sheets(folder: str) -> list[str]:
    """The sheets of a journal folder, oldest first."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.startswith(START) and name.endswith(END)]


def read_sheet(path: str, key: bytes) -> Entry:
    """The entry in the file `path`, whose name must be of its id."""
    entry = parse_sheet(read_own(path, LARGEST_ENTRY), path, key)
    if os.path.basename(path) != f"{START}{entry.id:020}{END}":
        raise build_foreign(path, "it has the name of another entry")
    return entry


def render_sheet(entry: Entry, key: bytes) -> bytes:
    """The bytes of one sheet: a line with a seal, a line of JSON, the contents one after another."""
    files = []
    for each in entry.files:
        size = None if each.data is None else len(each.data)
        files.append([each.root, each.area, each.path, each.old, each.mark, each.mode, each.temp, size])
    head = json.dumps({"id": entry.id, "roots": entry.roots, "files": files}).encode() + b"\n"
    body = head + b"".join(each.data or b"" for each in entry.files)
    return b"%s %d %s\n" % (MAGIC, SCHEMA, build_seal(key, PURPOSE, body).encode()) + body


def parse_sheet(raw: bytes, path: str, key: bytes) -> Entry:
    """The entry in the bytes of a sheet; JournalBroken unless this machine, the one with `key`, wrote it."""
    first, _, body = raw.partition(b"\n")
    words = first.split()
    if len(words) != 3 or words[0] != MAGIC or not words[1].isdigit():
        raise build_foreign(path, "it does not begin like one")
    if int(words[1]) > SCHEMA:
        raise build_newer(path, int(words[1]))
    if not is_sealed(key, PURPOSE, body, words[2].decode("ascii", "replace")):
        raise build_foreign(path, "it is damaged, or another machine wrote it")
    head, _, contents = body.partition(b"\n")
    try:
        told = json.loads(head)
        return _build_entry(told, contents)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise build_broken(path, "what it holds makes no sense") from None


def _build_entry(told: dict[str, Any], contents: bytes) -> Entry:
    files = []
    roots = [str(root) for root in told["roots"]]
    for root, area, name, old, mark, mode, temp, size in told["files"]:
        if not (0 <= root < len(roots) and area in ("root", "base") and is_temp_name(temp)):
            raise ValueError(name)
        if size is not None and not 0 <= size <= len(contents):
            raise ValueError(name)
        data = None if size is None else contents[:size]
        contents = contents[size or 0 :]
        files.append(FileChange(root, area, str(name), str(old), str(mark), data, mode, temp))
    if not roots or contents:
        raise ValueError("roots and contents")
    return Entry(int(told["id"]), tuple(roots), tuple(files))
