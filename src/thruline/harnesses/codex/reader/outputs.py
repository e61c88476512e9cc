"""How calls ended, by what their tools returned to the model: all that older versions tell.

Where an item or an event told the end already, the output says nothing new and is passed over.
"""

from thruline.harnesses.codex.reader import agents, asking
from thruline.harnesses.codex.reader.pairs import KEPT, SCRIPT, close, close_command
from thruline.harnesses.codex.reader.words import parse_json, plain_text
from thruline.harnesses.paths import resolve
from thruline.session import parts
from thruline.session.parts import Call, Tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import OpenCall, State

# How the text of a tool begins that did not do what was asked.
_FAILED = ("unsupported ", "failed to ", "error", "Error", "err: ", "tool call error", "Script failed", "agent ")
_REFUSED = ("rejected by user", "denied by user", "declined by user")
_ABORTED = "aborted by user"


def read_output(state: "State", payload: "dict[str, Any]") -> None:
    """Adds the end of a call from what the tool returned to the model, where nothing else told it."""
    call_id = payload.get("call_id")
    call_id = call_id if isinstance(call_id, str) else ""
    call = state.calls.get(call_id)
    if call is None:
        if call_id not in state.done:
            state.count("result without a call")
        return
    text = _returned(state.value(payload.get("output")))
    status, number, body = _parse_header(text)
    if call.action == "poll":
        _end_poll(state, call_id, call, status, body)
    elif number:
        # It runs on; its end comes later, under the same id or through a poll.
        state.running[number] = call_id
    elif text[:200].rstrip().endswith(_ABORTED):
        _end_script(state, call_id, call, parts.INTERRUPTED, "")
    elif any(mark in text[:200] for mark in _REFUSED):
        _end_script(state, call_id, call, parts.REFUSED, text[:KEPT])
    elif call.name == SCRIPT:
        failed = text.startswith("Script failed")
        if failed or not call.extra:
            _end_script(state, call_id, call, parts.ERROR if failed else parts.OK, text[:KEPT] if failed else "")
        else:
            del state.calls[call_id]
            state.finish(call_id)
            state.count("script told by what it ran")
    elif call.action == "run":
        if status is None:
            close(state, call_id, parts.ERROR, text=text[:KEPT])
        else:
            close_command(state, call_id, status, body, [])
    elif call.action in ("edit", "write", "delete"):
        worked = status == 0 or body.startswith("Success.")
        changes = tuple([(resolve(call.cwd, path), how) for path, how in call.extra]) if worked else ()
        close(state, call_id, parts.OK if worked else parts.ERROR, text="" if worked else body[:KEPT], changes=changes)
    else:
        _end_other(state, call_id, call, text)


def _end_other(state: "State", call_id: str, call: "OpenCall", text: str) -> None:
    failed = text.startswith(_FAILED)
    changes: tuple[tuple[str, str], ...] = ()
    if not failed:
        if call.action == "tasks" and call.extra:
            items = tuple([(step, status) for step, status in call.extra])
            state.out.append(Tasks(state.line, items, uuid=state.uuid, time=state.time, source=state.source))
        elif call.action == "ask":
            asking.read_answers(state, call_id, call.extra, parse_json(text))
        elif call.action == "delegate":
            agents.read_returned(state, call_id, call, parse_json(text))
        elif call.action == "read" and call.extra:
            changes = ((resolve(call.cwd, call.extra), "read"),)
    close(state, call_id, parts.ERROR if failed else parts.OK, text=text[:KEPT] if failed else "", changes=changes)


def _end_poll(state: "State", call_id: str, call: "OpenCall", status: "int | None", body: str) -> None:
    del state.calls[call_id]
    state.finish(call_id)
    started = state.running.get(call.extra)
    if status is not None and started is not None and started in state.calls:
        del state.running[call.extra]
        close_command(state, started, status, body, [])


def _end_script(state: "State", call_id: str, call: "OpenCall", outcome: str, text: str) -> None:
    if call.name == SCRIPT and call.action == "other":
        state.out.append(
            Call(
                call.line,
                call_id,
                call.name,
                call.action,
                call.target,
                uuid=call.uuid,
                time=call.time,
                source=state.source,
            )
        )
    close(state, call_id, outcome, text=text)


def abort(state: "State") -> None:
    """Ends the calls of a turn that was interrupted, but for processes that run on."""
    kept = set(state.running.values())
    for call_id, call in list(state.calls.items()):
        if call.action == "poll":
            del state.calls[call_id]
        elif call_id not in kept:
            _end_script(state, call_id, call, parts.INTERRUPTED, "")


def _returned(output: "Any") -> str:
    if isinstance(output, dict):
        output = output.get("content") or output.get("output")
    text = plain_text(output)
    if text.startswith('{"output"'):
        told = parse_json(text)
        meta = told.get("metadata") if isinstance(told, dict) else None
        body = told.get("output") if isinstance(told, dict) else None
        if isinstance(meta, dict) and isinstance(meta.get("exit_code"), int) and isinstance(body, str):
            return f"Exit code: {meta['exit_code']}\nOutput:\n{body}"
    return text


def _parse_header(text: str) -> "tuple[int | None, str, str]":
    """Exit status, number of the process if it still runs, and what the tool printed."""
    status: int | None = None
    number = ""
    at = 0
    for _ in range(8):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if line.startswith(("Exit code: ", "Process exited with code ")):
            told = line.rsplit(" ", 1)[-1]
            if told.removeprefix("-").isdecimal() and len(told) < 12 and told.isascii():
                status = int(told)
        elif line.startswith("Process running with session ID "):
            number = line.rsplit(" ", 1)[-1]
        elif line == "Output:":
            return status, number, text[end + 1 :] if end >= 0 else ""
        elif not line.startswith(("Chunk ID: ", "Wall time", "Original token count: ", "Total output lines: ")):
            break
        if end < 0:
            break
        at = end + 1
    return (status, number, text) if status is not None or number else (None, "", text)
