"""Hooks in the clients' settings: whether ours are there and may run, and which of anybody's lead nowhere."""

import json
import os
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from thruline.disk.transaction import transaction
from thruline.errors import FormatError, ThrulineError
from thruline.harnesses.installing import SCOPES, USER, Handler, Surface, find_handlers, find_installers
from thruline.harnesses.registry import Harness
from thruline.layout import UserPaths
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.operations.install.dead import find_dead_part
from thruline.operations.install.line import build_lines, parse_line
from thruline.operations.install.planning import build_backup_path, build_surface, read_current
from thruline.operations.install.record import build_place, read_record
from thruline.operations.install.settings_text import decode_settings, read_value, remove_handler

NAME = "hooks"
PLUGIN = "plugin"  # beside the scopes of settings: a file that somebody else's plugin brought


@dataclass(frozen=True, slots=True)
class _File:
    """One settings file that is there, with every hook command in it."""

    harness: Harness
    module: ModuleType
    scope: str
    path: str
    handlers: tuple[Handler, ...]


def check_hooks(around: Surroundings) -> list[Diagnosis]:
    """Our hooks are set up, once, and allowed to run; no hook of anybody's names a program that is gone."""
    user, root, home = around.find_user(), around.find_project().root, around.find_home()
    found: list[Diagnosis] = []
    files: list[_File] = []
    surfaces: dict[str, Surface] = {}
    for harness, module in find_installers():
        surface = surfaces[harness.name] = build_surface(user, dict(around.env), home, root, harness.name)
        for remark in module.check_settings(surface, read_settings):
            found.append(Diagnosis(Finding(NAME, BROKEN if remark.broken else NOTE, remark.what, remark.fix)))
        for scope in SCOPES:
            for path in dict.fromkeys(module.find_settings(surface, scope)):
                if any(each.path == path for each in files) or not os.path.isfile(path):
                    continue
                try:
                    handlers = find_handlers(read_value(decode_settings(read_current(path), path), path))
                except FormatError as error:
                    found.append(Diagnosis(Finding(NAME, NOTE, f"{error.where}: {error.what}", error.next)))
                    continue
                files.append(_File(harness, module, scope, path, tuple(handlers)))
    found += _check_dead(user, root, files)
    found += _check_missing(user, files, surfaces)
    found += _check_double([*files, *_find_in_plugins(surfaces)])
    found += _check_trust(files, surfaces)
    return found or [Diagnosis(Finding(NAME, OK, _tell_fine(files)))]


def read_settings(path: str) -> Any:
    """What a JSON or TOML file of a client says; None where it is missing or unreadable."""
    data = None
    try:
        data = read_current(path)
        if data is None:
            return None
        text = data.decode("utf-8-sig")
        value = tomllib.loads(text) if path.endswith(".toml") else json.loads(text)
    except (ThrulineError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _check_dead(user: UserPaths, root: str, files: list[_File]) -> Iterator[Diagnosis]:
    for file in files:
        for each in file.handlers:
            called = parse_line(each.command)
            if called and called.script == user.hook_entry:
                continue  # what is wrong with our own stub is mended there, not here
            # A file of the user's own is read in every project: what is missing in this one may be there in another.
            variable = "" if file.scope == USER else file.module.ROOT_VARIABLE
            dead = find_dead_part(each.command, root, variable)
            if dead:
                whose = "an old hook of ours" if called else "a hook"
                what = f"{file.path}: {whose} for {each.event} calls {dead}, which is not there."
                repair = partial(remove_from_settings, user, file.path, each)
                yield Diagnosis(Finding(NAME, BROKEN, what, "take that entry out"), repair)


def remove_from_settings(user: UserPaths, path: str, handler: Handler) -> None:
    """Takes the handler out of the file, keeping a backup; nothing happens where it is gone by now."""
    with transaction(build_place(user)) as change:
        before = change.read(path)
        if before is None:
            return
        text = decode_settings(before, path)
        after = remove_handler(text, handler, path)
        if after != text:
            change.write(build_backup_path(user, path, before), before, 0o600)
            change.write(path, after.encode("utf-8"))


def _check_missing(user: UserPaths, files: list[_File], surfaces: dict[str, Surface]) -> Iterator[Diagnosis]:
    installed = {each.harness for each in read_record(user).settings.values() if each.scope == USER}
    handlers = {file.path: {each.command for each in file.handlers} for file in files}
    for harness, module in find_installers():
        if harness.name not in installed:
            continue
        line = build_lines(user, harness.name, USER)
        wanted = {line(event) for event in module.EVENTS.values()}
        for path in module.find_settings(surfaces[harness.name], USER):
            missing = wanted - handlers.get(path, set())
            if missing:
                what = f"{path}: {len(missing)} of our {len(wanted)} hooks are not there."
                yield Diagnosis(Finding(NAME, NOTE, what, f"thruline install --harness {harness.name}"))


def _find_in_plugins(surfaces: dict[str, Surface]) -> Iterator[_File]:
    for harness, module in find_installers():
        if hasattr(module, "find_plugin_hooks"):
            for path in module.find_plugin_hooks(surfaces[harness.name], read_settings):
                yield _File(harness, module, PLUGIN, path, tuple(find_handlers(read_settings(path) or {})))


def _check_double(files: list[_File]) -> Iterator[Diagnosis]:
    # The line of a shared file yields to any other of ours by itself.
    told: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for file in files:
        for each in file.handlers:
            called = parse_line(each.command)
            if called and called.script:
                once = file.module.SAME_RUNS_ONCE and file.scope != PLUGIN
                where = "" if once else f"{file.path}:{each.group}:{each.index}"
                told[file.harness.name, called.event].add((each.command, where))
    doubles = defaultdict(list)
    for (name, event), lines in told.items():
        if len(lines) > 1:
            doubles[name].append(event)
    for name, events in doubles.items():
        paths = sorted(file.path for file in files if file.harness.name == name and _has_ours(file))
        what = f"{name} runs more than one hook of ours for {', '.join(sorted(events))}: {', '.join(paths)}."
        fix = "keep one: thruline uninstall --project, switch the plugin off, or edit the others"
        yield Diagnosis(Finding(NAME, BROKEN, what, fix))


def _has_ours(file: _File) -> bool:
    return any(parse_line(each.command) for each in file.handlers)


def _check_trust(files: list[_File], surfaces: dict[str, Surface]) -> Iterator[Diagnosis]:
    for file in files:
        if not hasattr(file.module, "check_trust"):
            continue
        ours = [each for each in file.handlers if parse_line(each.command)]
        waiting = file.module.check_trust(surfaces[file.harness.name], file.path, ours, read_settings)
        if waiting:
            what = f"{file.path}: {len(waiting)} of our {len(ours)} hooks wait to be trusted, and do not run."
            yield Diagnosis(Finding(NAME, NOTE, what, file.module.TRUST))


def _tell_fine(files: list[_File]) -> str:
    ours = [file for file in files if _has_ours(file)]
    if not ours:
        return "None of ours is set up (thruline install), and no other is dead."
    return "Set up in " + ", ".join(file.path for file in ours) + "."
