"""Which loop is meant, and by which client it is driven, where nobody said so."""

from thruline.artifacts.loop import Loop
from thruline.artifacts.loop_step import ACTIVE
from thruline.errors import NotFound, UsageError
from thruline.layout import ProjectPaths
from thruline.operations.loops.listing import list_loops
from thruline.operations.loops.store import find_loop_id


def choose_loop(paths: ProjectPaths, ref: str, *statuses: str) -> str:
    """The loop that is named, else the only one of these statuses; with none of the active ones."""
    if ref:
        return find_loop_id(paths, ref)
    statuses = statuses or (ACTIVE,)
    fit = [head.id for head in list_loops(paths).heads if head.status in statuses]
    if len(fit) == 1:
        return fit[0]
    named = " or ".join(statuses)
    if fit:
        raise UsageError(f"{len(fit)} loops are {named} here.", where=paths.loops, next="say which: " + ", ".join(fit))
    raise NotFound(f"No loop is {named} here.", where=paths.loops, next="thruline loop list")


def need_harness(loop: Loop) -> str:
    """The client of the loop's session."""
    name = loop.session.partition(":")[0]
    if not name:
        raise UsageError("This loop belongs to no client yet.", where=loop.document.path, next="say which: --harness H")
    return name
