"""The agent's task list: a whole list written at once (TodoWrite), or made and changed task by task."""

from thruline.harnesses.text import one_line
from thruline.session.parts import Tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

_STATUSES = ("pending", "in_progress", "completed", "deleted")


def read_input(name: str, given: "dict[str, Any]") -> "Any":
    """What must be known of the call when its result comes."""
    if name == "TodoWrite":
        todos = given.get("todos")
        items = [item for item in todos if isinstance(item, dict)] if isinstance(todos, list) else []
        return [[_text(item.get("content")), _status(item.get("status"))] for item in items]
    if name == "TaskCreate":
        return [_text(given.get("subject")), _status(given.get("status"))]
    if name == "TaskUpdate":
        return [_id(given.get("taskId")), _text(given.get("subject")), given.get("status")]
    return None


def name_task(known: "dict[str, list[str]]", update: "Any", target: str) -> str:
    """What a task update is about: the task's own words and its new status, where both are known."""
    number, subject, status = update
    words = subject or known.get(number, [""])[0]
    told = f"#{number or target} {words}".strip()
    return f"{told} → {status}" if isinstance(status, str) else told


def add_todos(state: "State", items: "Any", line: int, uuid: str, time: str, out: "list[Part]") -> None:
    """Adds the list that a TodoWrite call carries."""
    out.append(
        Tasks(line, tuple([(text, status) for text, status in items]), uuid=uuid, time=time, source=state.source)
    )


def read_result(
    state: "State", name: str, extra: "Any", result: "Any", line: int, uuid: str, time: str, out: "list[Part]"
) -> None:
    """Adds the task list as it stands after a successful call that changed it."""
    known = state.tasks
    result = result if isinstance(result, dict) else {}
    if name == "TaskCreate":
        task = result.get("task")
        number = _id(task.get("id")) if isinstance(task, dict) else ""
        known[number or f"?{len(known) + 1}"] = [extra[0], extra[1]]
    elif name == "TaskUpdate":
        number, subject, status = extra
        entry = known.setdefault(number, [subject or f"#{number}", "pending"])
        if subject:
            entry[0] = subject
        if isinstance(status, str):
            entry[1] = _status(status)
    elif name == "TaskList":
        told = result.get("tasks")
        for task in told if isinstance(told, list) else []:
            if isinstance(task, dict):
                known[_id(task.get("id"))] = [_text(task.get("subject")), _status(task.get("status"))]
    else:
        return
    items = tuple([(text, status) for text, status in known.values()])
    out.append(Tasks(line, items, uuid=uuid, time=time, source=state.source))
    for number in [number for number, entry in known.items() if entry[1] == "deleted"]:
        del known[number]


def close_tasks(state: "State", line: int, out: "list[Part]") -> None:
    """Adds the list in the client's own files where it is not the one that the transcript told."""
    if state.inside or not line:
        return
    from thruline.harnesses.claude_code.tasklist import read_tasks  # here: at an end only, never while a session runs

    items = tuple([(_text(subject), _status(status)) for subject, status in read_tasks(state.path)])
    if items and list(items) != [(text, status) for text, status in state.tasks.values()]:
        out.append(Tasks(line, items, source=state.source))


def _id(value: "Any") -> str:
    return str(value) if isinstance(value, str | int) else ""


def _text(value: "Any") -> str:
    return one_line(value) if isinstance(value, str) else ""


def _status(value: "Any") -> str:
    return value if isinstance(value, str) and value in _STATUSES else "pending"
