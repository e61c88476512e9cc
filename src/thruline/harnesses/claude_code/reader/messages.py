"""User and assistant records: what was said, thought and called, and by whom."""

from thruline.harnesses.claude_code.reader import branch, delegations, queue
from thruline.harnesses.claude_code.reader.calls import read_call
from thruline.harnesses.claude_code.reader.results import read_remark, read_result
from thruline.harnesses.claude_code.words import client_kind, command_args, human_text, plain_text, wrapper_kind
from thruline.session.parts import Changed, Compacted, Said, Thought, Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

_REMEMBERED = 32


def read_assistant(state: "State", record: "dict[str, Any]", line: int, out: "list[Part]") -> None:
    """Adds the blocks of one answer (the client writes a record per block) and, once, its tokens."""
    message = record.get("message")
    if not isinstance(message, dict):
        state.count("assistant without a message")
        return
    state.tip = line
    uuid, time, source = record["uuid"], record["timestamp"], state.source
    get = message.get
    content = get("content")
    model = get("model")
    if (model != state.model or "isApiErrorMessage" in record) and _read_odd(state, record, model, content, line, out):
        return
    usage = get("usage")
    if usage is not None and state.tokens:
        # Every record of an answer repeats its tokens, the early ones with an output count that is still growing. So
        # the answer is told when the next one begins.
        held, answer = state.usage, get("id")
        if not held or held[0] != answer:
            _begin_usage(state, answer, usage, line, uuid, time, out)
        elif isinstance(usage, dict):
            output = usage.get("output_tokens")
            if isinstance(output, int) and output >= held[6]:
                held[1], held[2], held[3], held[6] = line, uuid, time, output
    if not isinstance(content, list):
        if isinstance(content, str):
            out.append(Said(line, "agent", "text", content, uuid, time, source))
        return
    text: Any
    for block in content:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "tool_use":
            read_call(state, block, line, uuid, time, record.get("cwd"), out)
        elif kind == "text":
            text = block.get("text")
            if text and isinstance(text, str):
                out.append(Said(line, "agent", "text", text, uuid, time, source))
        elif kind == "thinking":
            text = block.get("thinking")
            if text and isinstance(text, str):
                out.append(Thought(line, text, uuid, time, source))
            else:
                state.count("thinking without text")
        else:
            state.count(f"assistant block {kind}")


def _read_odd(
    state: "State", record: "dict[str, Any]", model: "Any", content: "Any", line: int, out: "list[Part]"
) -> bool:
    # Whether this answer is the client's own, and no model's; else another model begins to answer.
    uuid, time = record["uuid"], record["timestamp"]
    failed = record.get("isApiErrorMessage") is True
    if failed or model == "<synthetic>":
        kind = "error" if failed else "other"
        out.append(Said(line, "client", kind, plain_text(content), uuid, time, state.source))
        return True
    if model != state.model and isinstance(model, str):
        state.model = model
        out.append(Changed(line, "model", model, uuid=uuid, time=time, source=state.source))
    return False


def _begin_usage(
    state: "State", answer: "Any", usage: "Any", line: int, uuid: str, time: str, out: "list[Part]"
) -> None:
    if not isinstance(usage, dict):
        return
    output = usage.get("output_tokens")
    if not isinstance(answer, str):
        answer = uuid
    close_usage(state, out)
    if answer in state.used:
        return
    fresh = _number(usage.get("input_tokens"))
    cached = _number(usage.get("cache_creation_input_tokens")) + _number(usage.get("cache_read_input_tokens"))
    state.usage = [answer, line, uuid, time, state.model, fresh, _number(output), fresh + cached]


def _number(value: "Any") -> int:
    return value if isinstance(value, int) and value > 0 else 0


def close_usage(state: "State", out: "list[Part]") -> None:
    """Adds the tokens of the answer that was being written."""
    if state.usage:
        answer, line, uuid, time, model, fresh, output, context = state.usage
        out.append(Used(line, model, fresh, output, context, 0, uuid, time, state.source))
        used = state.used
        used[answer] = None
        if len(used) > _REMEMBERED:
            del used[next(iter(used))]
        state.usage = []


