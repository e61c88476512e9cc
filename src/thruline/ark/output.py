"""Files out of the ark: their bytes, every block checked, or written to where readers can open them."""

import os
from collections.abc import Collection, Iterable, Iterator

from thruline.ark.asides import merge
from thruline.ark.entry import Entry, Member
from thruline.ark.hide import encode_id, show_id
from thruline.ark.marks import put_back
from thruline.ark.packs import BlockReader, Packs
from thruline.ark.restored import build_restored_paths
from thruline.disk.atomic import make_folders
from thruline.disk.faults import build_disk_error
from thruline.errors import DiskError, NotFound


def read_member(packs: Packs, member: Member) -> Iterator[bytes]:
    """The bytes of one file, piece by piece. Whoever asks holds the ark's lock, shared."""
    packs.refresh()
    left = member.size
    pieces = _read_blocks(packs, member)
    for data in put_back(pieces, member.mark, member.runs) if member.mark else pieces:
        left -= len(data)
        yield data
    if left:
        raise DiskError("The ark's copy has another length.", where=member.path, next="thruline archive --fresh")


def _read_blocks(packs: Packs, member: Member) -> Iterator[bytes]:
    hidden = encode_id(member.hidden)
    with BlockReader(packs) as blocks:
        records = (show_id(blocks.read(digest), hidden) for digest in member.blocks)
        if not member.key:
            yield from records
            return
        notes = (show_id(blocks.read(digest), hidden) for digest in member.asides if digest)
        yield from merge(records, notes, member.notes)


def choose_members(entry: Entry, only: Collection[str] | None, back: int) -> list[Member]:
    """The entry's files, of those `only` these paths; with `back`, its own file as it was so many versions ago."""
    chosen = list(entry.members)
    if back:
        versions = find_versions(entry)
        if back > len(versions):
            raise NotFound(
                f"The ark has no version of this session {back} before the last.",
                where=f"{entry.name}: {len(versions)} earlier",
                next=f"thruline archive --list {entry.name}",
            )
        chosen[0] = versions[back - 1]
    return [member for member in chosen if only is None or member.path in only]


def find_versions(entry: Entry) -> list[Member]:
    """What was kept of the session's own file before it was cut or rewritten, the youngest first."""
    return [member for member in entry.earlier if entry.members and member.path == entry.members[0].path]


def write_members(packs: Packs, members: Iterable[Member], folder: str) -> dict[str, str]:
    """Writes files below `folder`, for this user alone; from the path each had to the one it has."""
    chosen = list(members)
    places = build_restored_paths(folder, [each.path for each in chosen])
    made = {}
    for member, path in zip(chosen, places, strict=True):
        try:
            make_folders(os.path.dirname(path), 0o700)
            with open(path, "xb", opener=_open_private) as file:
                for data in read_member(packs, member):
                    file.write(data)
            os.utime(path, ns=(member.mtime_ns, member.mtime_ns))
        except OSError as error:
            raise build_disk_error(error, "restore", path) from None
        made[member.path] = path
    return made


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
