"""`indexes/sessions.jsonl`: which sessions this project had, and when. Described in docs/formats/sessions-log.md."""

from typing import Any

from thruline.artifacts.lines import render_row

STARTED, ENDED, DRIFTED = "started", "ended", "drifted"


def build_session_row(
    event: str, *, timestamp: str, harness: str, session_id: str, cwd: str, detail: str = ""
) -> dict[str, Any]:
    """One row. `detail` is how it started (`source`), why it ended (`reason`), or where it drifted to (`to`)."""
    row = {"timestamp": timestamp, "event": event, "harness": harness, "session_id": session_id, "cwd": cwd}
    names = {STARTED: "source", ENDED: "reason", DRIFTED: "to"}
    return row | ({names[event]: detail} if detail else {})


def render_session_row(event: str, **facts: str) -> str:
    """The line of such a row."""
    return render_row(build_session_row(event, **facts))
