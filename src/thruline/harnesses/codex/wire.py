"""What this client's hooks say and hear (FORMAT.md, Hooks); translated, and nothing more."""

from thruline.harnesses.wiring import (
    FILES_LIMIT,
    build_fields,
    build_file,
    render_block,
    render_output,
    take_part,
    take_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.harnesses.wiring import Environment, Fields

LIMIT = 10_000  # 2,500 tokens, which it takes to be four bytes each; above that the model sees a path and a preview
BLOCK_CAP = 0  # none seen in 25
BLOCK_LIMIT = LIMIT  # of a longer one the model sees the beginning and the end

EVENTS = {
    "session_start": "SessionStart",
    "session_end": "SessionEnd",
    "prompt": "UserPromptSubmit",
    "turn_end": "Stop",
    "tool_done": "PostToolUse",
    "before_compact": "PreCompact",
    "after_compact": "PostCompact",
    "subagent_start": "SubagentStart",
    "subagent_end": "SubagentStop",
}
TELLS = ("session_start", "prompt", "tool_done")
ECHOES = ()

_PATCH = (
    ("*** Add File: ", "created"),
    ("*** Update File: ", "edited"),
    ("*** Delete File: ", "deleted"),
    ("*** Move to: ", "created"),
)


def measure_text(text: str) -> int:
    """The length of `text` as the client counts it: in bytes."""
    return len(text.encode("utf-8", "replace"))


def read_cap(_env: "Environment") -> int:
    """How many blocked turns in a row the client takes."""
    return BLOCK_CAP


def read_event(name: str, payload: "Fields", env: "Environment") -> "Fields":
    """The payload in our words."""
    event = build_fields(payload)
    if name == "tool_done":
        event["outcome"] = _find_outcome(payload)
        # Seen: a patch that fails is not told at all. Should it be, it names what it was to change.
        if event["tool"] == "apply_patch" and event["outcome"] != "error":
            event["files"] = _find_files(take_text(take_part(payload, "tool_input"), "command"))
    return event


def render_answer(name: str, text: str = "", *, user: str = "", block: str = "") -> bytes:
    """Our answer in the client's form; empty where this event takes none."""
    if block:
        return render_block(block) if name == "turn_end" else b""
    return render_output(EVENTS.get(name, ""), text if name in TELLS else "", user)


def _find_outcome(payload: "Fields") -> str:
    # A failed tool comes as one that is done. Only a patch says how it ended; of a command we see its output alone.
    response = take_text(payload, "tool_response")
    if not response.startswith("Exit code: "):
        return ""
    return "ok" if response.startswith("Exit code: 0\n") else "error"


def _find_files(patch: str) -> "list[list[str]]":
    files: list[list[str]] = []
    for line in patch.split("\n"):
        if line.startswith("*** "):
            for start, how in _PATCH:
                if line.startswith(start):
                    if how == "created" and start == "*** Move to: " and files:
                        files[-1][1] = "deleted"  # what it was updated from is gone
                    files += build_file(line[len(start) :].strip(), how)
        if len(files) >= FILES_LIMIT:
            break
    return files
