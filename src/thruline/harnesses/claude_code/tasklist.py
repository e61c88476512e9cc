"""The task list that the client keeps in files of its own, beside the transcript: `tasks/<session>/<n>.json`.

It is the list as it stands, also where the transcript does not tell the last change: one made by a subagent, by
another session that shares the list, or after the last record.
"""

import os

from thruline.harnesses.jsonl import decode_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST = 64 << 10  # bytes of one task
_MANY = 1000  # tasks of one list


def find_folder(path: str) -> str:
    """Where the task list of the session at `path` would be: its folder lies beside that of the projects."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    return "" if stem.strip(".") == "" else os.path.join(os.path.dirname(os.path.dirname(folder)), "tasks", stem)


def read_tasks(path: str) -> "tuple[tuple[str, str], ...]":
    """(subject, status) of the tasks kept for the session at `path`, by number; () where none are."""
    folder = find_folder(path)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")] if folder else []
    except OSError:
        return ()
    tasks: list[tuple[int, str, str]] = []
    for name in sorted(names)[:_MANY]:
        for value in _read(os.path.join(folder, name)):
            number, subject, status = str(value.get("id", "")), value.get("subject"), value.get("status")
            if isinstance(subject, str):
                order = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
                tasks.append((order, subject, status if isinstance(status, str) else "pending"))
    return tuple([(subject, status) for _, subject, status in sorted(tasks)])


def _read(path: str) -> "list[dict[str, Any]]":
    try:
        if not os.path.isfile(path):
            return []
        with open(path, "rb") as file:
            return decode_records(file.read(_MOST), path, 1, [])
    except OSError:
        return []
