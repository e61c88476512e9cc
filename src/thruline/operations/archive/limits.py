"""What the ark drops so that it stays as young and as small as the user wants it."""

import os
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.config.schema import Ark as Settings
from thruline.errors import ThrulineError
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.transcripts import is_there

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Dropped:
    """A session that the ark no longer has, and why."""

    session: str
    path: str
    why: str


def is_too_old(settings: Settings, mtime: float) -> bool:
    """Whether a session last written at `mtime` is older than `ark.keep_days`."""
    return bool(settings.keep_days) and mtime < time.time() - settings.keep_days * _DAY


def drop_old(ark: Ark, settings: Settings) -> list[Dropped]:
    """Drops what is older than `ark.keep_days`."""
    if not settings.keep_days:
        return []
    old = [entry for entry in ark.entries.read_all() if is_too_old(settings, entry.mtime)]
    return _drop(ark, old, f"older than {settings.keep_days} days")


def drop_oldest(ark: Ark, settings: Settings) -> list[Dropped]:
    """Drops sessions until the ark is within `ark.max_bytes`: those that the client still has first, the oldest first.

    What only the ark has goes last: nobody could archive it again.
    """
    dropped: list[Dropped] = []
    if not settings.max_bytes or ark.find_size() <= settings.max_bytes:
        return dropped
    ark.collect()
    while (excess := ark.find_size() - settings.max_bytes) > 0:
        chosen = _choose(ark, list(ark.entries.read_all()), excess)
        if not chosen:
            break
        dropped += _drop(ark, chosen, f"the ark is over {settings.max_bytes:,} bytes")
    return dropped


def _choose(ark: Ark, entries: list[Entry], excess: int) -> list[Entry]:
    """The entries whose going frees `excess` bytes, and none that need not go."""
    sizes = ark.find_block_sizes()
    users = Counter(digest for entry in entries for digest in entry.digests())
    order = sorted(entries, key=lambda entry: (not _client_has(entry), entry.mtime))
    chosen: list[Entry] = []
    freed = 0
    for entry in order:
        if freed >= excess:
            break
        chosen.append(entry)
        users.subtract(entry.digests())
        freed += ark.find_entry_size(entry) + _sum(sizes, (each for each in entry.digests() if not users[each]))
    # The last ones may have freed enough without the first.
    for entry in reversed(chosen[:-1]):
        cost = ark.find_entry_size(entry) + _sum(sizes, (each for each in entry.digests() if not users[each]))
        if freed - cost >= excess:
            freed -= cost
            users.update(entry.digests())
            chosen.remove(entry)
    return chosen


def _sum(sizes: dict[str, int], digests: Iterable[str]) -> int:
    return sum(sizes.get(digest, 0) for digest in digests)


def _client_has(entry: Entry) -> bool:
    harness = next((each for each in HARNESSES if each.name == entry.shelf), None)
    paths = [member.path for member in entry.members if member.kind == "session"]
    try:
        return any(is_there(harness, path) if harness is not None else os.path.lexists(path) for path in paths)
    except ThrulineError:
        return False  # nobody can tell: it goes last, like what only the ark has


def _drop(ark: Ark, entries: list[Entry], why: str) -> list[Dropped]:
    ark.forget([(entry.shelf, entry.name) for entry in entries])
    return [Dropped(entry.name, entry.members[0].path if entry.members else "", why) for entry in entries]
