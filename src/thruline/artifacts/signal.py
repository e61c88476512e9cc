"""The signal at the end of an agent's handoff: what a program must know of it. Format: docs/formats/signal.md."""

import json
import re
from dataclasses import dataclass
from typing import Any

COMPLETE, PARTIAL, BLOCKED = "complete", "partial", "blocked"
STATUSES = (COMPLETE, PARTIAL, BLOCKED)
_TEXTS = ("from", "to", "task_id", "status")
_LISTS = ("files_modified", "open_questions")
_TASK = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}")


@dataclass(frozen=True, slots=True)
class Signal:
    """Who handed what to whom. `blocking` is the question that must be answered first, "" where there is none."""

    sender: str
    receiver: str
    task_id: str
    status: str
    files_modified: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    blocking: str = ""

    def to_fields(self) -> dict[str, Any]:
        """The signal as JSON holds it."""
        return {
            "from": self.sender,
            "to": self.receiver,
            "task_id": self.task_id,
            "status": self.status,
            "files_modified": list(self.files_modified),
            "open_questions": list(self.open_questions),
            "blocking": self.blocking,
        }


def is_task_id(text: str) -> bool:
    """Whether `text` can stand in a file's name: nothing that looks like a path or an option does."""
    return _TASK.fullmatch(text) is not None and not text.endswith(".")


def render_signal(signal: Signal) -> str:
    """The JSON, one field a line."""
    return json.dumps(signal.to_fields(), ensure_ascii=False, indent=2)


def parse_signal(text: str) -> tuple[Signal | None, list[tuple[int, str]]]:
    """The signal in a JSON text, and what is wrong with it, each with its line (from 1); None where it is none."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return None, [(error.lineno, f"the signal is no JSON: {error.msg}")]
    except (ValueError, RecursionError):
        return None, [(1, "the signal is no JSON")]
    if not isinstance(value, dict):
        return None, [(1, "the signal is not an object")]
    problems = [(find_line(text, key), what) for key, what in _check(value)]
    if problems:
        return None, problems
    blocking = value.get("blocking")
    return Signal(
        sender=value["from"],
        receiver=value["to"],
        task_id=value["task_id"],
        status=value["status"],
        files_modified=tuple(value["files_modified"]),
        open_questions=tuple(value["open_questions"]),
        blocking=blocking if isinstance(blocking, str) else "",
    ), []


def _check(value: dict[str, Any]) -> list[tuple[str, str]]:
    found = [(key, f'"{key}" is missing') for key in (*_TEXTS, *_LISTS, "blocking") if key not in value]
    found += [(key, f'"{key}" is no text') for key in _TEXTS if key in value and not _is_text(value[key])]
    for key in _LISTS:
        items = value.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            found.append((key, f'"{key}" is no list of texts'))
    if not isinstance(value.get("blocking", ""), str | bool | None):
        found.append(("blocking", '"blocking" is neither a text nor true or false'))
    if _is_text(value.get("status")) and value["status"] not in STATUSES:
        found.append(("status", f'"status" is {value["status"]!r:.40}, not one of {", ".join(STATUSES)}'))
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def find_line(text: str, key: str) -> int:
    """The line of a JSON text on which `key` stands; the first where it does not."""
    at = text.find(f'"{key}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
