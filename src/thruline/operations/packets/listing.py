"""The packets of a project as a list shows them, the one changed last first; on the quick lane."""

import os

from thruline.artifacts.packet_head import PacketHead, scan_head
from thruline.artifacts.stamp import END
from thruline.disk.atomic import BINARY, CLOEXEC
from thruline.disk.inside import check_inside
from thruline.layout import ProjectPaths
from thruline.operations.stamped import Listed, check_stamped_id, find_stamped_ids, read_listed

WORD = "packet"

# Front matter is far shorter; what is longer is read on, to some end.
_HEAD, _LONGEST_HEAD = 8192, 1 << 20
# A pipe that is named like a packet must not be waited for.
_READ = os.O_RDONLY | BINARY | CLOEXEC | getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def list_packets(paths: ProjectPaths) -> "Listed[PacketHead]":
    """Every packet; a file that cannot be read is told and costs no other."""
    ids = find_stamped_ids(paths.packets)
    if ids and paths.marked:
        check_inside(paths.root, paths.packets)

    before = os.path.join(paths.packets, "")  # joined once, and not for each of a thousand

    def read(packet_id: str) -> PacketHead:
        path = before + packet_id + END
        return scan_head(_read_start(paths, path), path, packet_id)

    return read_listed(ids, read)


def build_packet_path(paths: ProjectPaths, packet_id: str) -> str:
    """The file of a packet; its id was checked, so nothing else can be meant."""
    check_stamped_id(packet_id, WORD)
    path = os.path.join(paths.packets, packet_id + END)
    if paths.marked:
        check_inside(paths.root, path)
    return path


def _read_start(paths: ProjectPaths, path: str) -> bytes:
    try:
        # A link is seen by the call that opens it: no look at each of a thousand files before.
        descriptor = os.open(path, _READ | (_NO_LINK if paths.marked else 0))
    except OSError:
        if not os.path.islink(path):
            raise
        check_inside(paths.root, path)
        descriptor = os.open(path, _READ)
    try:
        data = os.read(descriptor, _HEAD)
        while b"\n---" not in data[3:] and len(data) < _LONGEST_HEAD and (more := os.read(descriptor, _LONGEST_HEAD)):
            data += more
        return data
    finally:
        os.close(descriptor)
