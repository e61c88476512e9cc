"""Where packets lie and how one is named: by its id, a beginning of it, or words of its purpose's slug.

Several processes may work on one packet: a change reads the file again under a lock and writes it whole.
"""

import os
from collections.abc import Callable
from datetime import datetime, timedelta

from thruline.artifacts.packet import Packet, build_packet_id, parse_packet
from thruline.artifacts.packet_head import END
from thruline.clock import read_clock
from thruline.disk.atomic import Lock, make_folders, move_over, read_bytes, sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.errors import NotFound, Refused
from thruline.layout import ProjectPaths
from thruline.operations.packets.listing import build_packet_path, find_packet_ids, list_packets


def read_packet(paths: ProjectPaths, packet_id: str) -> Packet:
    """The packet of exactly this id."""
    path = build_packet_path(paths, packet_id)
    return parse_packet(read_bytes(path), path)


def find_packet(paths: ProjectPaths, ref: str) -> Packet:
    """The one packet that `ref` names: an id, the beginning of one, or words of its slug joined by `-`."""
    ids = find_packet_ids(paths)
    if ref in ids:
        return read_packet(paths, ref)
    if not ref or not all(sign.isascii() and (sign.isalnum() or sign == "-") for sign in ref) or ref.startswith("-"):
        raise Refused(f'"{ref:.80}" is no packet id.', where="thruline packet", next="thruline packet list")
    wanted = ref.lower()
    matches = [one for one in ids if one.startswith(wanted)] or [one for one in ids if f"-{wanted}" in one]
    if len(matches) == 1:
        return read_packet(paths, matches[0])
    where = f"{os.path.relpath(paths.packets, paths.root)}  ({_count(len(ids))})"
    if matches:
        shown = ", ".join(matches[:5]) + (", …" if len(matches) > 5 else "")
        raise NotFound(f'"{ref}" names {len(matches)} packets.', where=where, next=f"say which: {shown}")
    raise NotFound(f'No packet "{ref}" in this project.', where=where, next="thruline packet list")


def find_current(paths: ProjectPaths) -> Packet:
    """The newest active packet, else the newest draft."""
    heads = list_packets(paths).heads
    for status in ("active", "draft"):
        for head in heads:
            if head.status == status:
                return read_packet(paths, head.id)
    where = f"{os.path.relpath(paths.packets, paths.root)}  ({_count(len(heads))})"
    raise NotFound(
        "No packet of this project waits.", where=where, next='thruline handoff "what the next session is for"'
    )


def write_packet(
    paths: ProjectPaths, purpose: str, render: Callable[[str], bytes], moment: datetime | None = None
) -> str:
    """Writes a new packet that `render` makes for its id, and returns the id; two of one second get two ids."""
    moment = moment or read_clock()
    with _lock(paths):
        taken = set(find_packet_ids(paths))
        while (packet_id := build_packet_id(moment, purpose)) in taken:
            moment += timedelta(seconds=1)
        write_bytes(build_packet_path(paths, packet_id), render(packet_id))
    return packet_id


def change_packet(paths: ProjectPaths, packet_id: str, edit: Callable[[Packet], bytes]) -> Packet:
    """Changes a packet as it is now; an `edit` that raises leaves it untouched."""
    with _lock(paths):
        path = build_packet_path(paths, packet_id)
        before = read_bytes(path)
        made = edit(parse_packet(before, path))
        after = parse_packet(made, path)
        if made != before:
            write_bytes(path, made)
    return after


def drop_packet(paths: ProjectPaths, packet_id: str) -> str:
    """Takes a packet out of the project's packets and returns where it lies now: dropped is not deleted."""
    with _lock(paths):
        path = build_packet_path(paths, packet_id)
        read_bytes(path)  # tells whether there is one
        folder = os.path.join(paths.scratch, "packets")
        aside = os.path.join(folder, packet_id + END)
        if paths.marked:
            check_inside(paths.root, aside)
        number = 1
        while os.path.lexists(aside):  # dropped before and made again: neither takes the other's place
            aside = os.path.join(folder, f"{packet_id}.{(number := number + 1)}{END}")
        try:
            make_folders(folder)
            move_over(path, aside)
            for each in (paths.packets, folder):
                sync_folder(each)
        except OSError as error:
            raise build_disk_error(error, "move", path) from None
    return aside


def _lock(paths: ProjectPaths) -> Lock:
    path = os.path.join(paths.cache, "packets.lock")
    if paths.marked:
        check_inside(paths.root, path)
    try:
        make_folders(paths.cache, 0o700)
    except OSError as error:
        raise build_disk_error(error, "make", paths.cache) from None
    return Lock(path)


def _count(number: int) -> str:
    return f"{number} packet" if number == 1 else f"{number} packets"
