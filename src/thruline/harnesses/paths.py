"""Paths of a call, from the folder that it was made in: a transcript names most files whole, a command line few."""

from posixpath import normpath


def resolve(cwd: str, path: str) -> str:
    """The path as seen from `cwd`."""
    if path[:1] in "/~\\" or path[1:2] == ":" or not cwd:
        return path or cwd
    while path.startswith("./"):
        path = path[2:]
    joint = "\\" if cwd[1:2] == ":" and "/" not in cwd else "/"
    whole = f"{cwd.rstrip(joint)}{joint}{path}" if path not in ("", ".") else cwd
    return normpath(whole) if joint == "/" and ".." in path else whole
