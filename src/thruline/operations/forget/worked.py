"""What the worker and the hooks keep of a session: events, notes, ready texts, handoffs, rows, what was told."""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from thruline.artifacts import last_session, pre_compact
from thruline.artifacts.handoff import SEEN, find_handoffs, parse_handoff
from thruline.artifacts.lines import parse_row
from thruline.disk.atomic import Lock, write_bytes
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped, read_own
from thruline.errors import NotFound, ThrulineError
from thruline.inject.choose import parse_id
from thruline.layout import HookPaths, ProjectPaths, UserPaths, build_project_key, find_project
from thruline.operations.work.event import find_names
from thruline.operations.work.place import find_keys
from thruline.operations.work.run import BAD, UNFIT
from thruline.operations.work.state import build_key, read_state, write_state

_LARGEST = 256 << 20
Found = Iterator[tuple[str, Callable[[], None]]]


def find_worked(user: UserPaths, projects: tuple[ProjectPaths, ...], harness: str, session: str) -> Found:
    """(what, how it is removed) for each thing, in every project whose worker has heard of the session."""
    roots = {build_project_key("", project.root): project.root for project in projects}
    for key in sorted({*find_keys(user), *roots}):
        hooks = HookPaths(user.state, key)
        state = read_state(os.path.join(hooks.work, "state.json"))
        yield from _find_files(hooks, session)
        root = state.root or roots.get(key, "")
        if root:
            yield from _find_in_project(find_project(root), session)
        yield from _find_lines(hooks.injected, session, ("session", "from"))
        known = build_key(harness, session) in state.sessions or state.last.get("session_id") == session
        if known or any(session in each for each in state.written.values()):
            path = os.path.join(hooks.work, "state.json")
            yield f"what the worker knows of it in {path}", partial(_forget_state, hooks, harness, session)


def _find_files(hooks: HookPaths, session: str) -> Found:
    spooled = [os.path.join(hooks.spool, name) for name in find_names(hooks.spool)]
    ready = [os.path.join(folder, name) for folder, _, names in os.walk(hooks.ready) for name in names]
    for path in [*spooled, *ready]:
        try:
            row = parse_row(read_own(path, _LARGEST))
        except ThrulineError:
            continue
        if session in (row.get("session"), row.get("from")) or session in str(row.get("id", "")):
            yield path, partial(_unlink, path)
        elif path in spooled and len(_leave_out(row, session)["told"]) < len(row.get("told") or ()):
            yield f"what {path} says of it", partial(_drop_told, hooks, path, session)
    folders = [os.path.join(hooks.work, kind) for kind in (BAD, UNFIT)]
    for path in [os.path.join(folder, name) for folder in folders for name in find_names(folder)]:
        try:
            if session.encode() in read_own(path, _LARGEST):  # what it says otherwise, nobody could read
                yield path, partial(_unlink, path)
        except ThrulineError:
            continue


def _leave_out(row: dict[str, Any], session: str) -> dict[str, Any]:
    """An event of another session, without what that one was told of this."""
    told = [each for each in row.get("told") or () if isinstance(each, str)]
    return row | {"told": [each for each in told if all(name != session for _, name, _ in parse_id(each))]}


def _drop_told(hooks: HookPaths, path: str, session: str) -> None:
    with Lock(hooks.work_lock):  # who takes it in meanwhile must not find it again
        try:
            row = parse_row(read_own(path, _LARGEST))
        except NotFound:
            return
        write_bytes(path, json.dumps(_leave_out(row, session)).encode() + b"\n", mode=0o600)


def _find_in_project(project: ProjectPaths, session: str) -> Found:
    for folder in (project.handoffs, os.path.join(project.handoffs, SEEN)):
        for path in find_handoffs(folder):
            head = _read_head(path)
            if head == session:
                yield path, partial(_unlink_inside, project, path)
    for path in (os.path.join(project.logs, name) for name in (last_session.FILE, pre_compact.FILE)):
        try:
            if parse_row(read_capped(path, _LARGEST)).get("session_id") == session:
                yield path, partial(_unlink_inside, project, path)
        except ThrulineError:
            continue
    for name in ("sessions.jsonl", "relevant-files.jsonl"):
        path = os.path.join(project.indexes, name)
        if not project.marked or _is_inside(project, path):
            yield from _find_lines(path, session, ("session_id",))


def _find_lines(path: str, session: str, keys: tuple[str, ...]) -> Found:
    try:
        lines = read_capped(path, _LARGEST).splitlines(keepends=True)
    except ThrulineError:
        return
    count = sum(_is_about(line, session, keys) for line in lines)
    if count:
        yield f"{count} row{'' if count == 1 else 's'} of {path}", partial(_drop_lines, path, session, keys)


def _is_about(line: bytes, session: str, keys: tuple[str, ...]) -> bool:
    row = parse_row(line)
    return any(row.get(key) == session for key in keys)


def _drop_lines(path: str, session: str, keys: tuple[str, ...]) -> None:
    lines = read_capped(path, _LARGEST).splitlines(keepends=True)
    write_bytes(path, b"".join(line for line in lines if not _is_about(line, session, keys)))


def _forget_state(hooks: HookPaths, harness: str, session: str) -> None:
    path = os.path.join(hooks.work, "state.json")
    with Lock(hooks.work_lock):
        state = read_state(path)
        state.sessions.pop(build_key(harness, session), None)
        state.parked = [each for each in state.parked if each.session != session]
        state.written = {slot: value for slot, value in state.written.items() if session not in value}
        state.told_offset = 0  # its log is shorter now
        if state.last.get("session_id") == session:
            state.last = {}
            state.written = {slot: value for slot, value in state.written.items() if not slot.startswith("start:")}
        write_state(path, state)


def _read_head(path: str) -> str:
    try:
        head = parse_handoff(read_capped(path, _LARGEST), path)
    except ThrulineError:
        return ""
    return head.session if head else ""


def _is_inside(project: ProjectPaths, path: str) -> bool:
    try:
        check_inside(project.root, path)
    except ThrulineError:
        return False
    return True


def _unlink_inside(project: ProjectPaths, path: str) -> None:
    if project.marked:
        check_inside(project.root, path)
    _unlink(path)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass  # taken in, or told, since it was found
