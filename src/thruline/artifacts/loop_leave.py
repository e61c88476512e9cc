"""Leave to hold a session: what a user of this machine allowed a loop to do, in the user's own state.

Loops lie in projects, and a repository can ship files (law 11): one that was not started or brought to the front here,
or whose command is another than the one that was shown then, holds nobody and runs nothing. Hooks import this module.
"""

import os

from thruline.disk.replace import write_bytes
from thruline.disk.temps import remove_quietly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.artifacts.frontmatter import Document
    from thruline.artifacts.loop_plain import PlainLoop

LARGEST = 1 << 16
CLIENT = ".client"  # beside a leave: the process of the client that the loop was last at work in, and its birth


def write_leave(path: str, until: str) -> None:
    """Remembers that the loop whose leave lies at `path` may run `until`, or nothing where that is empty."""
    write_bytes(path, until.encode("utf-8", "surrogatepass"), mode=0o600)


def remove_leave(path: str) -> None:
    """Takes it back."""
    remove_quietly(path)
    remove_quietly(path + CLIENT)


def write_client(path: str, pid: int, born: int) -> None:
    """Remembers in which process the loop whose leave lies at `path` is at work; written once a client."""
    line = f"{pid} {born}".encode()
    if pid and _read(path + CLIENT) != line:
        write_bytes(path + CLIENT, line, mode=0o600, lasting=False)


def read_client(path: str) -> "tuple[int, int]":
    """The process in which that loop was last at work, and its birth; 0 where nobody knows."""
    pid, _, born = (_read(path + CLIENT) or b"").partition(b" ")
    return (int(pid), int(born)) if pid.isdigit() and born.isdigit() else (0, 0)


def has_leave(path: str, document: "Document | PlainLoop") -> bool:
    """Whether the loop in `document` may hold its session, with the command that its file names now."""
    until = document.get("until")
    return _read(path) == (until if isinstance(until, str) else "").encode("utf-8", "surrogatepass")


def _read(path: str) -> "bytes | None":
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        return os.read(descriptor, LARGEST)
    finally:
        os.close(descriptor)
