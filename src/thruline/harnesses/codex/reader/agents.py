"""Subagents: each has a rollout of its own; here is which call started which, and how it ended.

A subagent runs while its parent goes on. It is told when its end is (by a notification, or by a call that waited for
it), else when the session's file ends.
"""

from thruline.harnesses.codex.reader import pairs
from thruline.harnesses.codex.reader.words import parse_json
from thruline.harnesses.codex.threads import find_thread
from thruline.harnesses.text import one_line
from thruline.session import parts
from thruline.session.parts import Delegated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import OpenCall, State

_OUTCOME = 500


def read_item(state: "State", item: "dict[str, Any]") -> None:
    """Adds what a call to the subagents' tools did."""
    call_id, tool = item.get("id"), item.get("tool")
    tool = tool.replace("_", "").lower() if isinstance(tool, str) else ""
    if not isinstance(call_id, str):
        state.count("action without an id")
        return
    prompt = item.get("prompt")
    task = one_line(prompt) if isinstance(prompt, str) else ""
    if call_id not in state.done:
        if call_id not in state.calls:
            pairs.note_inner(state)
            pairs.add_call(state, call_id, str(item.get("tool")), "delegate", task, state.cwd)
        failed = item.get("status") == "failed"
        pairs.close(state, call_id, parts.ERROR if failed else parts.OK)
    if tool == "spawnagent":
        roles = _roles(state.value(item.get("receiver_agents")))
        threads = state.value(item.get("receiver_thread_ids"))
        for thread in threads if isinstance(threads, list) else ():
            if isinstance(thread, str):
                _start(state, thread, call_id, roles.get(thread, ""), task)
    _read_states(state, state.value(item.get("agents_states")))


def read_activity(state: "State", item: "dict[str, Any]") -> None:
    """Takes in a subagent that is only told by what it does."""
    thread, path = item.get("agent_thread_id"), item.get("agent_path")
    if isinstance(thread, str):
        _start(state, thread, "", "", path if isinstance(path, str) else "")


def read_returned(state: "State", call_id: str, call: "OpenCall", told: "Any") -> None:
    """Takes in what a call to the subagents' tools returned to the model."""
    if not isinstance(told, dict):
        return
    thread = told.get("agent_id")
    if call.name == "spawn_agent" and isinstance(thread, str):
        role, task = call.extra
        _start(state, thread, call_id, role, task)
    _read_states(state, told.get("status"))


def read_notification(state: "State", text: str) -> None:
    """Takes in how a subagent ended, as the client told the model."""
    told = parse_json(text)
    if isinstance(told, dict) and isinstance(told.get("agent_path"), str):
        _read_states(state, {told["agent_path"]: told.get("status")})


def _roles(told: "Any") -> "dict[str, str]":
    found: dict[str, str] = {}
    for one in told if isinstance(told, list) else ():
        if isinstance(one, dict) and isinstance(one.get("thread_id"), str):
            role = one.get("agent_role") or one.get("agent_nickname")
            found[one["thread_id"]] = role if isinstance(role, str) else ""
    return found


def _start(state: "State", thread: str, call_id: str, role: str, task: str) -> None:
    if thread not in state.agents and f"agent {thread}" not in state.done:
        state.agents[thread] = [state.line, state.uuid, state.time, call_id, role, task]


def _read_states(state: "State", told: "Any") -> None:
    for thread, status in told.items() if isinstance(told, dict) else ():
        if isinstance(status, dict) and thread in state.agents:
            words = next(iter(status.values()), "")
            _end(state, thread, words if isinstance(words, str) else "")


def _end(state: "State", thread: str, outcome: str) -> None:
    line, uuid, time, call_id, role, task = state.agents.pop(thread)
    state.finish(f"agent {thread}")
    state.out.append(
        Delegated(
            line,
            thread,
            agent_kind=role,
            task=task,
            call_id=call_id,
            path=find_thread(state.path, thread),
            outcome=one_line(outcome, _OUTCOME),
            uuid=uuid,
            time=time,
            source=state.source,
        )
    )


def close_agents(state: "State") -> None:
    """Adds the subagents whose end was not told."""
    for thread in list(state.agents):
        _end(state, thread, "")
