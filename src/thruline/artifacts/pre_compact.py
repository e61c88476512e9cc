"""`logs/pre-compact-state.json`: how a project stood at a compaction. docs/formats/pre-compact-state.md."""

import json
from dataclasses import asdict, dataclass

FILE = "pre-compact-state.json"
MOST_FILES = 20


@dataclass(frozen=True, slots=True)
class PreCompact:
    """Names only: `recent_files` are paths, the last touched first, never what is in them.

    The first four fields are those of seed 002.
    """

    captured_at: str
    branch: str
    uncommitted_changes: int
    recent_files: tuple[str, ...]
    session_id: str = ""
    harness: str = ""


def render_pre_compact(state: PreCompact) -> bytes:
    """The bytes of the file."""
    return (json.dumps({"schema": 1, **asdict(state)}, indent=2) + "\n").encode("ascii")
