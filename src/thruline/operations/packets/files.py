"""`files`: which files people chose for a packet, and which it suggests.

A file that is added or dropped changes the field, its own bullet below Confirmed, and its digest; the rest of the
packet stays as people left it.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from thruline.artifacts.frontmatter import Document
from thruline.artifacts.lines import render_row
from thruline.artifacts.packet import CONFIRMED, Packet, check_writable
from thruline.artifacts.relevant_files import SOURCE_USER, find_inside
from thruline.brief.claims.names import render_path
from thruline.clock import read_clock, render_time
from thruline.disk.atomic import append_lines
from thruline.disk.inside import check_inside
from thruline.errors import NotFound, Refused
from thruline.layout import ProjectPaths
from thruline.operations.packets.freshness import STATE_FIELD, extend_state
from thruline.operations.packets.store import change_packet, find_current, find_packet
from thruline.operations.packets.suggesting import Suggestion, read_logged

_FIELD = "relevant_files_confirmed"


@dataclass(frozen=True, slots=True)
class PacketFiles:
    """The files of a packet: chosen, suggested when it was made, and what the tool log suggests now."""

    packet: str
    confirmed: tuple[str, ...]
    suggested: tuple[str, ...]
    logged: tuple[Suggestion, ...]


def list_files(paths: ProjectPaths, ref: str = "") -> PacketFiles:
    """The lists of a packet; without `ref` of the current one."""
    return _describe(paths, _find(paths, ref))


def add_files(paths: ProjectPaths, names: Sequence[str], ref: str, folder: str) -> PacketFiles:
    """Confirms files, named as seen from `folder`; they are there and inside the project, or nothing is changed."""
    packet = _find(paths, ref)
    wanted = [_name(paths, name, folder, there=True) for name in names]

    def edit(now: Packet) -> bytes:
        document = now.document
        new = [name for name in dict.fromkeys(wanted) if name not in now.confirmed]
        for name in new:
            document = _add_bullet(document, name)
        rows = extend_state(paths, now, new)
        return document.set(_FIELD, [*now.confirmed, *new]).set(STATE_FIELD, rows).render()

    made = _change(paths, packet, edit)
    moment = render_time(read_clock())
    row = {"timestamp": moment, "source": SOURCE_USER, "confidence": 1.0, "packet_id": made.id}
    log = os.path.join(paths.indexes, "relevant-files.jsonl")
    if paths.marked:
        check_inside(paths.root, log)
    append_lines(log, [render_row({"file_path": name, **row}).encode() for name in wanted])
    return _describe(paths, made)


def drop_files(paths: ProjectPaths, names: Sequence[str], ref: str, folder: str) -> PacketFiles:
    """Takes files off the confirmed list; one that is not on it is refused, and nothing is changed."""
    packet = _find(paths, ref)
    wanted = [_name(paths, name, folder, there=False) for name in names]

    def edit(now: Packet) -> bytes:
        missing = [name for name in wanted if name not in now.confirmed]
        if missing:
            raise NotFound(f'"{missing[0]}" is not confirmed.', where=now.document.path, next="thruline files list")
        document = now.document
        for name in wanted:
            document = _drop_bullet(document, name)
        return document.set(_FIELD, [name for name in now.confirmed if name not in wanted]).render()

    return _describe(paths, _change(paths, packet, edit))


def _find(paths: ProjectPaths, ref: str) -> Packet:
    return find_packet(paths, ref) if ref else find_current(paths)


def _change(paths: ProjectPaths, packet: Packet, edit: Callable[[Packet], bytes]) -> Packet:
    def stamp(now: Packet) -> bytes:
        check_writable(now)
        made = edit(now)
        return made if made == now.document.render() else _stamp(made, now.document.path)

    return change_packet(paths, packet.id, stamp)


def _stamp(data: bytes, path: str) -> bytes:
    from thruline.artifacts.frontmatter import parse_document

    return parse_document(data, path).set("updated_at", render_time(read_clock())).render()


def _name(paths: ProjectPaths, name: str, folder: str, *, there: bool) -> str:
    inside = find_inside(name, paths.root, folder) or ("" if there else name)
    if not inside or "\0" in name or "\n" in name:
        raise Refused("A packet names files of its project only.", where=name, next=f"give a path below {paths.root}")
    if there and not os.path.isfile(os.path.join(paths.root, inside)):
        raise NotFound("There is no such file.", where=os.path.join(paths.root, inside), next="check the path")
    return inside


def _add_bullet(document: Document, name: str) -> Document:
    text = document.read_section(CONFIRMED, 3)
    bullet = f"- {render_path(name)}"
    if text is None or bullet in text.splitlines():
        return document
    return document.replace_section(CONFIRMED, f"{text}\n{bullet}" if text else bullet, 3)


def _drop_bullet(document: Document, name: str) -> Document:
    text = document.read_section(CONFIRMED, 3)
    if text is None:
        return document
    bullet = f"- {render_path(name)}"
    kept = [line for line in text.splitlines() if line.rstrip() != bullet and not line.startswith(bullet + " ")]
    return document if len(kept) == len(text.splitlines()) else document.replace_section(CONFIRMED, "\n".join(kept), 3)


def _describe(paths: ProjectPaths, packet: Packet) -> PacketFiles:
    known = {*packet.confirmed, *packet.suggested}
    logged = tuple(each for each in read_logged(paths, read_clock()) if each.path not in known)
    return PacketFiles(packet.id, packet.confirmed, packet.suggested, logged[:10])
