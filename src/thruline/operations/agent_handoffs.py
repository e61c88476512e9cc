"""`signal write|check` and `continue`: what agents and sessions left here for whoever goes on."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from thruline.artifacts.agent_handoff import (
    AgentHandoff,
    build_agent_name,
    find_agent_handoffs,
    parse_agent_handoff,
    render_agent_handoff,
)
from thruline.artifacts.handoff import SEEN, HandoffHead, find_handoffs, parse_handoff
from thruline.artifacts.signal import BLOCKED, STATUSES, Signal, is_task_id
from thruline.brief.attempts.inert import render_words
from thruline.clock import read_clock
from thruline.disk.atomic import Lock, make_folders, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import NotFound, Refused, ThrulineError, UsageError
from thruline.layout import ProjectPaths
from thruline.redact import redact

_LARGEST = 4 << 20


@dataclass(frozen=True, slots=True)
class Continued:
    """What is to be known first. `blocked` are the agents' handoffs that wait for an answer, newest first.

    `handoff` is the newest session's, "" where there is none; `brief` its text; `warnings` name file and line.
    """

    blocked: tuple[AgentHandoff, ...]
    handoff: str
    head: HandoffHead | None
    brief: str
    newer: tuple[AgentHandoff, ...]
    warnings: tuple[str, ...]


def write_signal(paths: ProjectPaths, signal: Signal, sections: Mapping[str, Sequence[str]]) -> str:
    """Writes an agent's handoff and returns its path; two of one task in one second get two names."""
    if not is_task_id(signal.task_id):
        raise Refused(
            f'"{signal.task_id:.80}" cannot be the id of a task.',
            where="TASK",
            next="letters, digits, _, - and . only, no path and no option",
        )
    if signal.status not in STATUSES:
        raise UsageError(f'No status "{signal.status:.40}".', where="--status", next="one of " + ", ".join(STATUSES))
    if signal.status == BLOCKED and not (signal.blocking or signal.open_questions):
        raise UsageError("What blocks it?", where="--status blocked", next="say it with --blocking or --question")
    clean = Signal(
        sender=_clean(signal.sender),
        receiver=_clean(signal.receiver),
        task_id=signal.task_id,
        status=signal.status,
        files_modified=tuple(map(_clean, signal.files_modified)),
        open_questions=tuple(map(_clean, signal.open_questions)),
        blocking=_clean(signal.blocking),
    )
    texts = {title: [render_words(_clean(item)) for item in items] for title, items in sections.items()}
    folder = _check(paths, paths.handoffs)
    moment = read_clock()
    try:
        make_folders(folder)
        make_folders(paths.cache, 0o700)
    except OSError as error:
        raise build_disk_error(error, "make", folder) from None
    with Lock(_check(paths, os.path.join(paths.cache, "agent-handoffs.lock"))):
        while os.path.lexists(path := os.path.join(folder, build_agent_name(clean.task_id, moment))):
            moment += timedelta(seconds=1)
        write_bytes(path, render_agent_handoff(clean, moment, texts), mode=0o600)
    return path


def read_agent_handoffs(paths: ProjectPaths, task_id: str = "") -> list[AgentHandoff]:
    """The agents' handoffs of the project, newest first; of one task where it is named."""
    found = [_read(path, paths) for path in find_agent_handoffs(paths.handoffs)]
    return [one for one in found if task_id in ("", one.task_id)]


def check_signals(paths: ProjectPaths, which: str = "") -> list[AgentHandoff]:
    """The handoffs that `which` names (a file or a task; else all), each with what is wrong with it."""
    if which and os.path.isfile(which):  # the user's own words: any file, by whatever links
        return [_read(os.path.abspath(which))]
    found = read_agent_handoffs(paths, which)
    if which and not found:
        raise NotFound(f'No agent handoff of "{which:.80}".', where=paths.handoffs, next="thruline signal check")
    return found


def continue_here(paths: ProjectPaths) -> Continued:
    """What waits in this project: agents that are blocked since the last session, then that session's handoff."""
    newest, raw, head, warnings = _find_newest(paths)
    stamp = os.path.basename(newest).removeprefix("handoff-").removesuffix(".md")
    agents = [one for one in read_agent_handoffs(paths) if one.stamp > stamp]
    # Of each task what it said last: one that was blocked and came through is no longer in the way.
    last = {one.task_id: one for one in reversed(agents) if one.signal is not None}
    told = [one for one in agents if last.get(one.task_id) is one]
    return Continued(
        blocked=tuple(one for one in told if one.signal is not None and one.signal.status == BLOCKED),
        handoff=newest,
        head=head,
        brief=_find_body(raw) if head is not None else "",
        newer=tuple(one for one in told if one.signal is not None and one.signal.status != BLOCKED),
        warnings=(*warnings, *_tell_problems(paths, agents)),
    )


def _find_newest(paths: ProjectPaths) -> tuple[str, bytes, HandoffHead | None, list[str]]:
    """The newest session handoff that is one, what it says, and a warning for each newer file that is none."""
    warnings: list[str] = []
    sessions = [*find_handoffs(paths.handoffs), *find_handoffs(os.path.join(paths.handoffs, SEEN))]
    for path in sorted(sessions, key=os.path.basename, reverse=True):
        raw, trouble = _read_raw(path, paths)
        head = parse_handoff(raw, path)
        if head is not None and not trouble:
            return path, raw, head, warnings
        warnings.append(f"{os.path.relpath(path, paths.root)}: {trouble or 'it is no handoff of ours'}")
    return "", b"", None, warnings


def _tell_problems(paths: ProjectPaths, agents: Iterable[AgentHandoff]) -> list[str]:
    return [f"{os.path.relpath(one.path, paths.root)}:{line}: {what}" for one in agents for line, what in one.problems]


def _find_body(raw: bytes) -> str:
    from thruline.artifacts.frontmatter import parse_document

    return parse_document(raw, "").body.decode("utf-8", "replace")


def _read(path: str, paths: ProjectPaths | None = None) -> AgentHandoff:
    raw, trouble = _read_raw(path, paths)
    found = parse_agent_handoff(raw, path)
    return replace(found, problems=((1, trouble),)) if trouble else found


def _read_raw(path: str, paths: ProjectPaths | None = None) -> tuple[bytes, str]:
    """A file's content, or why there is none: what lies in a project is no link, no pipe and not endless."""
    try:
        return read_capped(_check(paths, path) if paths else path, _LARGEST), ""
    except ThrulineError as error:
        return b"", error.what


def _check(paths: ProjectPaths, path: str) -> str:
    if paths.marked:
        check_inside(paths.root, path)
    return path


def _clean(text: str) -> str:
    return redact(" ".join(text.split())).text
