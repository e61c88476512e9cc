"""Entries in plain files, one each: for mounts where SQLite's locks may not reach the other side.

A sheet is written under a temporary name, synced and renamed, so one that can be seen is whole; a wrong digest is
damage, not a crash.
"""

import json
import os

from thruline.disk.atomic import read_bytes, sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.transaction.entry import SCHEMA, Entry, FileChange, build_broken, build_digest

START, END = "entry-", ".journal"
MAGIC = b"thruline-journal"


class Sheets:
    """The journal of one folder, in files named `entry-<id>.journal`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def add(self, entry: Entry) -> None:
        write_bytes(self._path(entry.id), render_sheet(entry), mode=0o600)

    def read(self) -> list[Entry]:
        return [parse_sheet(read_bytes(path), path) for path in find_sheets(self.folder)]

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


def render_sheet(entry: Entry) -> bytes:
    """The bytes of one sheet: a line with a digest, a line of JSON, the contents one after another."""
    files = []
    for each in entry.files:
        size = None if each.data is None else len(each.data)
        files.append([each.root, each.area, each.path, each.old, each.mark, each.mode, each.temp, size])
    head = json.dumps({"id": entry.id, "roots": entry.roots, "files": files}).encode() + b"\n"
    body = head + b"".join(each.data or b"" for each in entry.files)
    return b"%s %d %s\n" % (MAGIC, SCHEMA, build_digest(body).encode()) + body


def parse_sheet(raw: bytes, path: str) -> Entry:
    """The entry in the bytes of a sheet."""
    first, _, body = raw.partition(b"\n")
    words = first.split()
    if len(words) != 3 or words[0] != MAGIC or not words[1].isdigit():
        raise build_broken(path, "it does not begin like one")
    if int(words[1]) > SCHEMA:
        raise build_broken(path, f"a newer thruline wrote it (schema {int(words[1])}, this one knows {SCHEMA})")
    if build_digest(body).encode() != words[2]:
        raise build_broken(path, "it is damaged")
    head, _, contents = body.partition(b"\n")
    told = json.loads(head)
    files = []
    for root, area, name, old, mark, mode, temp, size in told["files"]:
        data = None if size is None else contents[:size]
        contents = contents[size or 0 :]
        files.append(FileChange(root, area, name, old, mark, data, mode, temp))
    return Entry(told["id"], tuple(told["roots"]), tuple(files))
