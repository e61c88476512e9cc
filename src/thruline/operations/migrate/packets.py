"""Handoffs of other tools become packets: planned first, then written, and never twice."""

import os
from dataclasses import dataclass

from thruline.disk.own import read_capped
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.migrate.converting import convert_handoff
from thruline.operations.migrate.handoffs import find_command_files, find_handoff_files
from thruline.operations.packets.drafting import write_draft
from thruline.operations.packets.store import read_packet
from thruline.operations.stamped import find_stamped_ids

ORIGIN = "origin"
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Migrated:
    """One file and the packet it became; `packet` is "" where nothing was written, and `why` tells it."""

    origin: str
    purpose: str
    packet: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A command of a client that does what `instead` does; it stays, and `why` tells why nothing is made of it."""

    path: str
    client: str
    instead: str
    why: str = (
        "it tells a model how to write or read a handoff and holds none, so there is nothing to make a packet of; "
        "handoffs that it wrote are found by themselves, and files of other tools are not changed"
    )


@dataclass(frozen=True, slots=True)
class Migration:
    """What was found. `replaced` are commands of clients that ours take the place of."""

    files: tuple[Migrated, ...]
    replaced: tuple[Replaced, ...]
    dry_run: bool


def migrate_packets(paths: ProjectPaths, *, dry_run: bool = False) -> Migration:
    """Writes a packet for each handoff of another tool that has none yet; with `dry_run` only says so."""
    known = _find_origins(paths)
    made = []
    for name in find_handoff_files(paths):
        converted = convert_handoff(read_capped(os.path.join(paths.root, name), _LARGEST), name, paths.root)
        if name in known:
            made.append(Migrated(name, converted.purpose, known[name], "migrated before"))
        elif dry_run:
            made.append(Migrated(name, converted.purpose))
        else:
            packet_id = write_draft(
                paths,
                converted.purpose,
                origin={"source": "migrate", ORIGIN: name},
                sections=converted.sections,
                suggested=converted.files,
                moment=converted.created,
            )
            made.append(Migrated(name, converted.purpose, packet_id))
    replaced = [
        Replaced(path, title, f"thruline {os.path.splitext(os.path.basename(path))[0]}")
        for path, title in find_command_files(paths, os.path.expanduser("~"))
    ]
    return Migration(tuple(made), tuple(replaced), dry_run)


def _find_origins(paths: ProjectPaths) -> dict[str, str]:
    found = {}
    for packet_id in find_stamped_ids(paths.packets):
        try:
            origin = read_packet(paths, packet_id).document.get(ORIGIN)
        except ThrulineError:
            continue  # told by `packet list`
        if isinstance(origin, str) and origin:
            found[origin] = packet_id
    return found
