"""What the wires share: the fields of an event, and the JSON that most clients speak.

Hot: every hook imports this module and one `wire`, so they import nothing but what costs nothing. A wire gives

    LIMIT, measure_text(text)                  how much a client shows the model of one answer, and in what it counts
    BLOCK_CAP, read_cap(env)                   how many blocked turns in a row it takes; 0 where there is no end
    BLOCK_LIMIT                                how long, so counted, a prompt may be that keeps a turn going; 0: any
    EVENTS                                     the client's own name of each of our events that it has
    TELLS                                      our events whose answer may carry text
    ECHOES                                     triggers of a compaction whose answer stays in the conversation, too
    read_event(name, payload, env)             the payload in our words; empty where it is not for us
    render_answer(name, text, user=, block=)   our answer in the client's form; empty where it has none
    read_status(payload, env)                  what a status line is given; only where the client has one

and decides nothing: what is remembered, told or done is the hooks' own matter.
"""

from thruline.scan import render_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = dict[str, object]
    Environment = Mapping[str, str]

TEXT_LIMIT = 200_000  # characters of a message or summary that are passed on; where one is longer, its end
PATH_LIMIT = 4096
FILES_LIMIT = 500


def build_fields(payload: "Fields") -> "Fields":
    """All fields of an event, from the keys that most clients use; a wire changes what differs.

    `project` is the folder that the session was started in, where the client tells it apart from the one it is in now.
    """
    return {
        "session": take_text(payload, "session_id"),
        "transcript": take_text(payload, "transcript_path"),
        "cwd": take_text(payload, "cwd"),
        "project": "",
        "source": take_text(payload, "source"),
        "reason": take_text(payload, "reason"),
        "trigger": take_text(payload, "trigger"),
        "summary": take_text(payload, "compact_summary")[-TEXT_LIMIT:],
        "said": take_text(payload, "last_assistant_message")[-TEXT_LIMIT:],
        "continued": payload.get("stop_hook_active") is True,
        "prompt": take_text(payload, "prompt"),
        "tool": take_text(payload, "tool_name"),
        "files": [],
        "outcome": "",
        "agent": take_text(payload, "agent_id"),
        "agent_type": take_text(payload, "agent_type"),
        "agent_transcript": take_text(payload, "agent_transcript_path"),
        "model": take_text(payload, "model"),
        "fork_id": "",
    }


def take_text(payload: "Fields", key: str) -> str:
    """The text under `key`; empty where there is none, or something else."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def take_part(payload: "Fields", key: str) -> "Fields":
    """The object under `key`; empty where there is none, or something else."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def build_file(path: str, how: str) -> "list[list[str]]":
    """`path` as the list of files of an event; empty where it is no path."""
    return [[path, how]] if path and len(path) <= PATH_LIMIT else []


def render_output(theirs: str, text: str, user: str) -> bytes:
    """Context for the model and a message for the person, in the form that started with one client and spread."""
    answer: Fields = {}
    if user:
        answer["systemMessage"] = user
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": theirs, "additionalContext": text}
    return render_line(answer) if answer else b""


def render_block(reason: str) -> bytes:
    """Keeps the turn going with `reason` as its next prompt: for a loop that the user started, and nothing else."""
    return render_line({"decision": "block", "reason": reason})
