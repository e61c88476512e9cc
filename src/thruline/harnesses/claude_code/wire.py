"""What this client's hooks say and hear (FORMAT.md, Hooks); translated, and nothing more."""

from thruline.harnesses.wiring import build_fields, build_file, render_block, render_output, take_part, take_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.harnesses.wiring import Environment, Fields

LIMIT = 10_000  # above it the model sees a path and the first 2 KB
BLOCK_CAP = 8  # prompts of a loop in a row, no tool between them, after which the client ends the turn
BLOCK_LIMIT = 0  # 40 kB came whole

EVENTS = {
    "session_start": "SessionStart",
    "session_end": "SessionEnd",
    "prompt": "UserPromptSubmit",
    "turn_end": "Stop",
    "tool_done": "PostToolUse",
    "tool_failed": "PostToolUseFailure",
    "before_compact": "PreCompact",
    "after_compact": "PostCompact",
    "subagent_start": "SubagentStart",
    "subagent_end": "SubagentStop",
}
TELLS = ("session_start", "prompt", "tool_done", "tool_failed", "before_compact")
ECHOES = ("manual",)

# Tools that touch one file: where its path stands, and what is done to it.
_FILES = {
    "Read": ("file_path", "read"),
    "NotebookRead": ("notebook_path", "read"),
    "Write": ("file_path", "edited"),
    "Edit": ("file_path", "edited"),
    "MultiEdit": ("file_path", "edited"),
    "NotebookEdit": ("notebook_path", "edited"),
}


def measure_text(text: str) -> int:
    """The length of `text` as the client counts it: in units of UTF-16, an emoji is two."""
    return len(text) + sum(1 for c in text if c > "\uffff") if not text.isascii() else len(text)


def read_cap(env: "Environment") -> int:
    """How many blocked turns in a row the client takes; its user may have said so. 0 is no end."""
    told = env.get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "").strip()
    return int(told[:9]) if told.isascii() and told.isdigit() else BLOCK_CAP


def read_event(name: str, payload: "Fields", env: "Environment") -> "Fields":
    """The payload in our words; empty for the client's own summariser, and for another client that runs its hooks."""
    event = build_fields(payload)
    session, transcript = str(event["session"]), str(event["transcript"])
    # A transcript here is named after its session. Another client runs these hooks too where it finds them, with its
    # own sessions, and we hear it through its own wire.
    if transcript and not transcript.endswith(session + ".jsonl"):
        return {}
    if name == "subagent_end" and not event["agent_type"]:
        return {}  # a compaction is an agent to the client, without a name and without a start
    # `cd` moves cwd and not this. A value in settings, the user's or a project's, does not change it.
    event["project"] = env.get("CLAUDE_PROJECT_DIR", "")
    if name == "session_start":
        event["fork_id"] = _find_fork_id(session, env)
    elif name in ("tool_done", "tool_failed"):
        event["outcome"] = _find_outcome(name, payload)
        if name == "tool_done":  # one that failed touched nothing, whatever file it was given
            event["files"] = _find_files(payload)
    return event


def render_answer(name: str, text: str = "", *, user: str = "", block: str = "") -> bytes:
    """Our answer in the client's form; empty where this event takes none."""
    if block:
        return render_block(block) if name == "turn_end" else b""
    if name == "before_compact":
        return text.encode("utf-8", "replace")  # as it is: it becomes part of the prompt that asks for the summary
    return render_output(EVENTS[name], text if name in TELLS else "", user)


def read_status(payload: "Fields", env: "Environment") -> "Fields":
    """What the status line is given, in our words; `percent` is -1 where the client does not tell.

    Seen: no percentage before the first answer, after a clear and after a compaction. Of a window that grew, the
    percentage may still count the smaller one, so the tokens are asked too, and the lower number counts.
    """
    fields = read_event("statusline", payload, env)
    if fields:
        window = take_part(payload, "context_window")
        fields["model"] = take_text(take_part(payload, "model"), "display_name")
        fields["role"] = take_text(take_part(payload, "agent"), "name")
        fields["percent"] = _find_percent(window)
        fields["settings"] = (env.get("CLAUDE_CONFIG_DIR") or env.get("HOME", "") + "/.claude") + "/settings.json"
    return fields


def _find_percent(window: "Fields") -> int:
    used, tokens, size = (
        value if isinstance(value, int | float) and value == value and 0 <= value < 1e15 else -1
        for value in map(window.get, ("used_percentage", "total_input_tokens", "context_window_size"))
    )
    if used < 0:
        return -1
    counted = 100 * tokens / size if tokens > 0 and size > 0 else used
    return int(min(used, counted, 100))


def _find_fork_id(session: str, env: "Environment") -> str:
    # A forked session starts under its parent's id; its own stands in the path of this file, and nowhere else.
    parts = env.get("CLAUDE_ENV_FILE", "").replace("\\", "/").split("/")
    return parts[-2] if len(parts) > 2 and parts[-3] == "session-env" and parts[-2] != session else ""


def _find_files(payload: "Fields") -> "list[list[str]]":
    tool = take_text(payload, "tool_name")
    if tool not in _FILES:
        return []
    key, how = _FILES[tool]
    if take_text(take_part(payload, "tool_response"), "type") == "create":
        how = "created"
    return build_file(take_text(take_part(payload, "tool_input"), key), how)


def _find_outcome(name: str, payload: "Fields") -> str:
    if name == "tool_done":
        return "ok"
    return "interrupted" if payload.get("is_interrupt") is True else "error"
