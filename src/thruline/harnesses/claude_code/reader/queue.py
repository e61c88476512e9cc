"""Prompts typed while the agent worked.

They are put into a queue (`enqueue`) and leave it in one of three ways: as a prompt of their own when the turn is over
(`dequeue`, a user record follows), into the running turn (`remove`; newer versions also write an attachment), or back
into the input line (`popAll`), from where they may be sent again or not. Only what never becomes a user record is a
queued message; so one is told when it is removed, or at the next prompt that is not it.
"""

from zlib import crc32

from thruline.harnesses.claude_code.reader import delegations
from thruline.harnesses.claude_code.words import client_kind, command_args, human_text, is_command, wrapper_kind
from thruline.session.parts import Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

_REMEMBERED = 16


def read_operation(state: "State", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    """Follows one `queue-operation` record."""
    operation = record.get("operation")
    text = human_text(state.value(record.get("content")))
    queue = state.queue
    if operation == "enqueue":
        time = record.get("timestamp")
        queue.append([line, time if isinstance(time, str) else "", text])
    elif operation == "popAll":
        state.expected += [entry for entry in queue if _is_human(entry[2])]
        queue.clear()
    elif operation in ("dequeue", "remove"):
        entry = _take(queue, text)
        if entry is None:
            return
        if operation == "remove":
            _tell(state, entry, out)
        elif _is_human(entry[2]):
            state.expected.append(entry)
    else:
        state.count(f"queue-operation/{operation}")


def _take(queue: "list[list[Any]]", text: str) -> "list[Any] | None":
    for at, entry in enumerate(queue):
        if not text or entry[2] == text:
            return queue.pop(at)
    return queue.pop(0) if queue else None


def _is_human(text: str) -> bool:
    return bool(text) and not client_kind(text) and not is_command(text)


def _tell(state: "State", entry: "list[Any]", out: "list[Part]") -> None:
    line, time, text = entry
    if not text:
        return
    kind = client_kind(text)
    if kind == "notification":
        delegations.read_notification(state, text, line, "", time, out)
    elif not kind and is_command(text):
        kind = "command"
    by = "client" if kind else "human"
    about = command_args(text) if kind == "command" else ""
    out.append(Said(line, by, kind or "queued", text, time=time, source=state.source, about=about))
    state.delivered.append(crc32(text.encode("utf-8", "replace")))
    del state.delivered[:-_REMEMBERED]


def read_attachment(state: "State", held: "dict[str, Any]", line: int, uuid: str, time: str, out: "list[Part]") -> None:
    """Adds the prompt of a `queued_command` attachment, unless its queue record told it already."""
    text = human_text(held.get("prompt"))
    if not text:
        return
    digest = crc32(text.encode("utf-8", "replace"))
    if digest in state.delivered:
        state.delivered.remove(digest)
        return
    for entry in state.queue + state.expected:
        if entry[2] == text:
            _tell(state, entry, out)
            entry[2] = ""  # it keeps its place: the record that removes it from the queue is still to come
            return
    origin = held.get("origin")
    known = origin.get("kind") if isinstance(origin, dict) else None
    kind = wrapper_kind(text) if known == "human" else client_kind(text)
    if not kind and is_command(text):
        kind = "command"
    if not kind and (known not in (None, "human") or held.get("commandMode") not in (None, "prompt")):
        kind = "notification"
    if kind == "notification":
        delegations.read_notification(state, text, line, uuid, time, out)
    by = "client" if kind else "human"
    about = command_args(text) if kind == "command" else ""
    out.append(Said(line, by, kind or "queued", text, uuid=uuid, time=time, source=state.source, about=about))


def match_prompt(state: "State", text: str, out: "list[Part]") -> None:
    """A prompt arrived: what it repeats is not a queued message, what was expected in its place is one."""
    lines = f"\n{text}\n"
    state.queue = [entry for entry in state.queue if not entry[2] or f"\n{entry[2]}\n" not in lines]
    for entry in state.expected:
        if f"\n{entry[2]}\n" not in lines:
            _tell(state, entry, out)
    state.expected = []


def close_queue(state: "State", out: "list[Part]") -> None:
    """Adds what never became a prompt; for the end of a session that is over."""
    for entry in sorted(state.expected + state.queue):
        _tell(state, entry, out)
    state.expected = []
    state.queue = []
