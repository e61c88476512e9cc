"""The fields of a record that the reader looks at, typed for msgspec.

One shape serves every kind of payload: what an event tells about a command stands in an item under the same names.
Everything not named here (base instructions, replacement history, encrypted reasoning) is skipped at memory speed; what
is `Raw` is decoded only where a fact is needed from it. A record in which a named field has another type is refused and
takes the slow way (harnesses/jsonl.py). Imported for large files alone.
"""

from typing import Any, TypedDict

import msgspec

from thruline.harnesses.codex.reader.words import parse_json
from thruline.harnesses.typed import decode_any, decode_raw


class Tokens(TypedDict, total=False):
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    total_tokens: int | None


class Info(TypedDict, total=False):
    total_token_usage: Tokens | None
    last_token_usage: Tokens | None
    model_context_window: int | None


class Parsed(TypedDict, total=False):
    type: str
    path: str | None


class Facts(TypedDict, total=False):
    """What items and events have in common."""

    type: str
    id: str | None
    command: msgspec.Raw
    cwd: str | None
    parsed_cmd: list[Parsed] | None
    source: msgspec.Raw
    status: str | None
    aggregated_output: msgspec.Raw
    exit_code: int | None
    changes: msgspec.Raw
    success: bool | None
    stdout: msgspec.Raw
    stderr: msgspec.Raw
    server: str | None
    tool: str | None
    arguments: msgspec.Raw
    result: msgspec.Raw
    error: msgspec.Raw
    query: str | None
    action: msgspec.Raw
    path: str | None
    saved_path: str | None
    content: msgspec.Raw
    text: str | None
    prompt: str | None


class Item(Facts, total=False):
    fragments: msgspec.Raw
    summary_text: msgspec.Raw
    receiver_thread_ids: msgspec.Raw
    receiver_agents: msgspec.Raw
    agents_states: msgspec.Raw
    agent_thread_id: str | None
    agent_path: str | None


class Payload(Facts, total=False):
    # session_meta
    cli_version: str | None
    git: msgspec.Raw
    forked_from_id: str | None
    history_base: msgspec.Raw
    parent_thread_id: str | None
    thread_source: msgspec.Raw
    runtime_workspace_roots: msgspec.Raw
    # turn_context and settings
    turn_id: str | None
    model: str | None
    approval_policy: msgspec.Raw
    collaboration_mode: msgspec.Raw
    thread_settings: msgspec.Raw
    model_context_window: int | None
    # response_item
    role: str | None
    call_id: str | None
    name: str | None
    input: msgspec.Raw
    output: msgspec.Raw
    summary: msgspec.Raw
    internal_chat_message_metadata_passthrough: msgspec.Raw
    # event_msg and others
    item: Item
    info: Info | None
    usage: Tokens | None
    thread_token_usage: Tokens | None
    message: str | None
    replacement_history: msgspec.Raw
    images: msgspec.Raw
    local_images: msgspec.Raw
    kind: msgspec.Raw
    reason: msgspec.Raw
    num_turns: int | None
    thread_name: str | None
    invocation: msgspec.Raw


class Record(TypedDict, total=False):
    timestamp: str
    ordinal: int | None
    type: str
    payload: Payload


__all__ = ["decode_raw", "decode_record", "parse_text"]

decode_record = msgspec.json.Decoder(Record).decode


def parse_text(text: Any) -> Any:
    """The value that a text holds, quickly; like `parse_json` in every other respect."""
    if isinstance(text, str):
        try:
            return decode_any(text)
        except (ValueError, RecursionError):
            return parse_json(text)
    return text
