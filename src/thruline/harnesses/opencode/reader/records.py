"""A record is a message with its parts; the first one also says which session this is."""

import time
from zlib import crc32

from thruline.harnesses.canonical import check_schema
from thruline.harnesses.opencode.reader.calls import read_tool
from thruline.harnesses.opencode.words import client_kind, find_title, is_typed
from thruline.harnesses.shapes import as_dict, as_list, as_number, as_text
from thruline.session.parts import Compacted, Problem, Said, Thought, Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.opencode.reader.state import State

# Parts that tell nothing which is not told elsewhere: borders of steps, trees of the client's own snapshots, pictures.
_SILENT = ("step-start", "step-finish", "snapshot", "patch", "file", "agent", "retry")


def read_record(state: "State", record: "dict[str, Any]", line: int) -> None:
    """Adds the parts of one record."""
    state.line, state.uuid, state.time = line, "", ""
    info, parts = as_dict(record.get("info")), as_list(record.get("parts"))
    role, name = as_text(info.get("role")), as_text(info.get("id"))
    created = as_dict(info.get("time")).get("created")
    state.uuid, state.time = name, render_time(created)
    _read_session(state, record)
    if not role:
        if "session" not in record:
            state.count("unknown")
        return
    state.count(role)
    if state.pass_record(role, created, name):
        return
    if state.revert and name == state.revert:
        state.left = line
    _read_facts(state, info, role)
    for part in parts:
        state.uuid = as_text(part.get("id")) or name
        _read_part(state, info, role, part)
    state.uuid = name
    if role == "user":
        _note_prompt(state, parts)
    else:
        _read_end(state, info)
    state.last = state.keys[-1][0]


def _read_session(state: "State", record: "dict[str, Any]") -> None:
    session = record.get("session")
    if not isinstance(session, dict):
        return
    problem = check_schema(record, state.path, state.line)
    if problem is not None:
        state.problems.append(problem)
    unread = session.get("unread")
    if isinstance(unread, int) and unread:
        what = f"{unread} messages stand in a table of a newer version of the client, which is not known yet"
        state.problems.append(Problem(state.path, state.line, "schema", what))
    state.tell("session_id", session.get("id"))
    state.tell("starter", session.get("parentID"))
    state.tell("version", session.get("version"))
    state.tell("cwd", session.get("directory"))
    state.tell("title", find_title(session))
    state.revert = as_text(as_dict(session.get("revert")).get("messageID"))


def _read_facts(state: "State", info: "dict[str, Any]", role: str) -> None:
    if role == "assistant" and info.get("summary") is not True:
        state.tell("cwd", as_dict(info.get("path")).get("cwd"))
        state.tell("mode", info.get("agent") or info.get("mode"))
        state.tell("model", info.get("modelID"))


def _read_part(state: "State", info: "dict[str, Any]", role: str, part: "dict[str, Any]") -> None:
    kind = part.get("type")
    if kind == "text":
        if isinstance(part.get("text"), str) and part["text"].strip():
            _read_text(state, info, role, part)
    elif kind == "reasoning":
        state.out.append(Thought(state.line, as_text(part.get("text")), state.uuid, state.time, state.source))
    elif kind == "tool":
        read_tool(state, part)
    elif kind == "compaction":
        trigger = "auto" if part.get("auto") is True else "manual"
        state.out.append(Compacted(state.line, trigger, uuid=state.uuid, time=state.time, source=state.source))
    elif kind == "subtask":
        _say(state, "client", "command", as_text(part.get("prompt")))
    elif kind == "unreadable":
        what = f"{state.uuid or 'a part'} is not JSON in the client's database"
        state.problems.append(Problem(state.path, state.line, "json", what))
    elif kind in _SILENT:
        state.count(f"part {kind}")
    else:
        state.count("unknown")


def _read_text(state: "State", info: "dict[str, Any]", role: str, part: "dict[str, Any]") -> None:
    text = part["text"]
    if role == "assistant":
        by, kind = ("client", "summary") if info.get("summary") is True else ("agent", "text")
        if part.get("synthetic") is True:
            by, kind = "client", "other"
    elif not is_typed(part):
        by, kind = "client", client_kind(part)
    elif state.starter:
        by, kind = "client", "subagent"
    else:
        by, kind = "human", "turn"
    _say(state, by, kind, text)


def _say(state: "State", by: str, kind: str, text: str) -> None:
    if text.strip():
        state.out.append(Said(state.line, by, kind, text, state.uuid, state.time, state.source))


def _note_prompt(state: "State", parts: "list[dict[str, Any]]") -> None:
    words = "\n".join([part["text"] for part in parts if is_typed(part)])
    if words:
        digest = crc32(words.encode("utf-8", "replace"))
        state.prompts.append([state.line, state.keys[-1][0], state.last, digest, state.time])


def _read_end(state: "State", info: "dict[str, Any]") -> None:
    error = as_dict(info.get("error"))
    if error:
        told = as_text(as_dict(error.get("data")).get("message")) or as_text(error.get("name"))
        kind = "interrupt" if error.get("name") == "MessageAbortedError" else "error"
        _say(state, "client", kind, told)
    tokens = as_dict(info.get("tokens"))
    cache = as_dict(tokens.get("cache"))
    sent = [as_number(tokens.get("input")), as_number(cache.get("read")), as_number(cache.get("write"))]
    written = as_number(tokens.get("output")) + as_number(tokens.get("reasoning"))
    if state.tokens and (any(sent) or written):
        model = as_text(info.get("modelID"))
        state.out.append(Used(state.line, model, sent[0], written, sum(sent), 0, state.uuid, state.time, state.source))


def render_time(moment: "Any") -> str:
    """Milliseconds since 1970 as text; "" where they are none that a calendar has."""
    if not isinstance(moment, int) or isinstance(moment, bool):
        return ""
    try:
        day = time.gmtime(moment // 1000)
    except (ValueError, OverflowError, OSError):
        return ""
    if not 1970 <= day.tm_year <= 9999:
        return ""
    return time.strftime("%Y-%m-%dT%H:%M:%S", day) + f".{moment % 1000:03}Z"
