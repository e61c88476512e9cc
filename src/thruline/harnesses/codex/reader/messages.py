"""What was said and thought, and by whom.

Each is told by the client's own account (an item, or in older versions an event). The model's copy of the same words
(`response_item`) follows or goes before; it is told only where there is no account of it.
"""

from thruline.harnesses.codex.reader import agents
from thruline.harnesses.codex.reader.state import digest
from thruline.harnesses.codex.reader.words import ACCEPTED, client_kind, inner_text, plain_text, take_words
from thruline.session.parts import Planned, Said, Thought

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

_PICTURES = ("image", "local_image", "localImage", "input_image")


def read_prompt_event(state: "State", payload: "dict[str, Any]") -> None:
    """Adds a prompt of the older form: `user_message`."""
    text = payload.get("message")
    kind = state.value(payload.get("kind"))
    pictures = state.value(payload.get("images")) or state.value(payload.get("local_images"))
    text = text if isinstance(text, str) else ""
    if kind in ("user_instructions", "environment_context"):
        _say(state, "client", "reminder", text)
    else:
        _read_prompt(state, "event", text, bool(pictures))


def read_prompt_item(state: "State", item: "dict[str, Any]") -> None:
    """Adds a prompt of the newer form: a `UserMessage` item."""
    content = state.value(item.get("content"))
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    text = plain_text([block for block in blocks if block.get("type") == "text"], "")
    _read_prompt(state, "item", text, any(block.get("type") in _PICTURES for block in blocks))


def _read_prompt(state: "State", form: str, text: str, pictures: bool) -> None:
    words = take_words(text)
    mark = digest(text)
    if state.heard and state.heard[0] != form and state.heard[1] == mark:
        state.heard = []
        state.count("told twice")
        return
    state.heard = [form, mark]
    kind = client_kind(words)
    plan, state.plan = state.plan, ""
    if state.inside:
        kind = kind or "subagent"
    elif plan and words == ACCEPTED:
        state.out.append(Planned(state.line, plan, "approved", uuid=state.uuid, time=state.time, source=state.source))
        kind = "plan"
    if kind:
        _say(state, "client", kind, words)
        return
    state.turns.append(state.line)
    state.prompts.append([state.line, state.key, state.key - 1, mark, state.time])
    if words:
        _say(state, "human", "turn", words)
    elif pictures:
        # A picture without a word: a prompt, but nothing was said.
        _say(state, "client", "other", "[picture]")


def read_answer(state: "State", content: "Any") -> None:
    """Adds what the agent said."""
    text = plain_text(content)
    state.spoke = True
    _say(state, "agent", "text", text)


def read_thought(state: "State", summary: "Any") -> None:
    """Adds a summary of what the model thought."""
    state.thought = True
    _think(state, plain_text(summary))


def read_reasoning(state: "State", payload: "dict[str, Any]") -> None:
    """Adds the model's own record of its thinking where the client gave no account of it."""
    if state.thought:
        state.thought = False
        return
    text = plain_text(state.value(payload.get("summary")))
    if text:
        _think(state, text)
    else:
        state.count("thinking without text")


def read_hook(state: "State", fragments: "Any") -> None:
    """Adds the prompt of a hook that kept the agent from stopping."""
    if state.uuid in state.done:
        return
    _say_hook(state, plain_text(fragments))


def read_plan(state: "State", text: "Any") -> None:
    """Adds a plan put before the user."""
    if isinstance(text, str) and text:
        state.plan = text
        state.out.append(Planned(state.line, text, "proposed", uuid=state.uuid, time=state.time, source=state.source))


def read_message(state: "State", payload: "dict[str, Any]") -> None:
    """Adds what only the model's record of a message tells: hook context, hook prompts, notifications."""
    role = payload.get("role")
    if role == "assistant":
        if not state.spoke:
            # The summary of a compaction, or an answer cut short: no one saw it.
            state.count("answer that was not shown")
        state.spoke = False
    elif role == "developer":
        _read_context(state, payload)
    elif role == "user":
        text = plain_text(state.value(payload.get("content"))).strip()
        if text.startswith("<hook_prompt"):
            if state.uuid:
                state.finish(state.uuid)
            _say_hook(state, inner_text(text, "hook_prompt"))
        elif text.startswith("<subagent_notification"):
            _say(state, "client", "notification", text)
            agents.read_notification(state, inner_text(text, "subagent_notification"))


def _read_context(state: "State", payload: "dict[str, Any]") -> None:
    # Only newer versions tell which of the developer's texts came from a hook; the others are the client's prompts.
    told = state.value(payload.get("internal_chat_message_metadata_passthrough"))
    kinds = told.get("content_item_kinds") if isinstance(told, dict) else None
    if not isinstance(kinds, list) or "hooks.additional_context" not in kinds:
        return
    content = state.value(payload.get("content"))
    blocks = content if isinstance(content, list) else []
    texts = [block for block, kind in zip(blocks, kinds, strict=False) if kind == "hooks.additional_context"]
    _say(state, "client", "hook", plain_text(texts))


def _say_hook(state: "State", text: str) -> None:
    _say(state, "client", "loop" if client_kind(text) == "loop" else "hook", text)


def _say(state: "State", by: str, kind: str, text: str) -> None:
    if text:
        state.out.append(Said(state.line, by, kind, text, uuid=state.uuid, time=state.time, source=state.source))


def _think(state: "State", text: str) -> None:
    if text:
        state.out.append(Thought(state.line, text, uuid=state.uuid, time=state.time, source=state.source))
