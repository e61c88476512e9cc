"""The packets of a project as a list shows them, the one changed last first; on the quick lane."""

import os

from thruline.artifacts.packet_head import END, PacketHead, is_packet_id, scan_head
from thruline.disk.atomic import BINARY, CLOEXEC
from thruline.disk.inside import check_inside
from thruline.errors import Refused, ThrulineError
from thruline.layout import ProjectPaths

# Front matter is far shorter; what is longer is read whole.
_HEAD = 8192
# A pipe that is named like a packet must not be waited for.
_READ = os.O_RDONLY | BINARY | CLOEXEC | getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class Listed:
    """The packets of a project, and why some of its files are none."""

    __slots__ = ("heads", "problems")

    def __init__(self, heads: "tuple[PacketHead, ...]", problems: "tuple[str, ...]") -> None:
        self.heads = heads
        self.problems = problems


def list_packets(paths: ProjectPaths) -> Listed:
    """Every packet; a file that cannot be read is told and costs no other."""
    heads: list[PacketHead] = []
    problems: list[str] = []
    ids = find_packet_ids(paths)
    if ids and paths.marked:
        check_inside(paths.root, paths.packets)
    for packet_id in ids:
        path = os.path.join(paths.packets, packet_id + END)
        try:
            heads.append(scan_head(_read_start(paths, path), path))
        except ThrulineError as error:
            problems.append(f"{packet_id}: {error.what}")
        except OSError as error:
            problems.append(f"{packet_id}: {error.strerror or error}")
    heads.sort(key=lambda head: (head.updated_at, head.id), reverse=True)
    return Listed(tuple(heads), tuple(problems))


def find_packet_ids(paths: ProjectPaths) -> "list[str]":
    """The ids of all packets, newest first; their files are not opened."""
    try:
        names = os.listdir(paths.packets)
    except OSError:
        return []
    ids = [name[: -len(END)] for name in names if name.endswith(END)]
    return sorted(filter(is_packet_id, ids), reverse=True)


def build_packet_path(paths: ProjectPaths, packet_id: str) -> str:
    """The file of a packet; its id was checked, so nothing else can be meant."""
    if not is_packet_id(packet_id):
        raise Refused(f'"{packet_id:.80}" is no packet id.', where="thruline packet", next="thruline packet list")
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
        while b"\n---" not in data[3:] and (more := os.read(descriptor, 1 << 20)):
            data += more
        return data
    finally:
        os.close(descriptor)
