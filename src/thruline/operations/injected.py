"""What we told which session's model, when and why: the hooks' own log, read back.

Also what lies ready to be told, so that a person can see it before a model does.
"""

import os
from dataclasses import dataclass
from typing import Any

from thruline.artifacts.lines import parse_row, read_rows
from thruline.disk.own import read_own
from thruline.errors import NotFound, ThrulineError, UsageError
from thruline.layout import HookPaths, UserPaths, build_project_key, find_root
from thruline.operations.sessions.locate import locate
from thruline.operations.work.fold import render_moment

WHY = {
    "start": "a line about the last session, at every start",
    "resume": "notes of an earlier session, once, to the next one",
    "late": "notes that were made after this session's start",
    "user": "a word to the person, not to the model",
    "keep": "what a compaction must keep",
    "loop": "the prompt of a loop that its user started, or how far it came",
}
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Told:
    """One text that a session was told. `about` is the session it was about; `text` is empty where it is gone."""

    at: str
    harness: str
    session: str
    event: str
    kind: str
    why: str
    about: str
    characters: int
    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """One text that lies ready, and where; `to` is the session it is for, "" where it is for whoever comes next."""

    kind: str
    harness: str
    to: str
    about: str
    characters: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Injected:
    """What was told, oldest first, and what will be. `session` is the one that was asked for, "" for all of `root`."""

    told: tuple[Told, ...]
    ready: tuple[Ready, ...]
    root: str
    session: str = ""


def find_injected(user: UserPaths, folder: str, ref: str = "") -> Injected:
    """What sessions of the project at `folder` were told; with `ref`, what that one session of any project was.

    `ref` is the beginning of its id, a transcript's path, `latest` or `current`.
    """
    root = find_root(folder).path
    hooks = HookPaths(user.state, build_project_key("", root))
    if not ref:
        return Injected(tuple(_read_told(hooks.injected)), tuple(_find_ready(hooks)), root)
    if ref in ("current", "latest") or os.sep in ref or ref.endswith(".jsonl"):
        ref = locate(ref, folder=folder).session_id
    found = [told for path in _find_logs(user) for told in _read_told(path) if told.session.startswith(ref)]
    found = [told for told in found if told.session == ref] or found
    if len({told.session for told in found}) > 1:
        names = ", ".join(sorted({told.session for told in found})[:8])
        raise UsageError(f'"{ref}" fits several sessions.', where=names, next="give more characters of the id")
    session = found[0].session if found else _find_session(user, folder, ref)
    return Injected(tuple(found), (), root, session)


def _find_session(user: UserPaths, folder: str, ref: str) -> str:
    """The id of a session that was told nothing, but is there."""
    try:
        return locate(ref, folder=folder).session_id
    except (NotFound, UsageError):
        what = f'Nothing was told to a session "{ref}", and none of that name is known.'
        raise NotFound(what, where=user.injected, next="thruline injected") from None


def _find_logs(user: UserPaths) -> list[str]:
    try:
        names = os.listdir(user.injected)
    except OSError:
        return []
    return [os.path.join(user.injected, name) for name in sorted(names) if name.endswith(".jsonl")]


def _read_told(path: str) -> list[Told]:
    return [
        Told(
            render_moment(float(row["at"])) if isinstance(row.get("at"), int | float) else "",
            _text(row, "harness"),
            _text(row, "session"),
            " ".join(filter(None, (_text(row, "event"), _text(row, "source")))),
            _text(row, "kind"),
            WHY.get(_text(row, "kind"), ""),
            _text(row, "from"),
            row["characters"] if isinstance(row.get("characters"), int) else len(_text(row, "text")),
            _text(row, "text"),
        )
        for row in read_rows(path)
    ]


def _find_ready(hooks: HookPaths) -> list[Ready]:
    found = []
    for folder, _, names in sorted(os.walk(hooks.ready)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            try:
                row = parse_row(read_own(path, _LARGEST)) if name.endswith(".json") else {}
            except ThrulineError:
                continue  # claimed by a hook in this moment
            if "text" in row:
                parts = os.path.relpath(path, hooks.ready).removesuffix(".json").split(os.sep)
                to = parts[2] if len(parts) > 2 else ""
                text = _text(row, "text")
                found.append(Ready(_text(row, "kind"), parts[1], to, _text(row, "from"), len(text), path, text))
    return found


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
