"""Show settings with their origin, and change them in the user's file or the project's."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from thruline.config.check import Unsuitable, parse_value
from thruline.config.edit import has_key, set_key, unset_key
from thruline.config.load import (
    build_config,
    build_error,
    check_narrowing,
    load_config_tolerant,
    parse_toml,
    read_file,
    suggest,
)
from thruline.config.schema import Config, Origin, Problem, Setting, Value, find_settings
from thruline.disk.atomic import Lock, make_folders, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.errors import Refused, UsageError
from thruline.layout import ProjectPaths, UserPaths

SET = "(set; not shown)"


@dataclass(frozen=True, slots=True)
class Shown:
    """One setting in force and where its value comes from."""

    key: str
    value: Value
    origin: Origin
    default: Value
    doc: str


@dataclass(frozen=True, slots=True)
class ConfigList:
    """Every setting, and what is wrong with the files and variables they came from."""

    settings: tuple[Shown, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """One setting, and what is wrong with the sources."""

    setting: Shown
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """What was done to `path`, and the setting as it is in force now; another source may outrank that file.

    `setting` is None where the key that was taken out names none. `problems` are what is wrong elsewhere.
    """

    path: str
    changed: bool
    setting: Shown | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigPaths:
    """The files that are read, in order; `project` is empty where the project has no marker."""

    user: str
    project: str


def list_config(project: ProjectPaths, user: UserPaths, env: Mapping[str, str]) -> ConfigList:
    """Every setting with its origin; works with broken files too."""
    config = load_config_tolerant(project, user, env)
    return ConfigList(tuple(_show(config, setting) for setting in find_settings()), config.problems)


def get_config(project: ProjectPaths, user: UserPaths, env: Mapping[str, str], key: str) -> ConfigValue:
    """One setting with its origin; works with broken files too."""
    setting = _find_setting(key)
    config = load_config_tolerant(project, user, env)
    return ConfigValue(_show(config, setting), config.problems)


def set_config(
    project: ProjectPaths, user: UserPaths, env: Mapping[str, str], key: str, text: str, *, in_project: bool
) -> ConfigChange:
    """Writes a setting into the user's file, or the project's where that narrows; a file that is no TOML is left alone.

    What is wrong with other keys is told and stays; what is wrong with this one is mended by it.
    """
    setting = _find_setting(key)
    try:
        value = parse_value(setting, text)
    except Unsuitable as error:
        raise UsageError(str(error), where=f"{key} {text}", next=f"now: thruline config get {key}") from None
    path = find_config_file(project, user, in_project=in_project)
    if in_project:
        own = build_config(Config, [("user", user.config_file)], {})
        refusal = check_narrowing(setting, getattr(getattr(own, setting.section), setting.name), value)
        if refusal:
            raise Refused(refusal, where=path, next=f"thruline config set {key} {text}  (your own file)")
    return _change(project, user, env, key, path, lambda text: set_key(text, setting, value, path))


def unset_config(
    project: ProjectPaths, user: UserPaths, env: Mapping[str, str], key: str, *, in_project: bool
) -> ConfigChange:
    """Takes a setting, or a key that names none, out of the user's file or the project's."""
    path = find_config_file(project, user, in_project=in_project)
    section, _, name = key.partition(".")

    def edit(text: str) -> str:
        if not has_key(text, section, name):
            _find_setting(key)
        return unset_key(text, section, name, path)

    return _change(project, user, env, key, path, edit)


def find_config_paths(project: ProjectPaths, user: UserPaths) -> ConfigPaths:
    """Where the config files are, or would be."""
    return ConfigPaths(user.config_file, project.config_file if project.marked else "")


def find_config_file(project: ProjectPaths, user: UserPaths, *, in_project: bool) -> str:
    """The file to change; Refused for a project without a marker, or whose file is a link to elsewhere."""
    if in_project and not project.marked:
        raise Refused(
            "This project has no context folder, so it can have no config.",
            where=project.root,
            next="thruline context init",
        )
    if not in_project:
        return user.config_file
    check_inside(project.root, project.config_file)
    return project.config_file


def _change(
    project: ProjectPaths, user: UserPaths, env: Mapping[str, str], key: str, path: str, edit: Callable[[str], str]
) -> ConfigChange:
    try:
        make_folders(os.path.dirname(user.config_lock), 0o700)
    except OSError as error:
        raise build_disk_error(error, "write", user.config_lock) from None
    with Lock(user.config_lock, load_config_tolerant(project, user, env).disk.lock_seconds):
        text = _read_toml(path)
        made = edit(text)
        if made != text:
            # It may hold a key, now or later.
            write_bytes(path, made.encode("utf-8"), mode=None if path == project.config_file else 0o600)
    config = load_config_tolerant(project, user, env)
    shown = next((_show(config, setting) for setting in find_settings() if setting.key == key), None)
    return ConfigChange(path, made != text, shown, config.problems)


def _read_toml(path: str) -> str:
    """The text of the file, which is TOML whatever else is wrong with it."""
    problems: list[Problem] = []
    text = read_file(path, problems)
    parsed = parse_toml(text, path)
    for problem in [*problems, *([parsed] if isinstance(parsed, Problem) else [])]:
        raise build_error(problem)
    return text


def _find_setting(key: str) -> Setting:
    known = {setting.key: setting for setting in find_settings()}
    if key not in known:
        raise UsageError(f'There is no setting "{key}".', where="thruline config list", next=suggest(key, list(known)))
    return known[key]


def _show(config: Config, setting: Setting) -> Shown:
    value = getattr(getattr(config, setting.section), setting.name)
    if setting.rule.secret and value:
        value = SET
    return Shown(setting.key, value, config.origins[setting.key], setting.default, setting.rule.doc)
