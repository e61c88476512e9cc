"""Blocks that nobody uses are removed: the packs that hold them are written again without them.

Runs under the ark's lock. A pack is written whole and renamed before the old ones go, so a kill leaves at worst the
same block twice; the mark in the folder of entries makes the next owner of the lock collect again.
"""

import os

from thruline.ark.entries import Entries
from thruline.ark.pack import PackWriter, Place, read_stored
from thruline.ark.packs import Packs
from thruline.disk.atomic import remove_quietly, sync_folder
from thruline.errors import FormatError, Refused

# What small packs are merged into, and up to which size a pack counts as small.
LARGE = 64 << 20
SMALL = 8 << 20
MOST_SMALL = 32


def collect(entries: Entries, packs: Packs) -> int:
    """Removes every unused block; the bytes that were freed."""
    return _rewrite(entries, packs, merge=False)


def tidy(entries: Entries, packs: Packs) -> int:
    """Merges small packs once there are many, leaving out what nobody uses; the bytes that were freed."""
    sizes = packs.find_sizes()
    if sum(size < SMALL for size in sizes.values()) < MOST_SMALL:
        return 0
    try:
        return _rewrite(entries, packs, merge=True)
    except (FormatError, Refused):
        return 0  # as below; whoever reads that entry hears of it


def settle(entries: Entries, packs: Packs) -> None:
    """Finishes what a killed process left: temporary files go, and with them blocks that only they would have used."""
    for path in packs.find_leftovers():
        remove_quietly(path)
    marks = entries.find_marks()
    if not marks:
        return
    try:
        collect(entries, packs)
    except (FormatError, Refused):
        # An entry is damaged, or a newer version's: what it needs is unknown, so all blocks stay, and so do the marks.
        return
    for path in marks:
        remove_quietly(path)


def _rewrite(entries: Entries, packs: Packs, *, merge: bool) -> int:
    # An entry that cannot be read raises here: what it needs is unknown, so nothing may go.
    used = {bytes.fromhex(digest) for entry in entries.read_all() for digest in entry.digests()}
    packs.refresh()
    sizes = packs.find_sizes()
    mark = entries.mark()
    live, old = _choose(packs, sizes, used, merge=merge)
    # What nobody uses any of goes first: on a full disk that makes the room for the copies.
    for name in old:
        if not live[name]:
            os.unlink(packs.find_path(name))
    made = _copy(packs, live)
    sync_folder(packs.folder)
    for name in old:
        if live[name]:
            os.unlink(packs.find_path(name))
    sync_folder(packs.folder)
    packs.refresh()
    os.unlink(mark)
    return sum(sizes[name] for name in old) - made


def _choose(
    packs: Packs, sizes: dict[str, int], used: set[bytes], *, merge: bool
) -> tuple[dict[str, list[Place]], list[str]]:
    # Which packs go, and which of their blocks must be written again.
    live: dict[str, list[Place]] = {}
    old = []
    for name, places in packs.places.items():
        # Of a block that lies in two packs, only the copy that readers find is used.
        mine = [place for place in places if place.digest in used and packs.find(place.digest) == (name, place)]
        idle = sum(place.stored for place in places) - sum(place.stored for place in mine)
        if (sizes[name] < SMALL or idle * 2 > sizes[name]) if merge else len(mine) < len(places):
            live[name] = mine
            old.append(name)
    return live, old


def _copy(packs: Packs, live: dict[str, list[Place]]) -> int:
    made = 0
    writer = PackWriter(packs.folder)
    try:
        for name, places in live.items():
            if not places:
                continue
            with open(packs.find_path(name), "rb") as file:
                for place in places:
                    # Copied as it is: a damaged block stays one that can be told, and perhaps mended from a backup.
                    writer.add(place.digest, place.size, read_stored(file, place))
            if writer.size > LARGE:
                made += _place(packs, writer)
                writer = PackWriter(packs.folder)
        made += _place(packs, writer)
    except BaseException:
        writer.drop()
        raise
    return made


def _place(packs: Packs, writer: PackWriter) -> int:
    name = writer.finish()
    if name:
        os.rename(writer.temp, packs.find_path(name))
    return writer.size
