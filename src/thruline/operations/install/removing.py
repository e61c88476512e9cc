"""What an uninstallation would change: exactly ours, and a list of what stays."""

import os
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from thruline.errors import FormatError
from thruline.harnesses.installing import SCOPES, SHARED, USER, Surface, find_handlers, find_installers
from thruline.jsontext import find, parse, remove
from thruline.layout import UserPaths
from thruline.operations.install.line import build_lines
from thruline.operations.install.planning import FileChange, Plan, build_digest, build_surface, read_current
from thruline.operations.install.record import Record, read_record, settle
from thruline.operations.install.settings_text import decode_settings, read_value, remove_ours

_STUB = b"entry.py"  # in every line of ours that is no team's
_KEPT = (
    "hook",
    "ark",
    "index",
    "projects",
    "ready",
    "spool",
    "injected",
    "work",
    "receipts",
    "logs",
    "install_backups",
)


def plan_uninstall(
    user: UserPaths, env: dict[str, str], home: str, root: str, *, harnesses: Sequence[str], scopes: Sequence[str]
) -> Plan:
    """What taking us out of those clients and scopes would change. Without scopes: all but what a team shares."""
    settle(user)
    record = read_record(user)
    here = root if scopes else ""  # who names a scope means this project; who names none means all of them
    scopes = scopes or [scope for scope in SCOPES if scope != SHARED]
    changes: list[FileChange] = []
    stays: list[str] = []
    done: set[str] = set()
    installers = find_installers(harnesses)
    names = {harness.name for harness, _ in installers}
    for harness, module in installers:
        surface = build_surface(user, env, home, root, harness.name)
        for path, scope in _find_settings(record, module, surface, harness.name, scopes):
            if _is_elsewhere(path, scope, here):
                continue
            try:
                change = _plan_settings(user, record, module, harness.name, path, scope)
            except FormatError as error:
                stays.append(f"{error.where or path}: {error.what} It was left alone; take our lines out by hand.")
                continue
            done.add(path)
            if change:
                changes.append(change)
                handlers = find_handlers(read_value(decode_settings(change.before, path), path))
                stays += module.tell_removed(path, handlers, _build_commands(user, module, harness.name, scope))
        changes += _plan_traces(module, surface) if USER in scopes else []
    for path, (name, scope, digest) in record.files.items():
        if name not in names or scope not in scopes or _is_elsewhere(path, scope, here):
            continue
        before = read_current(path)
        if before is not None and build_digest(before) != digest and not path.startswith(user.plugin):
            stays.append(f"{path}: it was edited since.")
            continue
        done.add(path)
        changes.append(FileChange(path, before, None, "file", name))
    settings = {path: each for path, each in record.settings.items() if path not in done}
    files = {path: each for path, each in record.files.items() if path not in done}
    left = Record(settings, files, record.folders if settings or files else ())
    stays += [f"{path}: {each.scope} settings of {each.harness}" for path, each in left.settings.items()]
    stays += _find_kept(user)
    return Plan(
        tuple(changes), record, left, tuple(sorted(names)), ",".join(scopes), stays=tuple(stays), folders=record.folders
    )


def _is_elsewhere(path: str, scope: str, here: str) -> bool:
    """Whether these are another project's, where only those of the project at `here` are meant."""
    return bool(here) and scope != USER and not path.startswith(here.rstrip(os.sep) + os.sep)


def find_callers(plan: Plan) -> list[str]:
    """The settings that would go on calling our stub after this."""
    known = [path for path, each in plan.record.settings.items() if each.scope != SHARED]
    # The record may know of files that are gone, or that somebody wrote anew without us.
    return [path for path in known if _STUB in (read_current(path) or b"")]


def _find_settings(
    record: Record, module: ModuleType, surface: Surface, harness: str, scopes: Sequence[str]
) -> list[tuple[str, str]]:
    # The record knows every project; where it is lost, the places of today are looked at.
    found = {path: each.scope for path, each in record.settings.items() if each.harness == harness}
    for scope in SCOPES:
        for path in module.find_settings(surface, scope):
            found.setdefault(path, scope)
    return [(path, scope) for path, scope in found.items() if scope in scopes]


def _plan_settings(
    user: UserPaths, record: Record, module: ModuleType, harness: str, path: str, scope: str
) -> FileChange | None:
    before = read_current(path)
    if before is None:
        return None
    known = record.settings.get(path)
    commands = _build_commands(user, module, harness, scope)
    text = decode_settings(before, path)
    if not known and not _mentions(read_value(text, path), module, commands):
        return None
    after = remove_ours(text, module, commands, known.notes if known else None, path)
    gone = known is not None and known.created and not after.removeprefix("\ufeff").strip()
    return FileChange(path, before, None if gone else after.encode("utf-8"), "settings", harness)


def _build_commands(user: UserPaths, module: ModuleType, harness: str, scope: str) -> set[str]:
    lines = [build_lines(user, harness, each) for each in {scope, USER}]
    return {line(event) for line in lines for event in (*module.EVENTS.values(), module.STATUS_MODE) if event}


def _mentions(value: dict[str, Any], module: ModuleType, commands: set[str]) -> bool:
    if any(each.command in commands for each in find_handlers(value)):
        return True
    return any(isinstance(value.get(top), dict) and key in value[top] for top, key in module.PLUGIN_KEYS)


def _plan_traces(module: ModuleType, surface: Surface) -> list[FileChange]:
    """What the client wrote into its own files because of us."""
    found = []
    for path, at in module.find_traces(surface):
        before = read_current(path)
        try:
            text = decode_settings(before, path)
            if before is None or find(parse(text, path), at) is None:
                continue
        except FormatError:
            continue  # a file of the client's, in a form that we do not know: not ours to touch
        found.append(FileChange(path, before, remove(text, at, path).encode("utf-8"), "client"))
    return found


def _find_kept(user: UserPaths) -> list[str]:
    kept = [getattr(user, name) for name in _KEPT if os.path.lexists(getattr(user, name))]
    return [*kept, *([user.config_file] if os.path.lexists(user.config_file) else [])]
