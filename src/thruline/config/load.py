"""From the sources to the settings in force: defaults, the user's file, the project's, then variables.

A project's file comes with a repository, so whatever it says may only narrow (law 11). A widening is not the user's
mistake and must not stop their command: it is ignored, and told as a warning.
"""

import os
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar

from thruline.config.check import Unsuitable, check_value, parse_value
from thruline.config.place import Place, find_places
from thruline.config.schema import ADD, Config, Origin, Problem, Setting, Value, find_settings
from thruline.errors import ConfigError
from thruline.layout import ProjectPaths, UserPaths

LARGEST_FILE = 1 << 20
MOST_PROBLEMS = 20  # of one source; nobody reads more, and the likeliest name costs a search for each
Schema = TypeVar("Schema")


def load_config(project: ProjectPaths | None, user: UserPaths, env: Mapping[str, str]) -> Config:
    """The config in force; ConfigError with file and line at the first thing that is wrong."""
    config = load_config_tolerant(project, user, env)
    for problem in config.problems:
        if not problem.ignored:
            raise build_error(problem)
    return config


def load_config_tolerant(project: ProjectPaths | None, user: UserPaths, env: Mapping[str, str]) -> Config:
    """The config in force, whatever is wrong with its sources; all of it is told in `problems`."""
    files = [("user", user.config_file)]
    if project is not None and project.marked:
        files.append(("project", project.config_file))
    return build_config(Config, files, env)


def build_error(problem: Problem) -> ConfigError:
    """The error that a problem amounts to."""
    return ConfigError(problem.what, path=problem.path, line=problem.line, column=problem.column, next=problem.next)


def build_config(schema: type[Schema], files: list[tuple[str, str]], env: Mapping[str, str]) -> Schema:
    """An instance of `schema` from `files` (kind and path, weakest first) and variables."""
    state = _State(schema)
    for kind, path in files:
        data = read_file(path, state.problems)
        if data:
            state.take_file(kind, path, data)
    state.take_variables(env)
    made: Schema = state.build()
    return made


def read_file(path: str, problems: list[Problem]) -> str:
    """The text of a config file; empty where there is none or, with a problem, where it cannot be read."""
    try:
        # A repository could put a pipe or a device there; opening one would wait for ever.
        if not os.path.isfile(path):
            if os.path.lexists(path):
                problems.append(Problem("This is no regular file.", path, next="put a file there, or nothing"))
            return ""
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        problems.append(Problem(f"Cannot be read: {error.strerror}.", path, next="check its permissions"))
        return ""
    if len(data) > LARGEST_FILE:
        problems.append(
            Problem("A config file of more than 1 MiB is not read.", path, next="remove what is not config")
        )
        return ""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(Problem("This is not UTF-8.", path, line, next="save the file as UTF-8"))
        return ""


