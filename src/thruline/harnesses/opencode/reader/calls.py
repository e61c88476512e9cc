"""Tool calls: one part of a message holds the call and, once it ended, how.

What a tool returned stays where it is, except where it tells why something failed, or what a subagent found.
"""

import os
from zlib import crc32

from thruline.harnesses.opencode.reader.asking import read_questions
from thruline.harnesses.opencode.words import is_abort, is_refusal, take_feedback
from thruline.harnesses.patches import parse_patch
from thruline.harnesses.paths import resolve, resolve_moves
from thruline.harnesses.shapes import as_dict, as_list, as_number, as_text
from thruline.harnesses.text import one_line
from thruline.session.commands import (
    answers_by_status,
    may_commit,
    may_log,
    parse_commits,
    parse_log,
    parse_pull,
    parse_pushed,
)
from thruline.session.file_changes import find_file_changes
from thruline.session.foreign import find_made
from thruline.session.parts import (
    ERROR,
    INTERRUPTED,
    OK,
    REFUSED,
    UNKNOWN,
    Call,
    Changed,
    Delegated,
    Move,
    Result,
    Said,
    Tasks,
)
from thruline.session.runs import may_push, opens_pull
from thruline.session.symbols import compare_symbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.opencode.reader.state import State

# Tool -> (action, the argument that says what it is about).
_TOOLS = {
    "bash": ("run", "command"),
    "read": ("read", "filePath"),
    "write": ("write", "filePath"),
    "edit": ("edit", "filePath"),
    "multiedit": ("edit", "filePath"),
    "apply_patch": ("edit", "patchText"),
    "patch": ("edit", "patchText"),
    "glob": ("search", "pattern"),
    "grep": ("search", "pattern"),
    "list": ("search", "path"),
    "lsp": ("search", "filePath"),
    "codesearch": ("search", "query"),
    "webfetch": ("fetch", "url"),
    "websearch": ("fetch", "query"),
    "task": ("delegate", "description"),
    "question": ("ask", ""),
    "todowrite": ("tasks", ""),
    "todoread": ("tasks", ""),
    "skill": ("other", "name"),
}
_OTHER = ("other", "")
_PATCHED = {"add": "created", "update": "edited", "delete": "deleted"}
_STATUSES = ("pending", "in_progress", "completed")
_WHY = 2000
_OUTCOME = 500
_RESULT, _RESULT_END = "<task_result>", "</task_result>"


class _Tool:
    """One call as its record has it."""

    __slots__ = ("action", "call_id", "given", "moves", "name", "patch", "state", "told")

    def __init__(self, state: "State", part: "dict[str, Any]") -> None:
        self.name = as_text(part.get("tool"))
        self.call_id = _build_id(state, as_text(part.get("callID")) or state.uuid)
        self.state = as_dict(part.get("state"))
        self.given = as_dict(self.state.get("input"))
        self.told = as_dict(self.state.get("metadata"))
        self.action = _TOOLS.get(self.name, _OTHER)[0]
        self.moves: tuple[Move, ...] = ()
        self.patch = parse_patch(as_text(self.given.get("patchText"))) if "patchText" in self.given else None


def _build_id(state: "State", call_id: str) -> str:
    # The second call of a session under one id is another call.
    count = state.calls.get(call_id, 0)
    state.calls[call_id] = count + 1
    return f"{call_id}#{count + 1}" if count else call_id


def read_tool(state: "State", part: "dict[str, Any]") -> None:
    """Adds the call, its end where it ended, and what came of it."""
    tool = _Tool(state, part)
    if not tool.name:
        state.count("call without a name")
        return
    _add_call(state, tool)
    status = tool.state.get("status")
    if status == "completed":
        _add_end(state, tool)
    elif status == "error":
        _add_failure(state, tool)
    if tool.action == "tasks":
        _add_tasks(state, tool)
    elif tool.action == "ask":
        read_questions(state, tool.call_id, tool.given, tool.told)
    elif tool.action == "delegate":
        _add_delegated(state, tool)


def _add_call(state: "State", tool: _Tool) -> None:
    key = _TOOLS.get(tool.name, _OTHER)[1]
    path = as_text(tool.given.get("filePath"))
    paths: tuple[str, ...] = (path,) if path else ()
    before = after = 0
    symbols: tuple[tuple[str, int], ...] = ()
    target = as_text(tool.given.get(key)) if key else ""
    if tool.patch is not None:
        paths = tuple([path for path, _ in tool.patch.changes])
        tool.action, target = tool.patch.action(), " ".join(paths)
        before, after = tool.patch.before, tool.patch.after
        symbols = tool.patch.symbols
    elif tool.action == "edit":
        old, new = tool.given.get("oldString"), tool.given.get("newString")
        before, after = _digest(old), _digest(new)
        symbols = compare_symbols(as_text(old), as_text(new), path)
    elif tool.action == "write":
        after = _digest(tool.given.get("content"))
        symbols = compare_symbols("", as_text(tool.given.get("content")), path)
    target = target or as_text(tool.state.get("title")) or _find_target(tool.given)
    state.out.append(
        Call(
            state.line,
            tool.call_id,
            tool.name,
            tool.action,
            one_line(target),
            state.uuid,
            state.time,
            state.source,
            paths,
            before,
            after,
            symbols=symbols,
        )
    )


def _digest(text: "Any") -> int:
    return crc32(text.encode("utf-8", "replace")) if isinstance(text, str) and text else 0


