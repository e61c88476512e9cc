"""Sessions into the ark. What is done is done: an interrupted run goes on where it stopped."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from thruline.ark.store import Ark
from thruline.config import load_config
from thruline.config.schema import Ark as Settings
from thruline.disk.faults import EDQUOT, ENOSPC
from thruline.errors import DiskError, Refused, ThrulineError
from thruline.layout import find_user_paths
from thruline.operations.archive.candidates import (
    LEADS_OUT,
    PACKED,
    Candidate,
    find_candidates,
    find_packed,
    find_sources,
)
from thruline.operations.archive.excluded import Exclusions
from thruline.operations.archive.limits import Dropped, drop_old, drop_oldest, is_too_old

# Told while reading: which session of how many, and the bytes that were looked at, of how many.
Progress = Callable[[int, int, int, int], None]
Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file that was not taken."""

    path: str
    what: str


@dataclass
class Archiving:
    """What a run did. `read` and `written` are bytes; `size` is what the ark takes now.

    `excluded_kept` were archived before they were excluded, and stay until they are forgotten.
    """

    archived: list[str] = field(default_factory=list)
    unchanged: int = 0
    excluded: int = 0
    excluded_kept: list[str] = field(default_factory=list)
    too_old: int = 0
    read: int = 0
    written: int = 0
    size: int = 0
    dropped: list[Dropped] = field(default_factory=list)
    problems: list[Trouble] = field(default_factory=list)


def load_settings() -> Settings:
    """The ark's settings; Refused until the user has said yes to it."""
    # Without a project: only what it excludes is a project's to say, and that is asked for each session's own.
    settings = load_config(None, find_user_paths(), os.environ).ark
    if not settings.enabled:
        raise Refused(
            "The ark is off: no transcript is copied until you say so.",
            where="ark.enabled = false",
            next="thruline config set ark.enabled true",
        )
    return settings


def archive_all(progress: Progress | None = None) -> Archiving:
    """Every session of every client, newest first."""
    settings = load_settings()
    done = _archive(find_candidates(), settings, progress, fresh=False)
    done.problems += [Trouble(path, PACKED) for path in find_packed()]
    return done


def archive_one(candidate: Candidate, *, fresh: bool = False) -> Archiving:
    """One session. What the user excluded is refused rather than passed over in silence."""
    settings = load_settings()
    glob = Exclusions().find(candidate)
    if glob:
        raise Refused(
            "This session is excluded from the ark.",
            where=f"ark.exclude has {glob!r}",
            next="thruline config get ark.exclude",
        )
    if is_too_old(settings, candidate.mtime):
        raise Refused(
            f"This session is older than {settings.keep_days} days; the ark would drop it at once.",
            where="ark.keep_days",
            next="thruline config set ark.keep_days 0",
        )
    return _archive([candidate], settings, None, fresh=fresh)


def _archive(candidates: list[Candidate], settings: Settings, progress: Progress | None, *, fresh: bool) -> Archiving:
    user = find_user_paths()
    ark = Ark(user.ark, load_config(None, user, os.environ).disk.lock_seconds)
    done = Archiving()
    exclusions = Exclusions()
    try:
        done.dropped += drop_old(ark, settings)
    except ThrulineError as error:
        _note(done, error, ark.folder)
    total = sum(each.size for each in candidates)
    seen = 0
    for number, candidate in enumerate(candidates, 1):
        told = None if progress is None else partial(_tell, progress, number, len(candidates), seen, total)
        full = _take(ark, candidate, settings, exclusions, done, told, fresh=fresh, left=len(candidates) - number)
        seen += candidate.size
        if told is not None:
            told(candidate.size)
        if full:
            break
    done.size = ark.find_size()
    return done


def _tell(progress: Progress, number: int, count: int, before: int, total: int, now: int) -> None:
    # With its subagents a session may hold more than its transcripts, by which the total was counted.
    progress(number, count, min(before + now, total), total)


def _take(
    ark: Ark,
    candidate: Candidate,
    settings: Settings,
    exclusions: Exclusions,
    done: Archiving,
    told: Told | None,
    *,
    fresh: bool,
    left: int,
) -> bool:
    """Archives one session; True where the ark is full of younger ones, so that older ones need not be tried."""
    name = candidate.session_id
    if is_too_old(settings, candidate.mtime):
        done.too_old += 1
        return False
    try:
        sources, refused = find_sources(candidate)
        if exclusions.find(candidate):
            done.excluded += 1
            if ark.entries.read(candidate.harness.name, name) is not None:
                done.excluded_kept.append(name)
            return False
        done.problems += [Trouble(path, LEADS_OUT) for path in refused]
        if not fresh and ark.is_kept(candidate.harness.name, name, sources):
            done.unchanged += 1
            return False
        made = ark.archive(candidate.harness.name, name, sources, fresh=fresh, most=settings.max_bytes, told=told)
    except ThrulineError as error:
        if is_disk_full(error):
            raise DiskError(
                f"The disk is full: {name} and {left} older session{'' if left == 1 else 's'} were not archived.",
                where=error.where,
                next="free some space on this disk, then run it again; what was archived stays",
            ) from error
        _note(done, error, candidate.files[0])
        return False
    done.archived.append(name)
    done.read += made.read
    done.written += made.written
    done.problems += [Trouble(missed.path, missed.what) for missed in made.missed]
    try:
        dropped = drop_oldest(ark, settings)
    except ThrulineError as error:
        _note(done, error, ark.folder)
        return False
    done.dropped += dropped
    return any(each.session == name for each in dropped)


def is_disk_full(error: ThrulineError) -> bool:
    """Whether a full disk, or a used-up quota, is behind the error: the next session would fail as well."""
    cause = error.__cause__ or error.__context__
    return isinstance(cause, OSError) and cause.errno in (ENOSPC, EDQUOT)


def _note(done: Archiving, error: ThrulineError, where: str) -> None:
    trouble = Trouble(error.where or where, error.what)
    # A damaged entry is in the way of every session that would have to be dropped; once told is enough.
    if trouble not in done.problems:
        done.problems.append(trouble)
