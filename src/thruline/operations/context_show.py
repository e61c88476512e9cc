"""`context show`: which project this is, where its files are, and what there is of them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from thruline.artifacts.root import SCHEMA, read_marker
from thruline.config import load_config_tolerant
from thruline.errors import ThrulineError
from thruline.gitfacts import NoAnswer, read_status
from thruline.layout import IGNORED_DIRS, UserPaths, build_project_key, build_project_paths, find_root


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that exists, and how many entries it has; None if it cannot be looked into."""

    name: str
    path: str
    entries: int | None


@dataclass(frozen=True, slots=True)
class GitState:
    """Where the working tree stands; `reason` says why the rest is empty, where it is."""

    branch: str = ""
    commit: str = ""
    dirty: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContextShown:
    """One project. `found_by` is `marker`, `git` or `folder`; `config` lists every source that sets something."""

    root: str
    found_by: str
    marked: bool
    project_id: str
    name: str
    key: str
    base: str
    folders: tuple[Folder, ...]
    git: GitState
    config: tuple[str, ...]
    problems: tuple[str, ...]


def show_context(user: UserPaths, start: str, env: Mapping[str, str]) -> ContextShown:
    """The project that `start` belongs to. What cannot be read is a problem beside the rest, never instead of it."""
    root = find_root(start)
    project = build_project_paths(root, user.state)
    problems: list[str] = []
    project_id, name = "", os.path.basename(root.path)
    if project.marked:
        try:
            marker = read_marker(project.marker)
            project_id, name = marker.project_id, marker.name or name
            if marker.newer:
                problems.append(f"root.json has schema {marker.schema}, newer than {SCHEMA}: for reading only")
        except ThrulineError as error:
            problems.append(f"{error.what} ({error.where})")
    config = load_config_tolerant(project, user, env)
    problems += [str(problem) for problem in config.problems]
    places = [("packets", project.packets), *((each, getattr(project, each)) for each in IGNORED_DIRS)]
    places += [("refocus", project.refocus), ("canonical", project.canonical), ("specs", project.specs)]
    return ContextShown(
        root=root.path,
        found_by=root.kind,
        marked=project.marked,
        project_id=project_id,
        name=name,
        key=build_project_key(project_id, root.path),
        base=project.base,
        folders=tuple(_count(name, path) for name, path in places if os.path.isdir(path)),
        git=_read_git(root.path, config.git.timeout_seconds),
        config=tuple(sorted({origin.where or origin.kind for origin in config.origins.values()} - {"default"})),
        problems=tuple(problems),
    )


def _count(name: str, path: str) -> Folder:
    try:
        return Folder(name, path, len(os.listdir(path)))
    except OSError:
        return Folder(name, path, None)


def _read_git(root: str, timeout: float) -> GitState:
    status = read_status(root, timeout=timeout)
    if isinstance(status, NoAnswer):
        return GitState(reason=f"{status.reason}: {status.detail}")
    return GitState(status.branch.name, status.branch.commit, status.dirty)