def _find_target(given: "dict[str, Any]") -> str:
    return next((value for value in given.values() if isinstance(value, str) and value), "")


def _add_end(state: "State", tool: _Tool) -> None:
    output = as_text(tool.state.get("output"))
    command = as_text(tool.given.get("command"))
    status = tool.told.get("exit")
    status = as_number(status) if isinstance(status, int) else None
    failed = bool(status) and not (status == 1 and answers_by_status(command))
    outcome = ERROR if failed else UNKNOWN if tool.action == "run" and status is None else OK
    text = output[-_WHY:] if failed else ""
    if tool.action == "delegate":
        text = _take_result(output)[:_OUTCOME]
    commits = find_made(command, parse_commits(output)) if tool.action == "run" and may_commit(command) else ()
    logged = parse_log(output) if tool.action == "run" and not failed and may_log(command) else ()
    pull = parse_pull(output) if tool.action == "run" and not failed and opens_pull(command) else ""
    if pull:
        state.out.append(Changed(state.line, "pull", pull, uuid=state.uuid, time=state.time, source=state.source))
    changes = () if failed else _find_changes(state, tool)
    pushed = parse_pushed(output) if tool.action == "run" and may_push(command) else ()
    _add_result(state, tool, outcome, len(output), text, status, changes, commits, logged, pushed, tool.moves)


def _add_failure(state: "State", tool: _Tool) -> None:
    error = as_text(tool.state.get("error"))
    outcome = REFUSED if is_refusal(error) else INTERRUPTED if is_abort(error) else ERROR
    words = take_feedback(error)
    if words:
        about = one_line(
            " ".join([tool.name, as_text(tool.given.get("command")) or as_text(tool.given.get("filePath"))])
        )
        state.out.append(
            Said(
                state.line,
                "human",
                "rejection",
                words,
                state.uuid,
                state.time,
                state.source,
                about=about,
                call_id=tool.call_id,
            )
        )
    _add_result(state, tool, outcome, len(error), error[:_WHY])


def _add_result(
    state: "State",
    tool: _Tool,
    outcome: str,
    size: int,
    text: str = "",
    status: "int | None" = None,
    changes: "tuple[tuple[str, str], ...]" = (),
    commits: "tuple[tuple[str, str], ...]" = (),
    logged: "tuple[tuple[str, str], ...]" = (),
    pushed: "tuple[tuple[str, str], ...]" = (),
    moves: "tuple[Move, ...]" = (),
) -> None:
    place = state.uuid, state.time, state.source
    result = Result(state.line, tool.call_id, outcome, size, *place, text, status, changes, commits, logged, pushed)
    result.moves = moves
    state.out.append(result)


def _find_changes(state: "State", tool: _Tool) -> "tuple[tuple[str, str], ...]":
    path = as_text(tool.given.get("filePath"))
    if tool.patch is not None:
        return _find_patched(tool.told) or tuple(tool.patch.changes)
    if tool.action == "run":
        if tool.told.get("exit") != 0:
            return ()
        folder = resolve(state.cwd, as_text(tool.given.get("workdir")))
        changes, moves = find_file_changes(as_text(tool.given.get("command")))
        tool.moves = resolve_moves(folder, moves)
        return tuple([(resolve(folder, path), how) for path, how in changes])
    if not path:
        return ()
    if tool.action == "write":
        return ((path, "edited" if tool.told.get("exists") is True else "created"),)
    return ((path, {"edit": "edited", "read": "read"}[tool.action]),) if tool.action in ("edit", "read") else ()


def _find_patched(told: "dict[str, Any]") -> "tuple[tuple[str, str], ...]":
    """What the client says a patch did: with whole paths, which its text does not have."""
    found: list[tuple[str, str]] = []
    for file in as_list(told.get("files")):
        path, kind, moved = as_text(file.get("filePath")), as_text(file.get("type")), as_text(file.get("movePath"))
        if path and moved:
            found += [(path, "deleted"), (moved, "created")]
        elif path and kind in _PATCHED:
            found.append((path, _PATCHED[kind]))
    return tuple(found)


def _add_tasks(state: "State", tool: _Tool) -> None:
    todos = as_list(tool.given.get("todos"))
    if tool.name == "todowrite" and tool.state.get("status") == "completed":
        items = [(one_line(as_text(each.get("content"))), as_text(each.get("status"))) for each in todos]
        told = tuple([(text, status if status in _STATUSES else "deleted") for text, status in items if text])
        state.out.append(Tasks(state.line, told, uuid=state.uuid, time=state.time, source=state.source))


def _add_delegated(state: "State", tool: _Tool) -> None:
    child = as_text(tool.told.get("sessionId"))
    if not child:
        return
    path = os.path.join(os.path.dirname(state.path), os.path.basename(child) + ".jsonl")
    state.out.append(
        Delegated(
            state.line,
            child,
            agent_kind=as_text(tool.given.get("subagent_type")),
            task=one_line(as_text(tool.given.get("description")) or as_text(tool.given.get("prompt"))),
            call_id=tool.call_id,
            path=path if os.path.isfile(path) else "",
            outcome=one_line(_take_result(as_text(tool.state.get("output"))), _OUTCOME),
            uuid=state.uuid,
            time=state.time,
            source=state.source,
        )
    )


def _take_result(output: str) -> str:
    """A subagent's last words, out of the marks that the client puts around them."""
    _, mark, rest = output.partition(_RESULT)
    return (rest.rpartition(_RESULT_END)[0] or rest).strip() if mark else output.strip()
