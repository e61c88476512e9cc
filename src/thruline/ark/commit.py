"""What was prepared counts from now on: two renames, under the ark's lock."""

import os
from dataclasses import dataclass

from thruline.ark.collect import tidy
from thruline.ark.entries import Entries
from thruline.ark.entry import Entry
from thruline.ark.pack import PackWriter
from thruline.ark.packs import Packs
from thruline.ark.prepare import Missed, Prepared
from thruline.disk.atomic import remove_quietly, sync_folder
from thruline.disk.faults import build_disk_error
from thruline.errors import Conflict, DiskError


@dataclass(frozen=True, slots=True)
class Archived:
    """What one archiving did. `read` and `written` are bytes; both are 0 where nothing had changed."""

    entry: Entry
    changed: bool
    read: int
    written: int
    missed: tuple[Missed, ...] = ()


def commit(entries: Entries, packs: Packs, prepared: Prepared, writer: PackWriter, pack: str) -> Archived:
    """Makes the entry count, and its new blocks in `pack`; Conflict where others that it needs went meanwhile."""
    entry = prepared.entry
    packs.refresh()
    needed = {bytes.fromhex(digest) for digest in entry.digests()} - prepared.lost
    if any(digest not in writer.places and not packs.has(digest) for digest in needed):
        raise Conflict("Blocks of this session were just forgotten.", where=packs.folder, next="run it again")
    path = entries.find_path(entry.shelf, entry.name)
    staged = ""
    placed = False
    try:
        staged = entries.stage(entry)
        written = os.path.getsize(staged) + writer.size
        if pack:
            os.rename(writer.temp, packs.find_path(pack))
            placed = True
            sync_folder(packs.folder)
        os.replace(staged, path)
        sync_folder(os.path.dirname(path))
    except OSError as error:
        if not placed:
            remove_quietly(staged)
        # Otherwise it stays, and tells the next one that a pack is there for nothing.
        raise build_disk_error(error, "archive", path) from None
    packs.refresh()
    try:
        tidy(entries, packs)
    except (DiskError, OSError):
        pass  # the session is archived; whoever comes next finds the mark and clears up
    return Archived(entry, changed=True, read=prepared.read, written=written, missed=prepared.missed)
