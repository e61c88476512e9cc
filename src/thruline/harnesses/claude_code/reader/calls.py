"""Tool calls: what each tool does, on what, and what must be remembered until its result comes."""

from zlib import crc32

from thruline.harnesses.claude_code.reader import tasks
from thruline.harnesses.claude_code.reader.state import OpenCall
from thruline.harnesses.paths import resolve, resolve_moves
from thruline.harnesses.text import find_telling, one_line
from thruline.session.commands import answers_by_status, may_commit, may_log
from thruline.session.file_changes import find_file_changes
from thruline.session.parts import Call, Planned
from thruline.session.runs import opens_pull
from thruline.session.symbols import compare_symbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

# Tool -> (action, the input that says what it is about, whether that is a path).
TOOLS = {
    "Bash": ("run", "command", False),
    "BashOutput": ("run", "bash_id", False),
    "KillShell": ("run", "shell_id", False),
    "KillBash": ("run", "shell_id", False),
    "PowerShell": ("run", "command", False),
    "Monitor": ("run", "command", False),
    "Read": ("read", "file_path", True),
    "NotebookRead": ("read", "notebook_path", True),
    "LS": ("search", "path", False),
    "LSP": ("search", "filePath", False),
    "Glob": ("search", "pattern", False),
    "Grep": ("search", "pattern", False),
    "ToolSearch": ("search", "query", False),
    "Write": ("write", "file_path", True),
    "Edit": ("edit", "file_path", True),
    "MultiEdit": ("edit", "file_path", True),
    "NotebookEdit": ("edit", "notebook_path", True),
    "WebFetch": ("fetch", "url", False),
    "WebSearch": ("fetch", "query", False),
    "Task": ("delegate", "description", False),
    "Agent": ("delegate", "description", False),
    "SendMessage": ("delegate", "to", False),
    "AskUserQuestion": ("ask", "", False),
    "ExitPlanMode": ("plan", "", False),
    "exit_plan_mode": ("plan", "", False),
    "EnterPlanMode": ("plan", "", False),
    "TodoWrite": ("tasks", "", False),
    "TodoRead": ("tasks", "", False),
    "TaskCreate": ("tasks", "subject", False),
    "TaskUpdate": ("tasks", "taskId", False),
    "TaskGet": ("tasks", "taskId", False),
    "TaskList": ("tasks", "", False),
    "TaskOutput": ("other", "task_id", False),
    "TaskStop": ("other", "task_id", False),
    "Skill": ("other", "skill", False),
    "SlashCommand": ("other", "command", False),
}

_OTHER = ("other", "", False)

# Inputs that say what a tool we do not know is about, the best first.
_TELLING = ("command", "query", "path", "file_path", "url", "id", "issueId", "title", "name", "prompt", "description")


def read_call(
    state: "State", block: "dict[str, Any]", line: int, uuid: str, time: str, cwd: "Any", out: "list[Part]"
) -> None:
    """Adds the call of one `tool_use` block, and what it tells beyond itself (a plan, a task list)."""
    call_id, name = block.get("id"), block.get("name")
    if not isinstance(call_id, str) or not isinstance(name, str):
        state.count("call without a name")
        return
    given = state.value(block.get("input"))
    if not isinstance(given, dict):
        given = {}
    action, key, is_path = TOOLS.get(name, _OTHER)
    about = given.get(key) if key else None
    path = ""
    paths: tuple[str, ...] = ()
    symbols: tuple[tuple[str, int], ...] = ()
    before = after = 0
    extra: Any = None
    if isinstance(about, str):
        if is_path:
            target = path = about
            paths = (about,)
        else:
            target = one_line(about)
    else:
        target = find_telling(given, _TELLING) if action == "other" else ""

    background = given.get("run_in_background") is True
    if action == "run":
        if isinstance(about, str):
            # [may print commits, files it certainly changes, whether its status is an answer, what else it may tell,
            # whether it is to run in the background, files it certainly moves]
            tells = "pull" if opens_pull(about) else "log" if may_log(about) else ""
            here = cwd if isinstance(cwd, str) and cwd else state.cwd
            found, moved = find_file_changes(about)
            changed = [(resolve(here, one), how) for one, how in found]
            moves = resolve_moves(here, moved)
            extra = [may_commit(about), changed, answers_by_status(about), tells, background, moves]
    elif action == "edit":
        before, after = _digest_edit(given)
        symbols = _find_edited(given, path)
    elif action == "write":
        content = given.get("content")
        after = _digest(content)
        symbols = compare_symbols("", content, path) if isinstance(content, str) else ()
    elif action == "search":
        where = given.get("path")
        if isinstance(where, str) and where != target:
            target = f"{target} in {where}" if target else where
    elif action == "delegate":
        prompt = given.get("prompt")
        kind = given.get("subagent_type")
        extra = [_digest(prompt), kind if isinstance(kind, str) else "", target]
        if not target and isinstance(prompt, str):
            target = extra[2] = one_line(prompt, 120)
    elif action == "ask":
        target = _questions(given)
    elif action == "plan":
        plan = given.get("plan")
        if isinstance(plan, str) and plan:
            target = one_line(plan, 120)
            extra = plan
            out.append(Planned(line, plan, "proposed", call_id=call_id, uuid=uuid, time=time, source=state.source))
    elif action == "tasks":
        extra = tasks.read_input(name, given)
        if name == "TaskUpdate":
            target = tasks.name_task(state.tasks, extra, target)

    state.calls[call_id] = OpenCall(line, name, action, target, path, extra)
    source = state.source
    out.append(Call(line, call_id, name, action, target, uuid, time, source, paths, before, after, background, symbols))
    if name == "TodoWrite":
        tasks.add_todos(state, extra, line, uuid, time, out)


def _questions(given: "dict[str, Any]") -> str:
    questions = given.get("questions")
    if not isinstance(questions, list):
        return ""
    texts = [item.get("question") for item in questions if isinstance(item, dict)]
    return one_line(" / ".join([text for text in texts if isinstance(text, str)]))


def _find_edited(given: "dict[str, Any]", path: str) -> "tuple[tuple[str, int], ...]":
    old, new = given.get("old_string"), given.get("new_string")
    if isinstance(old, str) and isinstance(new, str):
        return compare_symbols(old, new, path)
    edits = given.get("edits")
    made = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    texts = [(edit.get("old_string"), edit.get("new_string")) for edit in made]
    kept = [(old, new) for old, new in texts if isinstance(old, str) and isinstance(new, str)]
    return compare_symbols("\n".join([old for old, _ in kept]), "\n".join([new for _, new in kept]), path)


def _digest(text: "Any") -> int:
    return crc32(text.encode("utf-8", "replace")) if isinstance(text, str) and text else 0


def _digest_edit(given: "dict[str, Any]") -> "tuple[int, int]":
    edits = given.get("edits")
    if not isinstance(edits, list):
        return _digest(given.get("old_string")), _digest(given.get("new_string") or given.get("new_source"))
    olds = [edit.get("old_string") for edit in edits if isinstance(edit, dict)]
    news = [edit.get("new_string") for edit in edits if isinstance(edit, dict)]
    return (
        _digest("\0".join([text for text in olds if isinstance(text, str)])),
        _digest("\0".join([text for text in news if isinstance(text, str)])),
    )
