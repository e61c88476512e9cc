"""Which loop is driven, and by which client, where nobody said so."""

from thruline.artifacts.loop import Loop
from thruline.artifacts.loop_step import ACTIVE
from thruline.errors import NotFound, UsageError
from thruline.layout import ProjectPaths
from thruline.operations.loops.listing import list_loops
from thruline.operations.loops.store import find_loop_id


def choose_loop(paths: ProjectPaths, ref: str) -> str:
    """The loop to drive: the one named, else the only active one."""
    if ref:
        return find_loop_id(paths, ref)
    active = [head.id for head in list_loops(paths).heads if head.status == ACTIVE]
    if len(active) == 1:
        return active[0]
    if active:
        raise UsageError(
            f"{len(active)} loops are active here.", where=paths.loops, next="say which: " + ", ".join(active)
        )
    raise NotFound("No loop is active here.", where=paths.loops, next="thruline loop list")


def need_harness(loop: Loop) -> str:
    """The client of the loop's session."""
    name = loop.session.partition(":")[0]
    if not name:
        raise UsageError("This loop belongs to no client yet.", where=loop.document.path, next="say which: --harness H")
    return name
