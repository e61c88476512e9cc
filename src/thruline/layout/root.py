"""Where a project begins: the folder that every folder below it agrees on."""

import os

MARKER = os.path.join(".agent", "context", "root.json")


class Root:
    """A project's root folder. `kind` says how it was found: `marker`, `git` or `folder`."""

    __slots__ = ("kind", "path")

    def __init__(self, path: str, kind: str) -> None:
        self.path = path
        self.kind = kind


def find_root(start: str) -> Root:
    """The root that `start` (a folder or a file) belongs to: nearest marker, else git root, else its folder.

    An ancestor that cannot be looked into counts as having neither; the walk goes on above it. So does a marker that
    another user put there, as anyone could in /tmp: what we then wrote would be theirs to read.
    """
    folder = _resolve(start)
    if os.path.exists(folder) and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    git = ""
    here = folder
    while True:
        if os.path.isfile(os.path.join(here, MARKER)) and _is_ours(here):
            return Root(here, "marker")
        if not git and _is_git_root(here):
            git = here
        parent = os.path.dirname(here)
        if parent == here:
            break
        here = parent
    return Root(git, "git") if git else Root(folder, "folder")


def _resolve(start: str) -> str:
    try:
        return os.path.realpath(start)
    except FileNotFoundError:
        from thruline.errors import NotFound  # here because hooks pay for what stands on top, and this is rare

        raise NotFound("The working folder no longer exists.", next="cd into a folder that does") from None


def _is_ours(root: str) -> bool:
    """Whether the marker and its folders belong to this user, to root, or to whoever called sudo."""
    if not hasattr(os, "geteuid"):
        return True
    me = os.geteuid()
    owners = (str(me), "0", os.environ.get("SUDO_UID", "") if me == 0 else "")
    path = root
    try:
        for name in MARKER.split(os.sep):
            path = os.path.join(path, name)
            if str(os.lstat(path).st_uid) not in owners:  # of a link, its maker
                return False
    except OSError:
        return False
    return True


def _is_git_root(folder: str) -> bool:
    # A worktree or a submodule has a `.git` file; an empty `.git` folder is not a repository, and git says so too.
    dot_git = os.path.join(folder, ".git")
    return os.path.isfile(dot_git) or os.path.isfile(os.path.join(dot_git, "HEAD"))