_USER_BLOCKS = ("text", "image", "document")


def read_user(state: "State", record: "dict[str, Any]", line: int, size: int, out: "list[Part]") -> None:
    """Adds tool results, or a prompt, or what the client wrote in a person's place."""
    message = record.get("message")
    if not isinstance(message, dict):
        state.count("user without a message")
        return
    content = message.get("content")
    if isinstance(content, list):
        returned = ""
        for block in content:
            kind = block.get("type") if isinstance(block, dict) else "unknown"
            if kind == "tool_result":
                read_result(state, record, block, line, size, out)
                told = block.get("tool_use_id")
                returned = told if isinstance(told, str) else "?"
            elif kind not in _USER_BLOCKS:
                state.count(f"user block {kind}")
        if returned:
            if len(content) > 1:
                read_remark(state, record, content, returned, line, out)
            state.tip = line
            return
    _read_prompt(state, record, content, line, out)
    state.tip = line


def _read_prompt(state: "State", record: "dict[str, Any]", content: "Any", line: int, out: "list[Part]") -> None:
    uuid, time, source = record["uuid"], record["timestamp"], state.source
    mode = record.get("permissionMode")
    if isinstance(mode, str) and mode != state.mode:
        state.mode = mode
        out.append(Changed(line, "mode", mode, uuid=uuid, time=time, source=source))
    if record.get("isCompactSummary") is True:
        if state.tip != state.wall or not state.wall:
            out.append(Compacted(line, "", uuid=uuid, time=time, source=source))
        branch.raise_wall(state, line)
        out.append(Said(line, "client", "summary", plain_text(content), uuid=uuid, time=time, source=source))
        return
    text = human_text(content)
    kind = _kind_of(state, record, text)
    if not text and not kind:
        # A picture without a word: a prompt, but nothing was said.
        branch.read_turn(state, record, text, line, out)
        out.append(Said(line, "client", "other", "[picture]", uuid=uuid, time=time, source=source))
        return
    if kind:
        if kind == "notification":
            delegations.read_notification(state, text, line, uuid, time, out)
        elif kind == "command":
            read_folder(state, text, line, uuid, time, out)
        about = command_args(text) if kind == "command" else ""
        out.append(Said(line, "client", kind, text or plain_text(content), uuid, time, source, about))
        return
    close_usage(state, out)
    if state.queue or state.expected:
        queue.match_prompt(state, text, out)
    if state.sides:
        delegations.close_sides(state, out)
    branch.read_turn(state, record, text, line, out)
    out.append(Said(line, "human", "turn", text, uuid=uuid, time=time, source=source))


def _kind_of(state: "State", record: "dict[str, Any]", text: str) -> str:
    # "" for a person's prompt, else what the client's text is.
    if record.get("isMeta") is True:
        return client_kind(text) or "other"
    if record.get("isVisibleInTranscriptOnly") is True:
        return client_kind(text) or "other"
    if state.inside:
        return client_kind(text) or "subagent"
    if isinstance(record.get("planContent"), str):
        return "plan"
    origin = state.value(record.get("origin")) if "origin" in record else None
    told = origin.get("kind") if isinstance(origin, dict) else None
    marked = told == "human" or record.get("promptSource") == "typed"
    known = wrapper_kind(text) if marked else client_kind(text)
    if known:
        return known
    if isinstance(told, str) and told != "human":
        return "notification"
    if record.get("promptSource") == "system":
        return "other"
    content = record["message"].get("content")
    if not text and not _has_picture(content):
        return "reminder"
    return ""


def _has_picture(content: "Any") -> bool:
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") in ("image", "document") for block in content
    )


def read_folder(state: "State", text: str, line: int, uuid: str, time: str, out: "list[Part]") -> None:
    """Adds the directory that a command's output says was added to the session."""
    end = text.find(" as a working directory")
    begin = text.rfind("Added ", 0, end) if end > 0 else -1
    if begin >= 0:
        folder = text[begin + 6 : end].replace("\x1b[1m", "").replace("\x1b[22m", "").strip()
        out.append(Changed(line, "folder", folder, uuid=uuid, time=time, source=state.source))
