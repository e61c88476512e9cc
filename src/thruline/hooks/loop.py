"""Whether a session has a loop in its foreground: all that the end of nearly every turn pays for.

Whatever is missing, broken or in doubt: there is none. docs/design/0024-loops.md, docs/formats/loop.md.
"""

import os

from thruline.layout.project import build_project_paths
from thruline.layout.root import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout import HookPaths, ProjectPaths

LARGEST = 1 << 20  # bytes of a pointer
DRIVEN = "THRULINE_LOOP"  # set by `thruline loop run`, which counts its iterations itself


def find_foreground(event: "dict[str, object]", paths: "HookPaths") -> "tuple[ProjectPaths, str] | None":
    """The project's files, and where the leave of the loop in the foreground of this session lies; None as a rule.

    Nobody's lock is taken: the file is replaced as a whole, and whoever acts on the answer asks again under the lock.
    """
    if event["agent"]:
        return None
    found = read_pointer(event, paths)
    # A safe id stands in JSON as it is. Where it does not, nothing that costs an import is asked.
    if found is None or str(event["session"]).encode() not in found[1]:
        return None
    from thruline.hooks.loop_turn import find_loop  # from there: with it comes what nearly always follows

    project, data = found
    loop_id = find_loop(data, str(event["session"]))
    leave = paths.build_loop_leave(loop_id) if loop_id else ""
    return (project, leave) if leave and os.path.exists(leave) else None


def read_pointer(event: "dict[str, object]", paths: "HookPaths") -> "tuple[ProjectPaths, bytes] | None":
    """The project's files, and what its pointer holds; None as in nearly every project, and where `loop run` drives."""
    if os.environ.get(DRIVEN):
        return None
    project = build_project_paths(Root(str(event["root"]), "marker" if event["marked"] else "folder"), paths.state)
    try:
        descriptor = os.open(
            project.active_loop, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
    except OSError:
        return None
    try:
        return project, os.read(descriptor, min(os.fstat(descriptor).st_size, LARGEST))
    finally:
        os.close(descriptor)
