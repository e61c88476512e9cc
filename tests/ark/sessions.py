"""Transcripts for the ark's tests: lines as clients write them, forks of them, and an ark to put them in."""

import json
import random
from pathlib import Path

from thruline.ark.entry import Entry, Source
from thruline.ark.store import Archived, Ark

SHELF = "some-client"
PARENT = "11111111-2222-4333-8444-555555555555"
FORKS = [f"{number:08d}-2222-4333-8444-555555555555" for number in range(5)]


def build_lines(count: int, session: str = PARENT, seed: int = 1, size: int = 2000) -> list[bytes]:
    """Records with the session's id in each, of about `size` bytes that compress as text does."""
    made = random.Random(seed)
    lines = []
    for number in range(count):
        text = " ".join(made.choices(("alpha", "beta", "gamma", "delta", "epsilon"), k=made.randint(1, size // 3)))
        record = {"sessionId": session, "n": number, "uuid": f"{made.getrandbits(128):032x}", "text": text}
        lines.append(json.dumps(record).encode() + b"\n")
    return lines


def fork(data: bytes, session: str, old: str = PARENT) -> bytes:
    """The same records under another session id."""
    return data.replace(old.encode(), session.encode())


def keep(ark: Ark, path: Path | str, name: str = PARENT, **options: bool) -> Archived:
    """Archives one file that grows, under `name`."""
    return ark.archive(SHELF, name, [Source(str(path), "session", name, grows=True)], **options)


def read_back(ark: Ark, name: str = PARENT) -> list[bytes]:
    """What the ark has of every file of an entry."""
    entry = ark.get(SHELF, name)
    return [b"".join(ark.read(member)) for member in entry.members]


def find_used(ark: Ark) -> set[str]:
    """Blocks that entries need."""
    return {digest for entry in ark.entries.read_all() for digest in entry.digests()}


def find_stored(ark: Ark) -> list[str]:
    """Blocks that packs hold, as often as they do."""
    ark.packs.refresh()
    return [place.digest.hex() for places in ark.packs.places.values() for place in places]


def list_litter(ark: Ark) -> list[str]:
    """Temporary files."""
    return [str(path) for path in Path(ark.folder).rglob("*.tmp")]


def find_entry(ark: Ark, name: str = PARENT) -> Entry | None:
    """The entry, or None."""
    return ark.entries.read(SHELF, name)
