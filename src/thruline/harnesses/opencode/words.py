"""Whose words a text is: what people typed, and what the client, a plugin or another agent put under their name."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How the client words what a person answered when it asked for permission.
_REFUSED = "The user rejected permission to use this specific tool call"
_FEEDBACK = _REFUSED + " with the following feedback: "
_RULED_OUT = "The user has specified a rule which prevents you from using this specific tool call"
_DISMISSED = "The user dismissed this question"
_ABORTED = ("Tool execution aborted", "Tool execution was interrupted")

# What stands as the title until the client has thought of one.
_UNTITLED = ("New session - ", "Child session - ")


def is_typed(part: "Any") -> bool:
    """Whether a part of a user's message is what a person typed."""
    if not isinstance(part, dict) or part.get("type") != "text" or part.get("synthetic") is True:
        return False
    return isinstance(part.get("text"), str) and bool(part["text"].strip()) and part.get("ignored") is not True


def client_kind(part: "dict[str, Any]") -> str:
    """What a text that nobody typed is."""
    text = part["text"].lstrip()
    return "reminder" if text.startswith("<system-reminder>") else "other"


def is_refusal(error: str) -> bool:
    """Whether a tool did not run because a person, or a rule of theirs, said no."""
    return error.startswith((_REFUSED, _RULED_OUT, _DISMISSED))


def take_feedback(error: str) -> str:
    """What a person typed when refusing a call; "" where they only refused."""
    return error.removeprefix(_FEEDBACK).strip() if error.startswith(_FEEDBACK) else ""


def is_abort(error: str) -> bool:
    """Whether a tool ended because a person stopped the turn."""
    return error.startswith(_ABORTED)


def find_title(session: "dict[str, Any]") -> str:
    """The session's title; "" while it has the client's placeholder."""
    title = session.get("title")
    return title if isinstance(title, str) and not title.startswith(_UNTITLED) else ""
