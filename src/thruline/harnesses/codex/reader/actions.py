"""What was done, by the client's own account: items, and the events of older versions under the same names.

An account closes the call that the model made under the same id. Where there is none, the action came from a script and
is told whole: the call and its end.
"""

from thruline.harnesses.codex.reader import pairs
from thruline.harnesses.codex.reader.patch import read_changes
from thruline.harnesses.codex.reader.words import plain_text
from thruline.harnesses.paths import resolve
from thruline.harnesses.text import one_line
from thruline.session import parts
from thruline.session.commands import may_commit, may_log
from thruline.session.runs import may_push, opens_pull

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

    Read = Callable[[State, dict[str, Any], Any], None]

_URI = "file://"


def _is_new(state: "State", call_id: "Any") -> bool:
    # Whether the account is of an action that is still open, or of one that no call asked for.
    if not isinstance(call_id, str) or not call_id:
        state.count("action without an id")
        return False
    return call_id not in state.done


def read_command(state: "State", told: "dict[str, Any]", call_id: "Any") -> None:
    """Adds a command that ran."""
    if not _is_new(state, call_id):
        return
    if call_id not in state.calls:
        source = state.value(told.get("source"))
        if source in ("unified_exec_interaction", "unifiedExecInteraction"):
            state.count("poll")
            return
        name = "user_shell" if source in ("user_shell", "userShell") else "exec_command"
        pairs.note_inner(state)
        command = pairs.command_text(state.value(told.get("command")))
        pairs.open_command(state, call_id, name, command, _folder(told.get("cwd")) or state.cwd)
    call = state.calls[call_id]
    if call.action == "poll":
        return
    call.cwd = _folder(told.get("cwd")) or call.cwd
    if state.running:
        _forget_process(state, call_id)
    status = told.get("exit_code")
    if told.get("status") == "declined":
        pairs.close(state, call_id, parts.REFUSED)
    elif not isinstance(status, int):
        pairs.close(state, call_id, parts.UNKNOWN)
    else:
        tells = call.action == "run" and _tells(call.extra)
        printed = plain_text(state.value(told.get("aggregated_output"))) if status or tells else ""
        pairs.close_command(state, call_id, status, printed, [] if status else _read_files(told))


def _tells(command: str) -> bool:
    """Whether what a command prints is needed though it ended well."""
    return may_commit(command) or may_log(command) or opens_pull(command) or may_push(command)


def _forget_process(state: "State", call_id: str) -> None:
    for number, started in list(state.running.items()):
        if started == call_id:
            del state.running[number]


def _read_files(told: "dict[str, Any]") -> "list[str]":
    parsed = told.get("parsed_cmd")
    found = [
        one.get("path")
        for one in (parsed if isinstance(parsed, list) else ())
        if isinstance(one, dict) and one.get("type") == "read"
    ]
    return [path for path in found if isinstance(path, str) and path]


def _folder(cwd: "Any") -> str:
    if not isinstance(cwd, str):
        return ""
    if not cwd.startswith(_URI):
        return cwd
    path = cwd[len(_URI) :]
    if path[2:3] == ":":  # file:///C:/work
        path = path[1:]
    return _unquote(path) if "%" in path else path


def _unquote(text: str) -> str:
    raw = bytearray()
    pieces = text.encode("utf-8", "replace").split(b"%")
    raw += pieces[0]
    for piece in pieces[1:]:
        try:
            raw += bytes.fromhex(piece[:2].decode("ascii", "replace")) + piece[2:]
        except ValueError:
            raw += b"%" + piece
    return raw.decode("utf-8", "replace")


