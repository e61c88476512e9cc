"""What each event does: one literal table. Everything else is the same for all ten, and the door does it."""

import os

from thruline.hooks.payload import Unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from thruline.layout import HookPaths

    Event = dict[str, object]
    Envelope = dict[str, object]


def find_nothing(_event: "Event", _paths: "HookPaths", _wire: "ModuleType") -> "list[Envelope]":
    """Nothing is told."""
    return []


def find_start_texts(event: "Event", paths: "HookPaths", wire: "ModuleType") -> "list[Envelope]":
    """What a session hears first: a line about the last one, and once what another left for whoever comes next."""
    harness, source = str(event["harness"]), event["source"]
    if source == "compact":
        return []  # the session goes on
    texts = _find_open(paths.build_start(harness), event)
    if source == "resume":
        texts += find_loop_text(event, paths, wire)
    # A resumed or forked session has its own past already; and a fork begins under its parent's id.
    if source in ("startup", "clear"):
        _clear_flag(paths.build_flag(harness, str(event["session"])))
        path = paths.build_resume(harness)
        left = _find_open(path, event)
        if left and not _fits(texts + left, wire):
            texts = []
        _check_fits(texts + left, wire)
        if left:
            from thruline.hooks.ready import claim_left

            if claim_left(path, left[0], event):
                event["unsettled"] = True  # what was told is put away
                texts += left
        loops = find_left_loops(event, paths)
        texts += loops if _fits(texts + loops, wire) else []
    _check_fits(texts, wire)
    return texts


def find_left_loops(event: "Event", paths: "HookPaths") -> "list[Envelope]":
    """Which loops of this project nobody is at work on, and how they go on."""
    from thruline.hooks.loop import read_pointer

    found = read_pointer(event, paths)
    if found is None:
        return []
    from thruline.hooks.loop_start import describe_left

    return describe_left(event, *found, paths)


def find_loop_text(event: "Event", paths: "HookPaths", wire: "ModuleType") -> "list[Envelope]":
    """How far the loop of a resumed session came; of a fork, which begins under its parent's id, nothing."""
    from thruline.hooks.loop import find_foreground

    found = None if event["fork_id"] else find_foreground(event, paths)
    if found is None:
        return []
    from thruline.hooks.loop_start import describe

    return describe(event, *found, wire.BLOCK_CAP)


def find_late_text(event: "Event", paths: "HookPaths", wire: "ModuleType") -> "list[Envelope]":
    """What the worker left for this session while it was running; told once, and never to one of its agents."""
    if event["agent"]:
        return []
    if wire.BLOCK_CAP:
        _end_row(paths.build_blocks(str(event["harness"]), str(event["session"])))
    path = paths.build_late(str(event["harness"]), str(event["session"]))
    texts = _find(path)
    _check_fits(texts, wire)
    return texts if texts and _claim(path, texts[0], event) else []


def find_keep_text(event: "Event", paths: "HookPaths", wire: "ModuleType") -> "list[Envelope]":
    """What the summary of this session must keep; nothing where the session would hear it beside the summary."""
    if event["trigger"] in wire.ECHOES:
        return []  # the comparison after it tells what was lost, and only that
    texts = _find(paths.build_keep(str(event["harness"]), str(event["session"])))
    _check_fits(texts, wire)
    return texts


def is_work_left(_event: "Event", paths: "HookPaths") -> bool:
    """Whether events lie in the spool: of a session that ended without a word, or of one that is at work."""
    try:
        with os.scandir(paths.spool) as entries:
            return any(entry.name[0] != "." for entry in entries)
    except FileNotFoundError:
        return False


def is_start_work(event: "Event", paths: "HookPaths") -> bool:
    """Whether events lie in the spool, a session may have died, or something lay ready that took this one for over.

    That is taken away here and not by the worker alone: a neighbour that starts before it is done would be told.
    """
    # A fork that begins under its parent's id is among these, as is a session that only looks like one (`fork_id`): the
    # worker finds out, and till then nobody is told.
    if event["source"] == "resume":
        from thruline.hooks.ready import take_back

        if take_back(event, paths):
            return True
    return "unsettled" in event or is_work_left(event, paths)


def is_always(_event: "Event", _paths: "HookPaths") -> bool:
    """The worker has something to do."""
    return True


def is_never(_event: "Event", _paths: "HookPaths") -> bool:
    """The worker can wait for an event that matters more."""
    return False


# event: what it may tell, and whether it starts the worker
HANDLERS = {
    "session_start": (find_start_texts, is_start_work),
    "session_end": (find_nothing, is_always),
    "prompt": (find_late_text, is_never),
    "turn_end": (find_nothing, is_always),
    "tool_done": (find_late_text, is_never),
    "tool_failed": (find_late_text, is_never),
    "before_compact": (find_keep_text, is_always),
    "after_compact": (find_nothing, is_always),
    "subagent_start": (find_nothing, is_never),
    "subagent_end": (find_nothing, is_never),
}


def join_texts(texts: "list[Envelope]") -> str:
    """What the model is told of `texts`; a message to the person is not among it."""
    return "\n\n".join(str(each["text"]) for each in texts if each["kind"] != "user")


def _clear_flag(path: str) -> None:
    # A session that begins has filled nothing yet, whatever an earlier one of that id did.
    if os.path.exists(path):
        from thruline.pressure import clear_flag

        clear_flag(path)


def _end_row(path: str) -> None:
    # A tool ran, or somebody spoke: the client counts the prompts of a loop in a row anew.
    if os.path.lexists(path):
        from thruline.hooks.loop_row import end_row

        end_row(path)


def _find(path: str) -> "list[Envelope]":
    if not os.path.lexists(path):
        return []  # as nearly always: what reads one is not even imported
    from thruline.hooks.ready import read_ready

    envelope = read_ready(path)
    return [envelope] if envelope and envelope["text"] else []


def _find_open(path: str, event: "Event") -> "list[Envelope]":
    texts = _find(path)
    if texts:
        from thruline.hooks.ready import is_held_back

        if texts[0].get("pid"):
            event["unsettled"] = True  # its session had not ended by then; the worker finds out whether it died since
        return [] if is_held_back(texts[0], event) else texts
    return []


def _claim(path: str, envelope: "Envelope", event: "Event") -> bool:
    from thruline.hooks.ready import claim_ready

    return claim_ready(path, envelope, event)


def _fits(texts: "list[Envelope]", wire: "ModuleType") -> bool:
    return bool(wire.measure_text(join_texts(texts)) <= wire.LIMIT)


def _check_fits(texts: "list[Envelope]", wire: "ModuleType") -> None:
    # Not cut: half of a fenced text is a text without a fence.
    if not _fits(texts, wire):
        raise Unusable("a ready text over the client's limit")
