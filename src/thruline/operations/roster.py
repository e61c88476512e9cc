"""`roster check`: our own files and the users', each by the rules of its client."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thruline.disk.own import read_capped
from thruline.errors import NotFound, ThrulineError
from thruline.harnesses.installing import Surface, find_installers
from thruline.layout import find_root
from thruline.roster.check import ALIASES, Rules, check_text
from thruline.roster.entry import KINDS, find_entries

_LARGEST = 1 << 20  # no client reads so much of one


@dataclass(frozen=True, slots=True)
class RosterProblem:
    """One thing that is wrong with a file."""

    path: str
    line: int
    what: str
    fix: str


@dataclass(frozen=True, slots=True)
class Checked:
    """How many files were looked at, and what is wrong with them."""

    files: int
    problems: tuple[RosterProblem, ...]


def check_roster(paths: Sequence[str], env: dict[str, str], home: str, start: str, verbs: tuple[str, ...]) -> Checked:
    """What is wrong with those files or folders; without any, with ours, the project's and the user's."""
    surface = Surface(env, home, find_root(start).path, "")
    modules = [module for _, module in find_installers()]
    folders = [(folder, kind, module) for module in modules for folder, kind in module.find_roster_folders(surface)]
    # The most particular client knows best which models and tools there are.
    models = tuple(dict.fromkeys(name for module in modules for name in module.MODELS))
    tools = tuple(dict.fromkeys(name for module in modules for name in module.TOOLS))
    ids = "|".join(f"(?:{module.MODEL_ID})" for module in modules if module.MODEL_ID)
    theirs = Rules(models, tools, verbs, ids=ids)
    ours = Rules(ALIASES, tools, verbs, strict=True)
    chosen: list[tuple[str, str, Rules]]
    if paths:
        chosen = [(path, kind, theirs) for given in paths for path, kind in _find_given(given)]
    else:
        chosen = [(path, _find_kind(path), ours) for path in find_entries()]
        seen = dict.fromkeys((os.path.realpath(folder), kind) for folder, kind, _ in folders)
        chosen += [(path, kind, theirs) for folder, kind in seen for path in _find_in(folder, kind)]
    problems = []
    for path, kind, rules in chosen:
        try:
            text = read_capped(path, _LARGEST).decode("utf-8", "surrogateescape")
        except ThrulineError as error:
            problems.append(RosterProblem(path, 0, error.what, error.next))
            continue
        problems += [
            RosterProblem(path, each.line, each.what, each.fix) for each in check_text(text, path, kind, rules)
        ]
    return Checked(len(chosen), tuple(problems))


def _find_given(path: str) -> Iterator[tuple[str, str]]:
    if not os.path.exists(path):
        raise NotFound("There is no such file.", where=path, next="give a command, agent or skill file, or a folder")
    if not os.path.isdir(path):
        yield path, _find_kind(path)
        return
    for kind in KINDS:
        if os.path.isdir(os.path.join(path, kind)):
            yield from ((found, kind) for found in _find_in(os.path.join(path, kind), kind))
    yield from ((found, _find_kind(found)) for found in _find_in(path, _find_kind(os.path.join(path, "x.md"))))


def _find_kind(path: str) -> str:
    if os.path.basename(path) == "SKILL.md":
        return "skills"
    parts = os.path.abspath(path).split(os.sep)
    return next((part for part in reversed(parts) if part in KINDS), "commands")


def _find_in(folder: str, kind: str) -> Iterator[str]:
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name == "SKILL.md" or (kind != "skills" and name.endswith(".md") and name != "README.md"):
                yield os.path.join(top, name)
