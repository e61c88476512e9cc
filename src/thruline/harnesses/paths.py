"""Paths of a call, from the folder that it was made in: a transcript names most files whole, a command line few."""

from posixpath import normpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from thruline.session.parts import Move


def resolve(cwd: str, path: str) -> str:
    """The path as seen from `cwd`."""
    if path[:1] in "/~\\" or path[1:2] == ":" or not cwd:
        return path or cwd
    while path.startswith("./"):
        path = path[2:]
    joint = "\\" if cwd[1:2] == ":" and "/" not in cwd else "/"
    whole = f"{cwd.rstrip(joint)}{joint}{path}" if path not in ("", ".") else cwd
    return normpath(whole) if joint == "/" and ".." in path else whole


def resolve_moves(cwd: str, moves: "Iterable[Move]") -> "tuple[Move, ...]":
    """The moves with both paths as seen from `cwd`."""
    return tuple([(resolve(cwd, old), resolve(cwd, new), sure, by_git) for old, new, sure, by_git in moves])
