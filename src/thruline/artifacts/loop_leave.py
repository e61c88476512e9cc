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


def write_leave(path: str, until: str) -> None:
    """Remembers that the loop whose leave lies at `path` may run `until`, or nothing where that is empty."""
    write_bytes(path, until.encode("utf-8", "surrogatepass"), mode=0o600)


def remove_leave(path: str) -> None:
    """Takes it back."""
    remove_quietly(path)


def has_leave(path: str, document: "Document | PlainLoop") -> bool:
    """Whether the loop in `document` may hold its session, with the command that its file names now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        allowed = os.read(descriptor, LARGEST)
    finally:
        os.close(descriptor)
    until = document.get("until")
    return allowed == (until if isinstance(until, str) else "").encode("utf-8", "surrogatepass")
