"""What the start of a session says of loops: how far its own came, and how it goes on."""

from thruline.artifacts.loop_step import list_promises, read_count
from thruline.hooks.loop_turn import read_running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout import ProjectPaths


def describe(event: "dict[str, object]", project: "ProjectPaths", leave: str, cap: int) -> "list[dict[str, object]]":
    """What the start of a session says of the loop it is in: how far it came, and how it goes on."""
    document = read_running(project, str(event["session"]), leave)
    if document is None:
        return []
    loop_id, iteration, most = document.get("id"), read_count(document, "iteration"), document.get("max_iterations")
    promises = " or ".join(f"<promise>{one}</promise>" for one in list_promises(document))
    rows = [
        f"thruline, for information: the loop `{loop_id}` is active in this session, at iteration {iteration}"
        + (f" of {most}" if most else "")
        + (f"; it ends with {promises}." if promises else "."),
        "It goes on by itself when the next turn ends."
        + (
            f" This client ends a turn after {cap} prompts of a loop in a row; any next message goes on." if cap else ""
        ),
        f"`thruline loop pause {loop_id}` holds it; `thruline loop run {loop_id}` goes on without this window.",
    ]
    kind = {"id": f"loop {loop_id}:{iteration}", "kind": "loop", "from": event["session"]}
    return [{"schema": 1, **kind, "text": " ".join(filter(None, rows))}]