def read_patch(state: "State", told: "dict[str, Any]", call_id: "Any") -> None:
    """Adds a patch that was applied, or was not."""
    if not _is_new(state, call_id):
        return
    patch = read_changes(state.value(told.get("changes")))
    if call_id not in state.calls:
        pairs.note_inner(state)
        paths = tuple(dict.fromkeys([path for path, _ in patch.changes]))
        pairs.add_call(
            state,
            call_id,
            "apply_patch",
            patch.action(),
            one_line(", ".join(paths)),
            state.cwd,
            paths=paths,
            before=patch.before,
            after=patch.after,
        )
    status = told.get("status")
    if status == "declined":
        pairs.close(state, call_id, parts.REFUSED)
    elif status == "failed" or told.get("success") is False:
        text = plain_text(state.value(told.get("stderr"))) or plain_text(state.value(told.get("stdout")))
        pairs.close(state, call_id, parts.ERROR, text=text[: pairs.KEPT])
    else:
        cwd = state.calls[call_id].cwd
        changes = tuple([(resolve(cwd, path), how) for path, how in patch.changes])
        pairs.close(state, call_id, parts.OK, changes=changes)


def read_tool(state: "State", told: "dict[str, Any]", call_id: "Any") -> None:
    """Adds a call of a tool that a server or a plugin offers."""
    if not _is_new(state, call_id):
        return
    invoked = state.value(told.get("invocation"))
    invoked = invoked if isinstance(invoked, dict) else told
    server, tool = invoked.get("server"), invoked.get("tool")
    if call_id not in state.calls:
        pairs.note_inner(state)
        name = ".".join([one for one in (server, tool) if isinstance(one, str)])
        given = state.value(invoked.get("arguments"))
        target = pairs.find_target(given) if isinstance(given, dict) else ""
        pairs.add_call(state, call_id, name, "other", target, state.cwd)
    result, error = state.value(told.get("result")), state.value(told.get("error"))
    if isinstance(result, dict) and "Err" in result:
        error = result["Err"]
    if isinstance(result, dict) and isinstance(result.get("Ok"), dict):
        result = result["Ok"]
    failed = isinstance(result, dict) and True in (result.get("isError"), result.get("is_error"))
    if isinstance(error, dict):
        error = error.get("message")
    text = error if isinstance(error, str) else ""
    if failed and isinstance(result, dict):
        text = plain_text(result.get("content"))
    bad = failed or bool(text) or told.get("status") == "failed" or told.get("success") is False
    pairs.close(state, call_id, parts.ERROR if bad else parts.OK, text=text[: pairs.KEPT])


def read_search(state: "State", told: "dict[str, Any]", call_id: "Any") -> None:
    """Adds a search of the web, which the model did without the client."""
    action = state.value(told.get("action"))
    query = told.get("query")
    if isinstance(action, dict) and not (isinstance(query, str) and query):
        query = action.get("query") or action.get("url") or action.get("pattern")
    query = one_line(query) if isinstance(query, str) else ""
    if not isinstance(call_id, str) or not call_id:
        call_id = f"search-{state.line}"
    if call_id in state.done or (query and query == state.searched):
        state.searched = ""
        return
    state.searched = query
    if call_id not in state.calls:
        pairs.add_call(state, call_id, "web_search", "fetch", query, state.cwd)
    pairs.close(state, call_id, parts.OK)


def read_image(state: "State", told: "dict[str, Any]", call_id: "Any") -> None:
    """Adds a picture that the agent looked at or made."""
    if not _is_new(state, call_id):
        return
    made = told.get("saved_path")
    path = made if isinstance(made, str) else _folder(told.get("path"))
    if call_id not in state.calls:
        pairs.note_inner(state)
        name = "image_generation" if isinstance(made, str) else "view_image"
        pairs.add_call(state, call_id, name, "read" if name == "view_image" else "write", path, state.cwd)
    changes = ((path, "created" if isinstance(made, str) else "read"),) if path else ()
    pairs.close(state, call_id, parts.OK, changes=changes)


ITEMS: "dict[str, Read]" = {
    "CommandExecution": read_command,
    "FileChange": read_patch,
    "McpToolCall": read_tool,
    "DynamicToolCall": read_tool,
    "WebSearch": read_search,
    "ImageView": read_image,
    "ImageGeneration": read_image,
}

EVENTS: "dict[str, Read]" = {
    "exec_command_end": read_command,
    "patch_apply_end": read_patch,
    "mcp_tool_call_end": read_tool,
    "web_search_end": read_search,
    "view_image_tool_call": read_image,
}
