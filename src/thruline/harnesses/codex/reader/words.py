"""Who wrote a text that stands where the user's words stand: a person, or the client in the person's place.

A person's words are those of `UserMessage` items and `user_message` events. Records of what the model was sent
(`response_item`) hold more under the user's role: AGENTS.md, the environment, hook prompts, notifications; those are
never asked for a person's words. What is left to take off is what an editor or the desktop application puts around a
typed request. The side it errs on: a text without a known mark is human.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What editors and the desktop application write before the request, and the heading under which it then stands.
_CONTEXTS = ("# Context from my IDE setup:", "# Files mentioned by the user:", "## My request for Codex:")
_REQUEST = "## My request for Codex:"

# The first tag of a text that is not a person's, and what it is.
_TAGS = {
    "environment_context": "reminder",
    "user_instructions": "reminder",
    "INSTRUCTIONS": "reminder",
    "skill": "reminder",
    "hook_prompt": "hook",
    "subagent_notification": "notification",
    "turn_aborted": "interrupt",
    "user_shell_command": "command",
    "user_action": "command",
}

# How the client's own texts begin.
_OPENINGS = (
    ("# AGENTS.md instructions", "reminder"),
    ("Generate a file named AGENTS.md that serves as a contributor guide", "command"),
    ("<!-- thruline:", "loop"),
)

# What the client sends in the person's name when a proposed plan was accepted with a key.
ACCEPTED = "Implement the plan."


def take_words(text: str) -> str:
    """The text without what an editor put before it."""
    text = text.strip()
    if text.startswith(_CONTEXTS):
        at = 0 if text.startswith(_REQUEST) else text.find(f"\n{_REQUEST}") + 1
        if at or text.startswith(_REQUEST):
            return text[at + len(_REQUEST) :].strip()
    return text


def client_kind(text: str) -> str:
    """What kind of client text this is, or "" where nothing says that it is not a person's."""
    if text.startswith("<"):
        end = 1
        while end < len(text) and end < 40 and (text[end].isalnum() or text[end] in "-_"):
            end += 1
        kind = _TAGS.get(text[1:end])
        if kind and text[end : end + 1] in ("", ">", " ", "\n"):
            return kind
    for opening, kind in _OPENINGS:
        if text.startswith(opening):
            return kind
    return ""


def inner_text(text: str, tag: str) -> str:
    """What stands inside the first `tag` of a text, "" where there is none."""
    begin = text.find(f"<{tag}")
    begin = text.find(">", begin) + 1 if begin >= 0 else 0
    end = text.find(f"</{tag}>", begin)
    return text[begin:end].strip() if begin and end >= 0 else ""


def plain_text(content: "Any", joint: str = "\n") -> str:
    """The text of a string or of a list of blocks; pictures and the like have none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") if isinstance(block, dict) else block for block in content]
    return joint.join([text for text in texts if isinstance(text, str)])


def parse_json(text: "Any") -> "Any":
    """The value that a text holds, None where it holds none; what is no text is a value already."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