def parse_toml(text: str, path: str) -> "dict[str, Any] | Problem":
    """What the text says, or why it cannot be read."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        what, line, column = _split_place(str(error), text)
    except RecursionError:
        what, line, column = "Nested too deeply", 0, 0
    except ValueError as error:  # such as a number of 5,000 digits
        what, line, column = str(error), 0, 0
    return Problem(f"Bad TOML: {what.rstrip('.')}.", path, line, column, next="correct that line")


def _split_place(message: str, text: str) -> tuple[str, int, int]:
    # Until Python 3.14 the place is only in the message: "… (at line 3, column 5)" or "… (at end of document)".
    what, _, place = message.rpartition(" (at ")
    words = place.rstrip(")").replace(",", "").split()
    if len(words) == 4 and words[0] == "line" and words[1].isdigit() and words[3].isdigit():
        return what, int(words[1]), int(words[3])
    return what or message, text.rstrip("\n").count("\n") + 1, 0


class _State:
    """The values so far, while the sources are taken in."""

    def __init__(self, schema: type) -> None:
        self.schema = schema
        self.settings = {each.key: each for each in find_settings(schema)}
        self.values: dict[str, Value] = {name: each.default for name, each in self.settings.items()}
        self.origins = {name: Origin("default") for name in self.settings}
        self.problems: list[Problem] = []
        self._before = 0  # problems of earlier sources
        self._untold: list[bool] = []  # of those beyond the most we tell: whether each would only be a warning

    def build(self) -> Any:
        sections: dict[str, dict[str, Value]] = {}
        for name, each in self.settings.items():
            sections.setdefault(each.section, {})[each.name] = self.values[name]
        types = {field.name: field.type for field in self.schema.__dataclass_fields__.values()}  # type: ignore[attr-defined]
        made = {name: types[name](**values) for name, values in sections.items()}
        return self.schema(**made, origins=self.origins, problems=tuple(self.problems))

    def take_file(self, kind: str, path: str, text: str) -> None:
        data = parse_toml(text, path)
        if isinstance(data, Problem):
            self.problems.append(data)
            return
        lines = _build_lines(find_places(text.removeprefix("\ufeff")))
        sections = {each.section for each in self.settings.values()}
        for section, content in data.items():
            line = lines.get((section,), 0)
            if section not in sections:
                self._tell_unknown(section, sorted(sections), path, line)
            elif not isinstance(content, dict):
                what = f"{section} is a section, not a value."
                self._tell(Problem(what, path, line, next=f"write [{section}] and its keys below"))
            else:
                for name, value in content.items():
                    self._take(kind, path, lines.get((section, name), 0), section, name, value)
        self._close(path)

    def _take(self, kind: str, path: str, line: int, section: str, name: str, value: Any) -> None:
        setting = self.settings.get(f"{section}.{name}")
        flag = " --project" if kind == "project" else ""
        if setting is None:
            known = [each.key for each in self.settings.values() if each.section == section]
            self._tell_unknown(f"{section}.{name}", known, path, line, f"thruline config unset {section}.{name}{flag}")
            return
        try:
            made: Any = check_value(setting, value)
        except Unsuitable as error:
            self.problems.append(Problem(str(error), path, line, next=f"thruline config unset {setting.key}{flag}"))
            return
        if kind == "project":
            was: Any = self.values[setting.key]
            refusal = check_narrowing(setting, was, made)
            if refusal:
                self._tell(
                    Problem(f"{refusal} Ignored.", path, line, next="set it in your own config file", ignored=True)
                )
                return
            if setting.rule.project is ADD:
                made = (*was, *(each for each in made if each not in was))
            if made == was:
                return
        self.values[setting.key] = made
        self.origins[setting.key] = Origin(kind, path, line)

    def take_variables(self, env: Mapping[str, str]) -> None:
        variables = {each.variable: each for each in self.settings.values()}
        starts = tuple(f"THRULINE_{each.section}_".upper() for each in self.settings.values())
        for name in sorted(env):
            if not name.startswith(starts) or not env[name]:
                continue
            setting = variables.get(name)
            if setting is None:
                self._tell_unknown(name, list(variables), name, 0)
                continue
            try:
                self.values[setting.key] = parse_value(setting, env[name])
                self.origins[setting.key] = Origin("variable", name)
            except Unsuitable as error:
                self._tell(Problem(str(error), name, next=f"unset {name}"))
        self._close("the environment")

    def _tell_unknown(self, name: str, known: list[str], path: str, line: int, cure: str = "") -> None:
        meant = ""
        if self._has_room():
            meant = suggest(name, known) + (f"  Else: {cure}" if cure else "")
        self._tell(Problem(f'There is no setting "{name}".', path, line, next=meant))

    def _has_room(self) -> bool:
        return len(self.problems) - self._before < MOST_PROBLEMS

    def _tell(self, problem: Problem) -> None:
        if self._has_room():
            self.problems.append(problem)
        else:
            self._untold.append(problem.ignored)

    def _close(self, path: str) -> None:
        """Ends a source: what was too much to tell is counted, and is an error if one of them was."""
        if self._untold:
            what = f"And {len(self._untold)} more like these."
            self.problems.append(Problem(what, path, next="mend those above first", ignored=all(self._untold)))
        self._untold = []
        self._before = len(self.problems)


def check_narrowing(setting: Setting, was: Value, now: Value) -> str:
    """Why a project may not set `now` where the user has `was`; empty where it may."""
    if now == was or setting.rule.project.allows(was, now):
        return ""
    may = setting.rule.project.name
    return (
        f"A project may do nothing to {setting.key}."
        if may == "nothing"
        else (f"A project may only {may.replace(' it', ' ' + setting.key)}.")
    )


def suggest(name: str, known: list[str]) -> str:
    """What the writer probably meant, else what there is."""
    # Here and not on top: only a mistake needs it.
    import difflib

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else "there are: " + ", ".join(known)


def _build_lines(places: list[Place]) -> dict[tuple[str, ...], int]:
    """The line of every section and key: its own, else of the first key that goes through it."""
    lines: dict[tuple[str, ...], int] = {}
    for place in places:
        lines.setdefault(place.path, place.line)
    for place in places:  # `git.timeout_seconds = 5` has no line "git"
        lines.setdefault(place.path[:1], place.line)
        lines.setdefault(place.path[:2], place.line)
    return lines
