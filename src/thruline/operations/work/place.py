"""Where one project's worker reads and writes."""

import os
from dataclasses import dataclass

from thruline.config import Config, load_config_tolerant
from thruline.disk.inside import check_inside
from thruline.layout import (
    HookPaths,
    ProjectPaths,
    Root,
    UserPaths,
    build_project_key,
    build_project_paths,
    find_root,
    find_user_paths,
)


@dataclass(frozen=True, slots=True)
class Place:
    """The user's, the hooks' and the project's files."""

    user: UserPaths
    hooks: HookPaths
    project: ProjectPaths
    config: Config

    @property
    def state(self) -> str:
        return os.path.join(self.hooks.work, "state.json")

    @property
    def intent(self) -> str:
        return os.path.join(self.hooks.work, "batch.json")

    @property
    def learn_pending(self) -> str:
        # In the user's state: a repository that ships such a file must not speak to its visitor's model (law 11).
        return os.path.join(self.hooks.work, "learn-pending")

    @property
    def sessions_log(self) -> str:
        return os.path.join(self.project.indexes, "sessions.jsonl")

    @property
    def relevant_files(self) -> str:
        return os.path.join(self.project.indexes, "relevant-files.jsonl")

    def build_kept(self, harness: str, session: str, what: str) -> str:
        """A file of ours about one session; its name holds the id, so that `forget` finds it."""
        return os.path.join(self.hooks.work, "sessions", harness, f"{session}.{what}")

    def check(self, path: str) -> str:
        """`path`, where it may be written: below a project only what no link leads out of it."""
        if self.project.marked:
            check_inside(self.project.root, path)
        return path


def find_place(root: str) -> Place:
    """The place of the project whose real root is `root`: what hooks called it, whatever was made above it since."""
    user = find_user_paths()
    found = find_root(root)
    if found.path != root:
        found = Root(root, "folder")
    project = build_project_paths(found, user.state)
    hooks = HookPaths(user.state, build_project_key("", root))
    return Place(user, hooks, project, load_config_tolerant(project, user, os.environ))


def find_keys(user: UserPaths) -> list[str]:
    """The keys of every project that a hook or a worker of this user has left something for."""
    keys: set[str] = set()
    for folder in (user.work, user.spool, user.ready):
        try:
            keys.update(each.name for each in os.scandir(folder) if each.is_dir(follow_symlinks=False))
        except OSError:
            continue  # nothing was left there yet
    return sorted(keys)
