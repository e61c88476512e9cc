"""Drafts that nobody touched since they were made: made again of the same session, a packet takes its draft's place.

A note beside the brief of a relay holds the digest of the draft as it was written. Who edits it, activates it or drops
it, by a verb or by hand, keeps it: its bytes are others from then on, and the next relay writes a packet of its own.
"""

import hashlib
import os
from dataclasses import dataclass
from datetime import datetime

from thruline.artifacts.stamp import END
from thruline.clock import parse_time
from thruline.disk.atomic import write_bytes
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.packets.store import read_packet
from thruline.operations.stamped import find_stamped_ids

MADE = ".made"
_LARGEST = 1 << 10


@dataclass(frozen=True, slots=True)
class Untouched:
    """A draft as it was made: its id, the digest of its bytes, and when."""

    id: str
    digest: str
    made: datetime


def find_untouched(paths: ProjectPaths, session: str, purpose: str) -> Untouched | None:
    """The newest draft of that session for that purpose that is as it was made."""
    for packet_id in find_stamped_ids(paths.packets):
        try:
            digest = read_capped(_build_path(paths, packet_id), _LARGEST).decode("ascii", "replace").strip()
            packet = read_packet(paths, packet_id)
            if (packet.status, packet.session_id, packet.purpose) == ("draft", session, purpose):
                return Untouched(packet_id, digest, parse_time(packet.created_at))
        except (ThrulineError, ValueError):
            continue  # none that a relay made, or none that can be read
    return None


def note_made(paths: ProjectPaths, packet_id: str, data: bytes) -> None:
    """Remembers what was written."""
    path = _build_path(paths, packet_id)
    if paths.marked:
        check_inside(paths.root, path)
    write_bytes(path, hashlib.sha256(data).hexdigest().encode("ascii") + b"\n", mode=0o600)


def build_brief_path(paths: ProjectPaths, packet_id: str) -> str:
    """The whole brief of a relay, where nothing is tracked or told: for a person who wants more than the packet."""
    return os.path.join(find_briefs_folder(paths), packet_id + END)


def find_briefs_folder(paths: ProjectPaths) -> str:
    """Where briefs of relays lie, and the notes about their packets."""
    return os.path.join(paths.scratch, "briefs")


def _build_path(paths: ProjectPaths, packet_id: str) -> str:
    return os.path.join(find_briefs_folder(paths), packet_id + MADE)
