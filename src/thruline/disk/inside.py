"""Whether a path below a project is really there: a repository can hold a link to any folder of its user."""

import os

from thruline.errors import Refused


def check_inside(root: str, path: str) -> None:
    """Refused where links lead `path`, which lies below `root`, out of it or into git's own folder."""
    top = os.path.realpath(root).rstrip(os.sep) + os.sep
    real = os.path.realpath(path)
    if real.startswith(top) and not is_gits(real, top):
        return
    # Of the folders on the way, the one that is the link is what a person must look at.
    link = path
    while not os.path.islink(link) and len(link) > len(root):
        link = os.path.dirname(link)
    raise Refused(
        f"{os.path.relpath(link, root)} is a link that leads out of the project.",
        where=f"{link} -> {os.path.realpath(link)}",
        next="remove the link",
    )


def is_gits(path: str, top: str) -> bool:
    """Whether `path` below `top` is git's own, hooks and settings among it."""
    return any(part.lower() == ".git" for part in path[len(top) :].split(os.sep))
