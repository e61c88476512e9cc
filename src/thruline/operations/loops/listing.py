"""The loops of a project as a list shows them, the one changed last first; on the quick lane."""

import os

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop_pointer import LARGEST, Pointer, parse_pointer
from thruline.artifacts.loop_step import ACTIVE, SCHEMA, list_promises, read_count
from thruline.artifacts.stamp import END
from thruline.disk.inside import check_inside
from thruline.disk.own import read_own
from thruline.errors import NotFound
from thruline.layout import ProjectPaths
from thruline.operations.stamped import Listed, check_stamped_id, find_stamped_ids, read_listed

WORD = "loop"


class LoopHead:
    """What a list shows of a loop. `front`: it is in the foreground of its session."""

    __slots__ = (
        "created_at", "front", "id", "iteration", "last_line", "max_iterations", "newer", "path", "paused_by",
        "promises", "session", "status", "updated_at",
    )  # fmt: skip

    def __init__(self, path: str, data: bytes, pointer: Pointer) -> None:
        document = parse_document(data, path)
        schema, status = document.get("schema"), document.get("status")
        self.path = path
        self.id = os.path.basename(path).removesuffix(END)
        self.status = str(status or "")
        self.iteration = read_count(document, "iteration")
        self.max_iterations = read_count(document, "max_iterations")
        self.promises = list_promises(document)
        self.session = str(document.get("session") or "")
        self.paused_by = str(document.get("paused_by") or "")
        self.last_line = str(document.get("last_line") or "")
        self.created_at = str(document.get("created_at") or "")
        self.updated_at = str(document.get("updated_at") or "")
        self.newer = isinstance(schema, int) and schema > SCHEMA
        self.front = status == ACTIVE and self.id in pointer.sessions.values()

    def to_fields(self) -> "dict[str, object]":
        """The head as JSON holds it."""
        names = [name for name in self.__slots__ if name not in ("front", "newer")]
        return {**{name: getattr(self, name) for name in names}, "foreground": self.front, "read_only": self.newer}


def list_loops(paths: ProjectPaths) -> "Listed[LoopHead]":
    """Every loop; a file that cannot be read is told and costs no other."""
    ids = find_stamped_ids(paths.loops)
    pointer = read_pointer(paths) if ids else Pointer("", {}, {})

    def read(loop_id: str) -> LoopHead:
        path = build_loop_path(paths, loop_id)
        return LoopHead(path, read_own(path, LARGEST), pointer)

    return read_listed(ids, read)


def read_pointer(paths: ProjectPaths) -> Pointer:
    """Which loop is in the foreground of which session; nobody's where there is no such file."""
    if paths.marked:
        check_inside(paths.root, paths.active_loop)
    try:
        return parse_pointer(read_own(paths.active_loop, LARGEST))
    except NotFound:
        return Pointer("", {}, {})


def build_loop_path(paths: ProjectPaths, loop_id: str, end: str = END) -> str:
    """A file of a loop; its id was checked, so nothing else can be meant."""
    check_stamped_id(loop_id, WORD)
    path = paths.build_loop(loop_id, end)
    if paths.marked:
        check_inside(paths.root, path)
    return path
