"""Whether a path below a project is really there: a repository can hold a link to any file of its user."""

import os

from thruline.errors import Refused
from thruline.layout import MARKER

# Folders of a project that are ours to write in. A link in one of them that stays inside the project is no better than
# one that leaves it: what is behind it is a file of the user's, which we would replace.
OURS = (os.path.dirname(MARKER), ".forge")


def check_inside(root: str, path: str) -> None:
    """Refused where links lead `path`, which lies below `root`, out of it or into git's own folder.

    In our own folders no link is followed at all, wherever it leads; the folder above may be behind one.
    """
    top = os.path.realpath(root).rstrip(os.sep) + os.sep
    real = os.path.realpath(path)
    if not real.startswith(top) or is_gits(real, top):
        raise _refuse(root, path, "is a link that leads out of the project")
    for base in _find_ours(root, path):
        above = os.path.dirname(base)
        straight = os.path.join(os.path.realpath(above), os.path.relpath(path, above))
        # Compared as a whole: a junction of Windows is no link by its own account.
        if os.path.normcase(real) != os.path.normcase(straight):
            raise _refuse(root, path, "is a link, and nothing of ours is written through one")


def is_gits(path: str, top: str) -> bool:
    """Whether `path` below `top` is git's own, hooks and settings among it."""
    return any(part.lower() == ".git" for part in path[len(top) :].split(os.sep))


def _find_ours(root: str, path: str) -> "list[str]":
    """Which folder of ours `path` is, or lies in; `root` may be named by a link, and `path` by what is behind it."""
    whole = os.path.normpath(path)
    found = []
    for top in dict.fromkeys((os.path.normpath(root), os.path.realpath(root))):
        for name in OURS:
            base = os.path.join(top, name)
            if whole == base or whole.startswith(base + os.sep):
                found.append(base)
    return found


def _refuse(root: str, path: str, what: str) -> Refused:
    # Of the folders on the way, the one that is the link is what a person must look at.
    link = path
    while not os.path.islink(link) and len(link) > len(root):
        link = os.path.dirname(link)
    return Refused(
        f"{os.path.relpath(link, root)} {what}.",
        where=f"{link} -> {os.path.realpath(link)}",
        next="remove the link",
    )
