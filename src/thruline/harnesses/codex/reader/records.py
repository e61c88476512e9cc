"""One record to the parts it holds: which kind it is, whether it was seen, what it says about the session."""

from thruline.harnesses.codex.reader import actions, agents, facts, messages, outputs
from thruline.harnesses.codex.reader.calls import read_call
from thruline.harnesses.ids import key_of
from thruline.harnesses.jsonl import value_of
from thruline.session.parts import Compacted, Rewound, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

# Events that say nothing a later room asks for; they are counted.
_SILENT_EVENTS = frozenset(
    (
        "task_complete",
        "turn_complete",
        "entered_review_mode",
        "exited_review_mode",
        "thread_goal_updated",
        "agent_reasoning_raw_content",
        "agent_reasoning_section_break",
        "warning",
        "image_generation_end",
        "item_started",
        "sub_agent_activity",
    )
)


# What the model saw that is no part of the conversation, or that another record tells.
_SILENT_RESPONSES = frozenset(
    (
        "additional_tools",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "ghost_snapshot",
        "image_generation_call",
        "tool_search_call",
        "tool_search_output",
    )
)


# The records that begin a turn; that of its settings has no type of its own.
_BEGINNINGS = (None, "task_started", "turn_started")


def read_record(state: "State", record: "dict[str, Any]", line: int, size: int) -> None:
    """Adds the parts of one record to `state.out`."""
    kind, payload = record.get("type"), record.get("payload")
    if not isinstance(kind, str) or not isinstance(payload, dict):
        state.count("unknown")
        return
    if kind == "session_meta" and not state.session_id:
        thread = payload.get("id")
        if isinstance(thread, str):
            state.thread_key = state.turn_key = key_of(thread)
    told = payload.get("type")
    ordinal = record.get("ordinal")
    if not isinstance(ordinal, int) or ordinal < 0:
        ordinal = -1
        if told in _BEGINNINGS and kind != "response_item":
            _turn(state, payload)
    if not state.pass_record(f"{kind}/{told}" if isinstance(told, str) else kind, ordinal, line):
        return
    time, uuid = record.get("timestamp"), payload.get("id")
    state.line, state.size = line, size
    state.time = time if isinstance(time, str) else ""
    state.uuid = uuid if isinstance(uuid, str) else ""
    if kind == "event_msg":
        _read_event(state, payload)
    elif kind == "response_item":
        _read_response(state, payload)
    elif kind == "turn_context":
        facts.read_settings(state, payload)
    elif kind == "compacted":
        _read_compaction(state, payload)
    elif kind == "token_usage_record":
        facts.read_usage(state, payload.get("thread_token_usage"), payload.get("usage"), None)
    elif kind == "session_meta":
        facts.read_meta(state, payload)
    elif kind != "world_state":
        state.count("unknown")


def _turn(state: "State", payload: "dict[str, Any]") -> None:
    # Without ordinals a record is known by its turn and its number in it: a fork of that time copies both.
    turn = payload.get("turn_id")
    if isinstance(turn, str):
        key = key_of(turn)
        if key != state.turn_key:
            state.turn_key, state.nth = key, 0


def _read_event(state: "State", payload: "dict[str, Any]") -> None:
    kind = payload.get("type")
    if not isinstance(kind, str):
        state.count("unknown")
        return
    if kind == "item_completed":
        item = payload.get("item")
        if isinstance(item, dict):
            uuid = item.get("id")
            state.uuid = uuid if isinstance(uuid, str) else ""
            _read_item(state, item)
    elif kind == "token_count":
        info = payload.get("info")
        if isinstance(info, dict):
            window = info.get("model_context_window")
            facts.read_usage(state, info.get("total_token_usage"), info.get("last_token_usage"), window)
    elif kind in actions.EVENTS:
        actions.EVENTS[kind](state, payload, payload.get("call_id"))
    elif kind == "agent_message":
        messages.read_answer(state, payload.get("message"))
    elif kind == "user_message":
        messages.read_prompt_event(state, payload)
    elif kind == "agent_reasoning":
        messages.read_thought(state, payload.get("text"))
    elif kind in ("task_started", "turn_started"):
        window = payload.get("model_context_window")
        if isinstance(window, int):
            state.window = window
    elif kind == "thread_settings_applied":
        settings = state.value(payload.get("thread_settings"))
        if isinstance(settings, dict):
            facts.read_settings(state, settings)
    elif kind == "context_compacted":
        _read_compacted(state)
    elif kind == "turn_aborted":
        outputs.abort(state)
        reason = state.value(payload.get("reason"))
        _say(state, "interrupt", reason if isinstance(reason, str) else "aborted")
    elif kind == "thread_rolled_back":
        _read_rollback(state, payload.get("num_turns"))
    elif kind == "thread_name_updated":
        facts.tell(state, "title", payload.get("thread_name"))
    elif kind in ("error", "stream_error"):
        _say(state, "error", payload.get("message"))
    elif kind not in _SILENT_EVENTS:
        state.count("unknown")
    if kind in ("task_complete", "turn_complete"):
        error = state.value(payload.get("error"))
        if isinstance(error, dict):
            _say(state, "error", error.get("message"))


