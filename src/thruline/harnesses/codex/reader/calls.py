"""Tool calls as the model made them.

A call is told when it is made. Its end is told by the first account of it: an item or an event (`actions`), or what the
tool returned to the model (`outputs`). Later accounts of the same end are not told again. A script (`exec`) is not an
action: what it runs comes as items of its own, so it is told only where it failed or where nothing came of it.
"""

from thruline.harnesses.codex.reader import asking
from thruline.harnesses.codex.reader.pairs import (
    SCRIPT,
    add_call,
    command_text,
    find_target,
    open_command,
    open_patch,
)
from thruline.harnesses.codex.reader.patch import BEGIN
from thruline.harnesses.codex.reader.state import OpenCall
from thruline.harnesses.paths import resolve
from thruline.harnesses.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

# Tool -> (action, the argument that says what it is about).
TOOLS = {
    "exec_command": ("run", "cmd"),
    "shell": ("run", "command"),
    "shell_command": ("run", "command"),
    "local_shell": ("run", "command"),
    "container.exec": ("run", "command"),
    "write_stdin": ("run", "chars"),
    "apply_patch": ("edit", ""),
    "view_image": ("read", "path"),
    "read_file": ("read", "file_path"),
    "list_dir": ("search", "dir_path"),
    "grep_files": ("search", "pattern"),
    "tool_search": ("search", "query"),
    "web_search": ("fetch", "query"),
    "spawn_agent": ("delegate", "message"),
    "send_input": ("delegate", "message"),
    "send_message": ("delegate", "message"),
    "followup_task": ("delegate", "message"),
    "wait_agent": ("delegate", ""),
    "resume_agent": ("delegate", "id"),
    "close_agent": ("delegate", "id"),
    "request_user_input": ("ask", ""),
    "update_plan": ("tasks", ""),
}

_OTHER = ("other", "")
_STATUSES = ("pending", "in_progress", "completed")


def read_call(state: "State", payload: "dict[str, Any]") -> None:
    """Adds the call of one record."""
    call_id, name = payload.get("call_id"), payload.get("name")
    given: Any = {}
    if payload.get("type") == "local_shell_call":
        name, given = "local_shell", state.value(payload.get("action"))
        call_id = call_id or payload.get("id")
    elif payload.get("type") == "function_call":
        given = state.parse(state.value(payload.get("arguments")))
    if not isinstance(call_id, str) or not isinstance(name, str):
        state.count("call without a name")
        return
    given = given if isinstance(given, dict) else {}
    state.done.pop(call_id, None)
    written = state.value(payload.get("input"))
    cwd = given.get("workdir") or given.get("working_directory")
    cwd = resolve(state.cwd, cwd) if isinstance(cwd, str) and cwd else state.cwd
    if name == SCRIPT:
        script = written if isinstance(written, str) else ""
        # Told when it ends, if it must be: how many actions came of it is the extra.
        state.calls[call_id] = OpenCall(state.line, state.uuid, state.time, name, "other", one_line(script), cwd, 0)
        return
    if name == "write_stdin" and not given.get("chars"):
        state.count("poll")
        state.calls[call_id] = OpenCall(
            state.line, state.uuid, state.time, name, "poll", "", cwd, str(given.get("session_id", ""))
        )
        return
    action, key = TOOLS.get(name, _OTHER)
    about = given.get(key) if key else None
    if action == "run":
        command = command_text(about)
        if command.lstrip().startswith("apply_patch") and BEGIN in command:
            open_patch(state, call_id, name, command, cwd)
        else:
            open_command(state, call_id, name, command, cwd)
    elif action == "edit":
        patch = written if isinstance(written, str) else given.get("input")
        open_patch(state, call_id, name, patch if isinstance(patch, str) else "", cwd)
    elif action == "read":
        path = about if isinstance(about, str) else ""
        add_call(state, call_id, name, action, path, cwd, path, paths=(path,) if path else ())
    elif action == "ask":
        questions = asking.read_questions(given)
        add_call(state, call_id, name, action, one_line(" / ".join([one[1] for one in questions])), cwd, questions)
    elif action == "tasks":
        add_call(state, call_id, name, action, "", cwd, _tasks(given))
    else:
        target = one_line(about) if isinstance(about, str) else find_target(given)
        role = given.get("agent_type")
        extra = [role if isinstance(role, str) else "", target] if action == "delegate" else None
        add_call(state, call_id, name, action, target, cwd, extra)


def _tasks(given: "dict[str, Any]") -> "list[list[str]]":
    plan = given.get("plan")
    items = [item for item in plan if isinstance(item, dict)] if isinstance(plan, list) else []
    return [
        [one_line(item["step"]), item["status"] if item.get("status") in _STATUSES else "pending"]
        for item in items
        if isinstance(item.get("step"), str)
    ]
