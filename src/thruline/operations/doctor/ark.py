"""What clients are about to delete, and nobody has kept."""

import os
import time

from thruline.ark.store import Ark
from thruline.config.schema import Ark as Settings
from thruline.errors import FormatError, Refused
from thruline.harnesses.transcripts import find_transcripts, read_retention
from thruline.operations.archive.candidates import Candidate, has_content
from thruline.operations.archive.excluded import Exclusions
from thruline.operations.archive.limits import is_too_old
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.session.found import Found

SOON_DAYS = 7
_DAY = 86_400
_SHOWN = 3
# Less room than that is no room for a session: the oldest would go for it.
_NEARLY_FULL = 0.9


def check_ark(around: Surroundings) -> list[Diagnosis]:
    """The ark has all it says it has, and no client is about to delete, within a week, a transcript that it has not."""
    ark = Ark(around.find_user().ark)
    damaged = [
        Diagnosis(Finding("ark", BROKEN, f"{error.what} ({error.where})", error.next))
        for error in ark.entries.find_trouble().values()
    ]
    return damaged + _check_lost(ark) + _check_ending(around, ark)


def _check_lost(ark: Ark) -> list[Diagnosis]:
    lost = [name for shelf, name in sorted(ark.entries.find_names()) if _has_lost(ark, shelf, name)]
    if not lost:
        return []
    more = f", and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    many = f"{len(lost)} sessions" if len(lost) > 1 else "1 session"
    what = f"Blocks of {many} are missing in the ark: {', '.join(lost[:_SHOWN])}{more} ({ark.packs.folder})."
    fix = "put the packs back from a backup; thruline archive --all takes again what clients still have"
    return [Diagnosis(Finding("ark", BROKEN, what, fix))]


def _has_lost(ark: Ark, shelf: str, name: str) -> bool:
    try:
        entry = ark.entries.read(shelf, name)
    except (FormatError, Refused):
        return False  # told by itself
    return entry is not None and not ark.is_whole(entry)


def _check_ending(around: Surroundings, ark: Ark) -> list[Diagnosis]:
    ending = sorted(_find_ending(around, ark), key=lambda pair: pair[0])
    if not ending:
        return [Diagnosis(Finding("ark", OK, "No client is about to delete a transcript that is not in the ark."))]
    rows = [f"{path} ({_tell(days)})" for days, path in ending[:_SHOWN]]
    more = f", and {len(ending) - _SHOWN} more" if len(ending) > _SHOWN else ""
    many = f"{len(ending)} transcripts are" if len(ending) > 1 else "1 transcript is"
    what = f"{many} about to be deleted by the client and not in the ark: {', '.join(rows)}{more}."
    return [Diagnosis(Finding("ark", NOTE, what, _tell_way(around.load_config().ark, ark) + "thruline archive --all"))]


def _tell_way(settings: Settings, ark: Ark) -> str:
    """What must be done before anything can be archived."""
    if not settings.enabled:
        return "thruline config set ark.enabled true, then "
    if settings.max_bytes and ark.find_size() > settings.max_bytes * _NEARLY_FULL:
        return f"the ark is full: raise ark.max_bytes (now {settings.max_bytes}), then "
    return ""


def _find_ending(around: Surroundings, ark: Ark) -> list[tuple[float, str]]:
    # Days that are left, and the file.
    env, home = dict(around.env), around.find_home()
    limits = [(harness.name, os.path.join(folder, ""), days) for harness, folder, days in read_retention(env, home)]
    if not limits:
        return []
    settings = around.load_config().ark
    exclusions = Exclusions()
    now = time.time()
    ending = []
    for harness, found in find_transcripts(env, home):
        days = min((d for name, top, d in limits if name == harness.name and found.path.startswith(top)), default=None)
        if days is None or found.kind != "session" or not has_content(harness, found):
            continue
        left = days - (now - found.mtime) / _DAY
        if left > SOON_DAYS or is_too_old(settings, found.mtime) or _is_kept(ark, harness.name, found):
            continue  # what the ark would drop at once is the user's own wish
        if not exclusions.find(Candidate(harness, found.session_id, (found.path,), found.size, found.mtime)):
            ending.append((left, found.path))
    return ending


def _is_kept(ark: Ark, shelf: str, found: Found) -> bool:
    try:
        entry = ark.entries.read(shelf, found.session_id)
    except (FormatError, Refused):
        return False  # told by itself
    return entry is not None and any(
        (member.path, member.size, member.mtime) == (found.path, found.size, found.mtime) and ark.is_whole(member)
        for member in entry.members
    )


def _tell(days: float) -> str:
    if days < 0:
        return "at its next start"
    return "within a day" if days < 1 else f"in {days:.0f} day{'' if round(days) == 1 else 's'}"
