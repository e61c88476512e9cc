"""Which files the next session may need: what the session changed, and what the project's tool log knows.

Ranked by recency and kind of touch: a file that was written counts more than one that was only there, and of two the
later one comes first. A session's own files come before those of other sessions.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from thruline.artifacts.lines import read_rows
from thruline.artifacts.relevant_files import CONFIDENCE, SOURCE_TOOL, find_inside
from thruline.brief.quotation.quote import CUT
from thruline.clock import parse_time
from thruline.engines.rules.files import Touched
from thruline.layout import ProjectPaths

MOST_FILES = 20
_LOG = "relevant-files.jsonl"
_DAY = 86_400.0
# Of other sessions' files, those older than this are nobody's context any more.
_OLDEST_DAYS = 14
# How much the oldest touch of a session counts beside its newest, and what another touch adds.
_EARLY, _AGAIN, _MOST_AGAIN = 0.5, 0.02, 5


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A file of the project, relative to its root; `how` it was touched, and `when` where the log tells."""

    path: str
    how: str
    score: float
    when: str = ""


def suggest_files(paths: ProjectPaths, touched: Sequence[Touched], folder: str, now: datetime) -> list[Suggestion]:
    """The files of one session, whose folder was `folder`, then of others that the log remembers; the best first."""
    found = {each.path: each for each in reversed(rank_touched(paths, touched, folder))}
    gone = {find_inside(each.path, paths.root, folder) for each in touched if not _is_there(each)}
    for each in read_logged(paths, now):
        if each.path not in found and each.path not in gone:
            found[each.path] = each
    return sorted(found.values(), key=lambda each: (-each.score, each.path))[:MOST_FILES]


def rank_touched(paths: ProjectPaths, touched: Sequence[Touched], folder: str) -> list[Suggestion]:
    """The session's own files."""
    there = [each for each in touched if _is_there(each)]
    last = max((each.line for each in there), default=1)
    made = []
    for each in there:
        recency = _EARLY + (1 - _EARLY) * each.line / last
        again = _AGAIN * min(each.touches - 1, _MOST_AGAIN)
        name = find_inside(each.path, paths.root, folder) or each.name
        made.append(Suggestion(name, each.how, 1 + CONFIDENCE.get(each.how, 0.5) * recency + again))
    return sorted(made, key=lambda each: -each.score)


def read_logged(paths: ProjectPaths, now: datetime, since: str = "") -> list[Suggestion]:
    """The files of the project's log that are still there, each once, by its newest row; of those after `since`."""
    found: dict[str, Suggestion] = {}
    for row in read_rows(os.path.join(paths.indexes, _LOG)):
        path, how, when = row.get("file_path"), row.get("how", "edited"), row.get("timestamp")
        if not isinstance(path, str) or not isinstance(how, str) or row.get("outside") or not _is_name(paths, path):
            continue
        moment = _parse(when)
        if moment is None or (since and str(when) <= since):
            continue
        days = max(0.0, (now - moment).total_seconds()) / _DAY
        if row.get("source", SOURCE_TOOL) != SOURCE_TOOL or days > _OLDEST_DAYS or how == "deleted":
            found.pop(path, None)
            continue
        found[path] = Suggestion(path, how, CONFIDENCE.get(how, 0.5) / (1 + days), str(when))
    there = [each for each in found.values() if os.path.isfile(os.path.join(paths.root, each.path))]
    return sorted(there, key=lambda each: (-each.score, each.path))


def join_names(*lists: Iterable[str]) -> tuple[str, ...]:
    """The names of all lists, each once, in their order."""
    return tuple(dict.fromkeys(name for each in lists for name in each))


def _is_there(touched: Touched) -> bool:
    # A file elsewhere is no file of this project, and its path would tell of one machine.
    return touched.how not in ("deleted", "gone") and not touched.name.startswith(("/", "~", CUT))


def _is_name(paths: ProjectPaths, path: str) -> bool:
    return bool(path) and "\0" not in path and bool(find_inside(path, paths.root, paths.root))


def _parse(when: object) -> datetime | None:
    try:
        return parse_time(when) if isinstance(when, str) else None
    except ValueError:
        return None
