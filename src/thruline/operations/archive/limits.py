"""What the ark drops so that it stays as young and as small as the user wants it."""

import time
from dataclasses import dataclass

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.config.schema import Ark as Settings

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
    """Drops the oldest sessions until the ark is within `ark.max_bytes`."""
    dropped: list[Dropped] = []
    while settings.max_bytes and ark.find_size() > settings.max_bytes:
        # What a session shares with others is not freed with it, so how many must go is seen only by looking again.
        oldest = min(ark.entries.read_all(), key=lambda entry: entry.mtime, default=None)
        if oldest is None:
            break
        dropped += _drop(ark, [oldest], f"the ark is over {settings.max_bytes:,} bytes")
    return dropped


def _drop(ark: Ark, entries: list[Entry], why: str) -> list[Dropped]:
    ark.forget([(entry.shelf, entry.name) for entry in entries])
    return [Dropped(entry.name, entry.members[0].path if entry.members else "", why) for entry in entries]
