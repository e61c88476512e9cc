"""One record to the parts it holds: which kind it is, whether it was seen, what it says about the session."""

from thruline.harnesses.claude_code.reader import branch, delegations, queue
from thruline.harnesses.claude_code.reader.messages import close_usage, read_assistant, read_folder, read_user
from thruline.harnesses.claude_code.words import command_args, human_text, plain_text
from thruline.session.parts import Changed, Compacted, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

# Records that form the conversation: each names the one before it.
_CHAINED = frozenset(("user", "assistant", "system", "attachment"))

# Known kinds that say nothing a later room asks for; they are counted.
_SILENT = frozenset(
    ("file-history-snapshot", "last-prompt", "mode", "pr-link", "agent-name", "frame-link", "tag", "agent-color")
)


# Hook events whose plain output reaches the model.
_HEARD = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion")


def read_record(state: "State", record: "dict[str, Any]", line: int, size: int, out: "list[Part]") -> None:
    """Adds the parts of one record to `out`."""
    get = record.get
    kind: Any = get("type")
    try:
        state.counts[kind] += 1
    except (KeyError, TypeError):
        kind = kind if isinstance(kind, str) else "none"
        state.count(kind)
    uuid = get("uuid")
    if uuid and isinstance(uuid, str):
        lines = state.lines
        if uuid in lines or ((state.known or state.seen) and state.is_known(uuid)):
            if kind == "progress":
                state.count("copy")  # whatever it says: nothing of it is told
                return
            if _is_copy(state, record, kind, uuid, line, out):
                return
        else:
            lines[uuid] = line
    else:
        record["uuid"] = ""
    if kind == "progress":
        return
    if not isinstance(get("timestamp"), str):
        record["timestamp"] = ""
    if kind not in _CHAINED:
        _read_note(state, kind, record, line, out)
    elif get("isSidechain") is True and not state.inside:
        state.count("sidechain")
        branch.read_side(state, record, line)
        _read_side_work(state, record, line, size, out)
    elif kind == "assistant":
        if not state.cwd:
            _read_facts(state, record, line, out)  # nothing before it could be read
        read_assistant(state, record, line, out)
    else:
        # Where the session is changes between answers, never within one.
        if (
            get("cwd") != state.cwd
            or get("gitBranch") != state.branch
            or get("version") != state.version
            or get("sessionId") != state.session_id
            or "forkedFrom" in record
        ):
            _read_facts(state, record, line, out)
        if kind == "user":
            read_user(state, record, line, size, out)
        elif kind == "system":
            _read_system(state, record, line, out)
        else:
            _read_attachment(state, record, line, out)


def _read_side_work(state: "State", record: "dict[str, Any]", line: int, size: int, out: "list[Part]") -> None:
    from thruline.harnesses.claude_code.reader.side_work import read_work  # here: few files have such records

    read_work(state, record, line, size, out)


def _is_copy(state: "State", record: "dict[str, Any]", kind: str, uuid: str, line: int, out: "list[Part]") -> bool:
    # A record whose id was seen: again the same, or another under the same id.
    first = state.line_of(uuid)
    if not (state.originals.has_copy(uuid, first, line) if first else state.is_told(uuid, line)):
        state.count("id used twice")
        return False
    state.count("copy")
    if kind == "user" and (state.queue or state.expected):
        _match_copy(state, record, out)
    return True


def _match_copy(state: "State", record: "dict[str, Any]", out: "list[Part]") -> None:
    # The notes of a queue have no id, so a second file of the session tells them again: their prompt is this copy.
    message = record.get("message")
    if isinstance(message, dict):
        queue.match_prompt(state, human_text(message.get("content")), out)


def _read_note(state: "State", kind: str, record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    # Records beside the conversation. The client writes the same one again and again; the last one holds.
    if kind == "queue-operation":
        queue.read_operation(state, record, line, out)
    elif kind == "permission-mode":
        _tell(state, "mode", record.get("permissionMode"), record, line, out)
    elif kind == "custom-title":
        state.named = True
        _tell(state, "title", record.get("customTitle"), record, line, out)
    elif kind == "ai-title":
        if not state.named:
            _tell(state, "title", record.get("aiTitle"), record, line, out)
    elif kind == "summary":
        # The title of the conversation that ends in `leafUuid`, which is often one of another file.
        leaf = record.get("leafUuid")
        if isinstance(leaf, str) and state.line_of(leaf) and not state.named:
            _tell(state, "title", record.get("summary"), record, line, out)
    elif kind not in _SILENT:
        state.count("unknown")


_FACTS = (("sessionId", "session_id"), ("cwd", "cwd"), ("gitBranch", "branch"), ("version", "version"))


def _read_facts(state: "State", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    for field, name in _FACTS:
        _tell(state, name, record.get(field), record, line, out)
    if "forkedFrom" in record:
        origin = state.value(record["forkedFrom"])
        if isinstance(origin, dict):
            _tell(state, "parent", origin.get("sessionId"), record, line, out)


def _tell(state: "State", name: str, value: "Any", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    if isinstance(value, str) and value and value != getattr(state, name):
        setattr(state, name, value)
        out.append(Changed(line, name, value, uuid=record["uuid"], time=record["timestamp"], source=state.source))


def _read_system(state: "State", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    subtype = record.get("subtype")
    state.count(f"system/{subtype}")
    uuid, time, source = record["uuid"], record["timestamp"], state.source
    if subtype == "compact_boundary":
        told = state.value(record.get("compactMetadata"))
        told = told if isinstance(told, dict) else {}
        trigger = told.get("trigger")
        close_usage(state, out)
        delegations.close_sides(state, out)
        out.append(
            Compacted(
                line,
                trigger if isinstance(trigger, str) else "",
                tokens_before=_number(told.get("preTokens")),
                tokens_after=_number(told.get("postTokens")),
                uuid=uuid,
                time=time,
                source=source,
            )
        )
        branch.raise_wall(state, line)
    elif subtype in ("local_command", "away_summary"):
        text = plain_text(state.value(record.get("content")))
        kind = "command" if subtype == "local_command" else "other"
        read_folder(state, text, line, uuid, time, out)
        about = command_args(text) if kind == "command" else ""
        out.append(Said(line, "client", kind, text, uuid, time, source, about))


def _number(value: "Any") -> "int | None":
    return value if type(value) is int and value >= 0 else None


def _read_attachment(state: "State", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    held = state.value(record.get("attachment"))
    if not isinstance(held, dict):
        return
    kind = held.get("type")
    state.count(f"attachment/{kind}")
    uuid, time = record["uuid"], record["timestamp"]
    text = ""
    if kind == "queued_command":
        queue.read_attachment(state, held, line, uuid, time, out)
    elif kind == "hook_additional_context":
        content = held.get("content")
        text = "\n".join([one for one in content if isinstance(one, str)]) if isinstance(content, list) else ""
    elif kind == "hook_blocking_error":
        error = held.get("blockingError")
        text = error.get("blockingError", "") if isinstance(error, dict) else ""
    elif kind == "hook_system_message" or (kind == "hook_success" and held.get("hookEvent") in _HEARD):
        content = held.get("content")
        text = content if isinstance(content, str) else ""
    if isinstance(text, str) and text:
        out.append(Said(line, "client", "hook", text, uuid=uuid, time=time, source=state.source))
