"""Subagents: which call started which, where its records are, and how it ended.

Three layouts in the wild: records inline in the main file (up to 2.0), a file beside the session (`agent-<id>.jsonl`),
a file below it (`<session>/subagents/agent-<id>.jsonl` with a `.meta.json`).
"""

import os

from thruline.harnesses.claude_code.words import inner_text, plain_text
from thruline.harnesses.jsonl import decode_records
from thruline.harnesses.text import one_line
from thruline.session.parts import Delegated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.sides import Side
    from thruline.harnesses.claude_code.reader.state import OpenCall, State
    from thruline.session.parts import Part

_OUTCOME = 500
_META = 64 << 10
_NOTE = "\nagentId: "
_ENDED = ("completed", "failed", "killed", "stopped")


def read_result(
    state: "State",
    call: "OpenCall",
    call_id: str,
    record: "dict[str, Any]",
    block: "dict[str, Any]",
    line: int,
    out: "list[Part]",
) -> str:
    """Adds the subagent whose call returned; gives its last words on one line."""
    if call.name == "SendMessage":
        return ""
    told = state.value(record.get("toolUseResult"))
    told = told if isinstance(told, dict) else {}
    agent_id = told.get("agentId") or told.get("agent_id")
    agent_id = agent_id if isinstance(agent_id, str) else ""
    started = told.get("isAsync") is True or told.get("status") in ("async_launched", "teammate_spawned")
    outcome = "" if started else one_line(_strip_note(plain_text(state.value(block.get("content")))), _OUTCOME)
    kind = told.get("agentType")
    kind = kind if isinstance(kind, str) else ""
    if started and agent_id:
        # It runs on: told when its end is, or at the end of the session.
        extra = call.extra or [0, "", ""]
        state.agents[agent_id] = [line, record["uuid"], record["timestamp"], call_id, kind or extra[1], extra[2]]
        return ""
    _add(state, call, call_id, record, line, agent_id, kind, outcome, out)
    return outcome


def _strip_note(text: str) -> str:
    # Behind a subagent's last words the client notes, for the model, how to go on with it and what it cost.
    at = text.rfind(_NOTE)
    if at < 0 and text.startswith(_NOTE[1:]):
        at, text = 0, f"\n{text}"
    agent_id, _, rest = text[at + len(_NOTE) :].partition(" ")
    return text[:at] if at >= 0 and agent_id.isalnum() and rest.startswith("(") else text


def read_failure(
    state: "State",
    call: "OpenCall",
    call_id: str,
    record: "dict[str, Any]",
    text: str,
    line: int,
    out: "list[Part]",
) -> None:
    """Adds the subagent whose call failed, if it ever ran: its records are there."""
    if find_side(state, call) is not None:
        _add(state, call, call_id, record, line, "", "", one_line(text, _OUTCOME), out)


def _add(
    state: "State",
    call: "OpenCall",
    call_id: str,
    record: "dict[str, Any]",
    line: int,
    agent_id: str,
    kind: str,
    outcome: str,
    out: "list[Part]",
) -> None:
    side = find_side(state, call)
    first = line
    last = 0
    if side is not None:
        first, last = side.first, side.last
        agent_id = agent_id or side.agent_id
        outcome = outcome or side.outcome
        state.sides.close(side)
    extra = call.extra or [0, "", ""]
    out.append(
        Delegated(
            first,
            agent_id,
            agent_kind=kind or extra[1],
            task=extra[2],
            call_id=call_id,
            path=find_file(state.path, agent_id),
            outcome=outcome,
            last=last,
            uuid=side.uuid if side is not None else record["uuid"],
            time=side.time if side is not None else record["timestamp"],
            source=state.source,
        )
    )


def find_file(path: str, agent_id: str) -> str:
    """The transcript of a subagent of the session at `path`: where it is, or was before the client deleted it."""
    if not agent_id or "/" in agent_id or "\\" in agent_id or "\0" in agent_id:
        return ""
    folder, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    file = f"agent-{agent_id}.jsonl"
    below, beside = os.path.join(folder, stem, "subagents", file), os.path.join(folder, file)
    return beside if os.path.isfile(beside) and not os.path.isfile(below) else below


def find_side(state: "State", call: "OpenCall") -> "Side | None":
    """The inline subagent that this call started: the one that was given the same task."""
    if not state.sides or not call.extra or not call.extra[0]:
        return None
    return state.sides.find_task(call.extra[0], call.line)


def close_sides(state: "State", out: "list[Part]") -> None:
    """Adds the inline subagents that no result closed: their call was interrupted, or is not in this file."""
    for side in state.sides.all():
        out.append(
            Delegated(
                side.first,
                side.agent_id,
                task=side.task,
                outcome=side.outcome,
                last=side.last,
                uuid=side.uuid,
                time=side.time,
                source=state.source,
            )
        )
    state.sides.clear()


def read_notification(state: "State", text: str, line: int, uuid: str, time: str, out: "list[Part]") -> None:
    """Adds how a background subagent ended, from the notification that tells it."""
    agent_id = inner_text(text, "task-id") or inner_text(text, "agent-id")
    if agent_id in state.agents and inner_text(text, "status").startswith(_ENDED):
        outcome = inner_text(text, "result") or inner_text(text, "summary")
        _, _, _, *started = state.agents.pop(agent_id)
        _add_background(state, agent_id, [line, uuid, time, *started], one_line(outcome, _OUTCOME), out)


def close_agents(state: "State", out: "list[Part]") -> None:
    """Adds the background subagents whose end nothing told."""
    for agent_id, started in state.agents.items():
        _add_background(state, agent_id, started, "", out)
    state.agents = {}
    waiting = {call_id: call for call_id, call in state.calls.items() if call.action == "delegate"}
    if waiting:
        _close_calls(state, waiting, out)


def _close_calls(state: "State", waiting: "dict[str, OpenCall]", out: "list[Part]") -> None:
    # Calls that never returned (the client died, the turn was interrupted): the note beside each subagent's transcript
    # names the call that started it.
    folder = os.path.join(state.path.removesuffix(".jsonl"), "subagents")
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if not name.startswith("agent-") or not name.endswith(".meta.json"):
            continue
        call_id = read_meta(os.path.join(folder, name)).get("toolUseId", "")
        call = waiting.get(call_id)
        if call is not None:
            agent_id = name[len("agent-") : -len(".meta.json")]
            kind, task = (call.extra[1], call.extra[2]) if call.extra else ("", "")
            _add_background(state, agent_id, [call.line, "", "", call_id, kind, task], "", out)


def read_meta(path: str) -> "dict[str, str]":
    """What the client noted beside a subagent's transcript: agentType, description, toolUseId; {} where it did not."""
    try:
        with open(path, "rb") as file:
            values = decode_records(file.read(_META), path, 1, [])
    except OSError:
        return {}
    return {key: item for value in values for key, item in value.items() if isinstance(item, str)}


def _add_background(state: "State", agent_id: str, started: "list[Any]", outcome: str, out: "list[Part]") -> None:
    line, uuid, time, call_id, kind, task = started
    out.append(
        Delegated(
            line,
            agent_id,
            agent_kind=kind,
            task=task,
            call_id=call_id,
            path=find_file(state.path, agent_id),
            outcome=outcome,
            uuid=uuid,
            time=time,
            source=state.source,
        )
    )
