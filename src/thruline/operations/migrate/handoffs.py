"""Markdown handoffs of other tools in a project, found by the places where they are kept.

A folder counts by its name, a client's own folder by the registry: what a client calls its home, projects call theirs.
"""

import os
from collections.abc import Iterator

from thruline.artifacts.agent_handoff import is_agent_name
from thruline.artifacts.handoff import parse_handoff
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import ThrulineError
from thruline.harnesses.registry import HARNESSES, Harness
from thruline.layout import ProjectPaths

# Where tools keep handoffs, below a project's root.
_FOLDERS = (
    ".forge/handoffs",
    ".handoffs",
    "handoffs",
    "docs/handoffs",
    ".agent/handoffs",
    ".agents/handoffs",
    ".ai/handoffs",
    "thoughts/shared/handoffs",
)
_FILES = ("HANDOFF.md", "handoff.md", "docs/HANDOFF.md", ".ai/HANDOFF.md", ".agent/HANDOFF.md", ".agents/HANDOFF.md")
_COMMANDS = ("handoff.md", "pickup.md")
_END = ".md"
_LARGEST, _MOST, _DEEPEST = 1 << 20, 500, 3


def find_handoff_files(paths: ProjectPaths) -> list[str]:
    """Every handoff that another tool left in the project, by its path from the root."""
    folders = [*_FOLDERS, *(f"{folder}/handoffs" for folder in _find_client_folders())]
    names = [*_FILES, *(f"{folder}/HANDOFF.md" for folder in _find_client_folders())]
    found: dict[str, str] = {}
    for name in [*(each for folder in folders for each in _walk(paths.root, folder, _DEEPEST)), *names]:
        full = os.path.join(paths.root, name)
        if os.path.isfile(full) and _is_theirs(paths, full):
            found.setdefault(os.path.realpath(full), name)  # one file may have two names where case is no matter
    return list(found.values())[:_MOST]


def find_command_files(paths: ProjectPaths, home: str) -> list[tuple[str, str]]:
    """Commands of clients that our own take the place of, each with its client; they are left as they are."""
    places = [(os.path.join(top, one.home, "commands"), one.title) for top in (paths.root, home) for one in _find_own()]
    return [
        (path, title)
        for folder, title in places
        for name in _COMMANDS
        if os.path.isfile(path := os.path.join(folder, name))
    ]


def _find_own() -> list[Harness]:
    return [one for one in HARNESSES if one.home.startswith(".") and "/" not in one.home]


def _find_client_folders() -> list[str]:
    return [one.home for one in _find_own()]


def _walk(root: str, folder: str, deep: int) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        name = f"{folder}/{entry.name}"
        if entry.is_dir(follow_symlinks=False) and deep > 1:
            yield from _walk(root, name, deep - 1)
        elif entry.name.lower().endswith(_END) and entry.name.lower() != "readme.md":
            yield name


def _is_theirs(paths: ProjectPaths, full: str) -> bool:
    """Whether a file is a handoff of somebody else: ours are read where they are, and so are those of agents."""
    try:
        check_inside(paths.root, full)
        raw = read_capped(full, _LARGEST)
    except (ThrulineError, OSError):
        return False
    return bool(raw.strip()) and not is_agent_name(os.path.basename(full)) and parse_handoff(raw, full) is None
