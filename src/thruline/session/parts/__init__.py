"""The parts of a session: what was said, thought, called, returned, and what changed around it.

Each part knows its place: `line` is the 1-based line of its file, `source` the short label of that file ("" for the
session's own transcript, "a1" for a subagent's), `uuid` the record's id as it stands in the file (may be empty) and
`time` the client's own timestamp text (may be empty).

A part holds texts and facts, never payloads: what a tool printed stays in the transcript, where the line finds it.

The parts that make up most of a session set the four fields of `Part` themselves and take positional arguments: both
together halve the cost of making one.
"""

from thruline.session.parts.done import Call, Changed, Compacted, Delegated, Move, Problem, Result, Rewound, Tasks, Used
from thruline.session.parts.said import Asked, Part, Planned, Said, Thought

__all__ = [
    "ACTIONS",
    "ALLOWED",
    "ERROR",
    "HUMAN_KINDS",
    "INTERRUPTED",
    "OK",
    "REFUSED",
    "UNKNOWN",
    "Asked",
    "Call",
    "Changed",
    "Compacted",
    "Delegated",
    "Move",
    "Part",
    "Planned",
    "Problem",
    "Result",
    "Rewound",
    "Said",
    "Tasks",
    "Thought",
    "Used",
]

# How a tool call ended.
OK, ERROR, REFUSED, INTERRUPTED, UNKNOWN = "ok", "error", "refused", "interrupted", "unknown"

# What a tool call does, whatever the client calls the tool.
ACTIONS = ("run", "read", "write", "edit", "delete", "search", "fetch", "delegate", "ask", "plan", "tasks", "other")

# What an `answer` is about that answers no question: words typed when allowing a call.
ALLOWED = "allowed the call"

# Where human words stand.
HUMAN_KINDS = ("turn", "queued", "rejection", "answer")
