"""What the start of a session says of loops: how far its own came, or one whose session is over, and how they go on."""

from thruline.artifacts.loop_leave import read_client
from thruline.artifacts.loop_pointer import parse_pointer
from thruline.artifacts.loop_step import list_promises, read_count
from thruline.errors import ThrulineError
from thruline.hooks.event import add_client
from thruline.hooks.loop_turn import is_driven, read_running
from thruline.process import is_same_running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.artifacts.frontmatter import Document
    from thruline.artifacts.loop_plain import PlainLoop
    from thruline.layout import HookPaths, ProjectPaths

_MOST = 3  # loops of others that a session hears of


def describe(event: "dict[str, object]", project: "ProjectPaths", leave: str, cap: int) -> "list[dict[str, object]]":
    """What the start of a session says of the loop it is in: how far it came, and how it goes on."""
    document = read_running(project, str(event["session"]), leave)
    if document is None:
        return []
    loop_id, iteration = document.get("id"), _render_iteration(document)
    promises = " or ".join(f"<promise>{one}</promise>" for one in list_promises(document))
    rows = [
        f"thruline, for information: the loop `{loop_id}` is active in this session, at iteration {iteration}"
        + (f"; it ends with {promises}." if promises else "."),
        "It goes on by itself when the next turn ends."
        + (
            f" This client ends a turn after {cap} prompts of a loop in a row; any next message goes on." if cap else ""
        ),
        f"`thruline loop pause {loop_id}` holds it; `thruline loop run {loop_id}` goes on without this window.",
    ]
    return [_build(document, str(event["session"]), " ".join(filter(None, rows)))]


def describe_left(
    event: "dict[str, object]", project: "ProjectPaths", data: bytes, paths: "HookPaths"
) -> "list[dict[str, object]]":
    """What the start of another session says of loops whose sessions are over; nothing binds them to this one.

    A loop whose client still runs goes on there, and two windows do not mix; of one that never came to the end of a
    turn nobody knows, and nothing is said.
    """
    texts = []
    for session, loop_id in sorted(parse_pointer(data).sessions.items(), key=lambda pair: pair[1], reverse=True):
        leave = paths.build_loop_leave(loop_id)
        if session == event["session"] or not _is_left(leave, event):
            continue
        try:
            document = read_running(project, session, leave)
            if document is None or is_driven(project, loop_id):
                continue
        except (OSError, ThrulineError):
            continue  # `thruline loop list` tells what is wrong with it
        text = (
            f"thruline, for information: the loop `{loop_id}` stands at iteration {_render_iteration(document)}, and "
            f"its session ({document.get('session')}) is over. It does not hold this one. If the user wants it to go "
            f"on: `thruline loop run {loop_id}` without a window, any message in that session once it is resumed, or "
            f"`thruline loop activate {loop_id} --session {event['session']}` here."
        )
        texts.append(_build(document, session, text))
    return texts[:_MOST]


def _is_left(leave: str, event: "dict[str, object]") -> bool:
    pid, born = read_client(leave)
    # The client of this very event may have had that session before: then it is over there (`clear`).
    return pid > 0 and (pid == add_client(event)["pid"] or not is_same_running(pid, born))


def _render_iteration(document: "Document | PlainLoop") -> str:
    most = document.get("max_iterations")
    return f"{read_count(document, 'iteration')}" + (f" of {most}" if most else "")


def _build(document: "Document | PlainLoop", session: str, text: str) -> "dict[str, object]":
    told = f"loop {document.get('id')}:{read_count(document, 'iteration')}"
    return {"schema": 1, "id": told, "kind": "loop", "from": session, "text": text}
