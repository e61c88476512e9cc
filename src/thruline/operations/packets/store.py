"""Where packets lie and how one is named: by its id, a beginning of it, or words of its purpose's slug.

Several processes may work on one packet: a change reads the file again under a lock and writes it whole.
"""

import hashlib
import os
from collections.abc import Callable
from datetime import datetime

from thruline.artifacts.packet import LONGEST_SLUG, Packet, parse_packet
from thruline.artifacts.slug import build_stamped_id
from thruline.artifacts.stamp import END
from thruline.clock import read_clock
from thruline.disk.atomic import Lock, make_folders, move_over, sync_folder, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import NotFound, UsageError
from thruline.layout import ProjectPaths
from thruline.operations.packets.listing import WORD, build_packet_path, list_packets
from thruline.operations.stamped import find_stamped, find_stamped_ids, render_count

_LARGEST = 4 << 20  # bytes; a pipe in its place is refused as well


def read_packet(paths: ProjectPaths, packet_id: str) -> Packet:
    """The packet of exactly this id."""
    path = build_packet_path(paths, packet_id)
    return parse_packet(read_capped(path, _LARGEST), path)


def find_packet(paths: ProjectPaths, ref: str) -> Packet:
    """The one packet that `ref` names."""
    folder = os.path.relpath(paths.packets, paths.root)
    return read_packet(paths, find_stamped(find_stamped_ids(paths.packets), ref, WORD, folder))


def find_current(paths: ProjectPaths) -> Packet:
    """The newest active packet, else the newest draft."""
    heads = list_packets(paths).heads
    for status in ("active", "draft"):
        for head in heads:
            if head.status == status:
                return read_packet(paths, head.id)
    where = f"{os.path.relpath(paths.packets, paths.root)}  ({render_count(len(heads), WORD)})"
    raise NotFound(
        "No packet of this project waits.", where=where, next='thruline handoff "what the next session is for"'
    )


def write_packet(
    paths: ProjectPaths, purpose: str, render: Callable[[str], bytes], moment: datetime | None = None
) -> str:
    """Writes a new packet that `render` makes for its id, and returns the id; two of one second get two ids."""
    if not purpose.strip():
        raise UsageError("A packet needs a purpose.", where="thruline handoff", next="say what the next session is for")
    moment = moment or read_clock()
    with _lock(paths):
        packet_id = build_stamped_id(moment, purpose, LONGEST_SLUG, find_stamped_ids(paths.packets))
        write_bytes(build_packet_path(paths, packet_id), render(packet_id))
    return packet_id


def replace_packet(paths: ProjectPaths, packet_id: str, digest: str, make: Callable[[bytes], bytes]) -> bool:
    """Puts what `make` makes of a packet's bytes in its place where they have that digest; else nothing happens."""
    with _lock(paths):
        path = build_packet_path(paths, packet_id)
        try:
            before = read_capped(path, _LARGEST)
        except NotFound:
            return False
        if hashlib.sha256(before).hexdigest() != digest:
            return False
        if (after := make(before)) != before:
            write_bytes(path, after)
    return True


def change_packet(paths: ProjectPaths, packet_id: str, edit: Callable[[Packet], bytes]) -> Packet:
    """Changes a packet as it is now; an `edit` that raises leaves it untouched."""
    with _lock(paths):
        path = build_packet_path(paths, packet_id)
        before = read_capped(path, _LARGEST)
        made = edit(parse_packet(before, path))
        after = parse_packet(made, path)
        if made != before:
            write_bytes(path, made)
    return after


def drop_packet(paths: ProjectPaths, packet_id: str) -> str:
    """Takes a packet out of the project's packets and returns where it lies now: dropped is not deleted."""
    with _lock(paths):
        path = build_packet_path(paths, packet_id)
        read_capped(path, _LARGEST)  # tells whether there is one
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