def _read_item(state: "State", item: "dict[str, Any]") -> None:
    kind = item.get("type")
    state.count(f"item/{kind}")
    if kind == "UserMessage":
        messages.read_prompt_item(state, item)
    elif kind == "AgentMessage":
        messages.read_answer(state, state.value(item.get("content")))
    elif kind == "Reasoning":
        messages.read_thought(state, state.value(item.get("summary_text")))
    elif kind == "HookPrompt":
        messages.read_hook(state, state.value(item.get("fragments")))
    elif kind == "Plan":
        messages.read_plan(state, item.get("text"))
    elif kind == "ContextCompaction":
        _read_compacted(state)
    elif kind == "CollabAgentToolCall":
        agents.read_item(state, item)
    elif kind == "SubAgentActivity":
        agents.read_activity(state, item)
    elif isinstance(kind, str) and kind in actions.ITEMS:
        actions.ITEMS[kind](state, item, item.get("id"))
    elif kind != "Sleep":
        state.count("unknown")


def _read_response(state: "State", payload: "dict[str, Any]") -> None:
    kind = payload.get("type")
    if kind in ("function_call_output", "custom_tool_call_output"):
        outputs.read_output(state, payload)
    elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
        read_call(state, payload)
    elif kind == "message":
        messages.read_message(state, payload)
    elif kind == "reasoning":
        messages.read_reasoning(state, payload)
    elif kind == "web_search_call":
        actions.read_search(state, payload, payload.get("id"))
    elif not isinstance(kind, str) or kind not in _SILENT_RESPONSES:
        state.count("unknown")


def _say(state: "State", kind: str, text: "Any") -> None:
    if isinstance(text, str) and text:
        state.out.append(Said(state.line, "client", kind, text, uuid=state.uuid, time=state.time, source=state.source))


def _read_compaction(state: "State", payload: "dict[str, Any]") -> None:
    _add_compaction(state, _find_retained(payload))
    state.compacted = True
    _say(state, "summary", payload.get("message"))


def _read_compacted(state: "State") -> None:
    if not state.compacted:
        _add_compaction(state)
    state.compacted = False


def _add_compaction(state: "State", retained: str = "") -> None:
    found = Compacted(state.line, "", tokens_before=state.context or None, retained=retained)
    found.uuid, found.time, found.source = state.uuid, state.time, state.source
    state.out.append(found)


def _find_retained(payload: "dict[str, Any]") -> str:
    """What people said that goes on beside the summary; the client keeps some 20,000 tokens of it."""
    texts = []
    history = value_of(payload.get("replacement_history"))
    for item in history if isinstance(history, list) else ():
        if isinstance(item, dict) and item.get("role") == "user" and isinstance(item.get("content"), list):
            found = [part.get("text") for part in item["content"] if isinstance(part, dict)]
            texts += [text for text in found if isinstance(text, str) and text != payload.get("message")]
    return "\n".join(texts)


def _read_rollback(state: "State", number: "Any") -> None:
    turns = state.turns
    if not isinstance(number, int) or number < 1 or not turns:
        return
    first = turns[-min(number, len(turns))]
    del turns[-min(number, len(turns)) :]
    state.out.append(Rewound(state.line, first, state.line - 1, uuid=state.uuid, time=state.time, source=state.source))
