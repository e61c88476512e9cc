"""`handoffs/agent-{TASK_ID}-{timestamp}.md`: what one agent leaves the next. Format: docs/formats/agent-handoff.md.

Session handoffs beside it begin with another word (`handoff-`), so no pattern for the one finds the other.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.signal import Signal, find_line, parse_signal, render_signal
from thruline.clock import render_time
from thruline.errors import FormatError

FIELDS = ("From", "To", "Timestamp")
HEADINGS = ("Context", "Findings", "Files Modified", "Open Questions", "Recommendations", "Signal")
_NAME = re.compile(r"agent-(?P<task>.+)-(?P<stamp>[0-9]{8}-[0-9]{6})\.md")
_FENCE = re.compile(r"^(`{3,})json[ \t]*\r?\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(?:\*\*)?(From|To|Timestamp):(?:\*\*)?[ \t]*(.*?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AgentHandoff:
    """One file. `signal` is None where it cannot be read; `problems` tell why, each with its line."""

    path: str
    task_id: str
    stamp: str
    sender: str
    receiver: str
    signal: Signal | None
    problems: tuple[tuple[int, str], ...]


def build_agent_name(task_id: str, moment: datetime) -> str:
    """`agent-{TASK_ID}-{YYYYMMDD-HHMMSS}.md`; the task's id was checked."""
    return f"agent-{task_id}-{moment:%Y%m%d-%H%M%S}.md"


def is_agent_name(name: str) -> bool:
    """Whether a file of that name is an agent's handoff."""
    return _NAME.fullmatch(name) is not None


def find_agent_handoffs(folder: str) -> list[str]:
    """The agents' handoffs in `folder`, newest first by the time in their names."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [(match["stamp"], name) for name in names if (match := _NAME.fullmatch(name))]
    return [os.path.join(folder, name) for _, name in sorted(found, reverse=True)]


def render_agent_handoff(signal: Signal, moment: datetime, sections: Mapping[str, Sequence[str]]) -> bytes:
    """The file: three fields, the headings with a bullet each line, and the signal."""
    lists = {"Files Modified": signal.files_modified, "Open Questions": signal.open_questions, **sections}
    rows = [f"# Agent handoff: {signal.task_id}", "", f"From: {signal.sender}", f"To: {signal.receiver}"]
    rows += [f"Timestamp: {render_time(moment)}", ""]
    for title in HEADINGS[:-1]:
        rows += [f"## {title}", *(f"- {_flatten(item)}" for item in lists.get(title, ())), ""]
    made = "\n".join([*rows, f"## {HEADINGS[-1]}", "```json", render_signal(signal), "```", ""])
    return made.encode("utf-8", "replace")


def parse_agent_handoff(data: bytes, path: str) -> AgentHandoff:
    """What an agent's handoff says; whatever is wrong with it is told with its line, and never raised."""
    text = data.decode("utf-8", "replace")
    match = _NAME.fullmatch(os.path.basename(path))
    fields = {found[1]: found[2] for found in reversed(list(_FIELD.finditer(text)))}
    problems = [(1, f'no line "{name}:"') for name in FIELDS if not fields.get(name)]
    try:
        titles = [section.title for section in parse_document(data, path).sections]
    except FormatError as error:
        titles, problems = [], [*problems, (error.line, error.what)]
    problems += [(1, f'no heading "{title}"') for title in HEADINGS if titles and title not in titles]
    fences = list(_FENCE.finditer(text))
    signal = None
    if fences:
        first = text.count("\n", 0, fences[-1].start(2))
        signal, wrong = parse_signal(fences[-1][2])
        problems += [(first + line, what) for line, what in wrong]
        if signal is not None and match and signal.task_id != match["task"]:
            at = find_line(fences[-1][2], "task_id")
            problems.append((first + at, f'"task_id" is {signal.task_id!r:.60}, the file is of {match["task"]!r:.60}'))
    else:
        problems.append((max(1, len(text.splitlines())), "no signal: a fenced json block is missing"))
    return AgentHandoff(
        path=path,
        task_id=match["task"] if match else "",
        stamp=match["stamp"] if match else "",
        sender=fields.get("From", ""),
        receiver=fields.get("To", ""),
        signal=signal,
        problems=tuple(sorted(problems)),
    )


def _flatten(text: str) -> str:
    return " ".join(text.split())
