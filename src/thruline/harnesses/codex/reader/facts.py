"""Facts around the conversation: where it runs, with which model, under which rules, at what cost."""

from thruline.harnesses.codex.threads import find_thread
from thruline.session.parts import Changed, Problem, Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State


def read_meta(state: "State", payload: "dict[str, Any]") -> None:
    """Adds what the first record tells of the session."""
    thread = payload.get("id")
    if state.session_id:
        # Forks of versions without a history base begin with a copy of the whole file, its first line included.
        if thread != state.session_id and not state.parent:
            tell(state, "parent", thread)
        return
    source = state.value(payload.get("source"))
    state.inside = (
        state.value(payload.get("thread_source")) == "subagent"
        or (isinstance(source, dict) and "subagent" in source)
        or isinstance(payload.get("parent_thread_id"), str)
    )
    tell(state, "session_id", thread)
    if state.inside:
        tell(state, "starter", payload.get("parent_thread_id") or payload.get("session_id") or "unknown")
    tell(state, "cwd", payload.get("cwd"))
    tell(state, "version", payload.get("cli_version"))
    git = state.value(payload.get("git"))
    if isinstance(git, dict):
        tell(state, "branch", git.get("branch"))
    tell(state, "parent", payload.get("forked_from_id"))
    _read_folders(state, payload)
    base = state.value(payload.get("history_base"))
    if isinstance(base, dict):
        before, end = base.get("thread_id"), base.get("end_ordinal_exclusive")
        if isinstance(before, str) and isinstance(end, int):
            state.base = [before, end]
            tell(state, "parent", before)
            if not find_thread(state.path, before):
                what = f"what was said before this fork is in session {before}, whose file is not there"
                state.problems.append(Problem(state.path, state.line, "base", what))


def read_settings(state: "State", payload: "dict[str, Any]") -> None:
    """Adds what changed in the settings of a turn."""
    value = state.value
    tell(state, "cwd", payload.get("cwd"))
    tell(state, "model", payload.get("model"))
    mode = value(payload.get("collaboration_mode"))
    kind = mode.get("mode") if isinstance(mode, dict) else None
    policy = value(payload.get("approval_policy"))
    # "plan" and the like, then what needs approval; the sandbox is a matter of the machine, not of the conversation.
    told = [one for one in (kind, policy) if isinstance(one, str) and one != "default"]
    tell(state, "mode", ", ".join(told))
    _read_folders(state, payload)


def _read_folders(state: "State", payload: "dict[str, Any]") -> None:
    roots = state.value(payload.get("runtime_workspace_roots"))
    for root in roots if isinstance(roots, list) else ():
        if isinstance(root, str) and root != state.cwd and root not in state.folders:
            state.folders.append(root)
            state.out.append(Changed(state.line, "folder", root, uuid=state.uuid, time=state.time, source=state.source))


def tell(state: "State", name: str, value: "Any") -> None:
    """Adds a fact that changed."""
    if isinstance(value, str) and value and value != getattr(state, name):
        setattr(state, name, value)
        state.out.append(Changed(state.line, name, value, uuid=state.uuid, time=state.time, source=state.source))


def read_usage(state: "State", total: "Any", last: "Any", window: "Any") -> None:
    """Adds the tokens of an answer, once."""
    # An answer is told up to three times, with the same sum of the whole thread each time.
    if not isinstance(total, dict) or not isinstance(last, dict):
        return
    if isinstance(window, int):
        state.window = window
    summed = total.get("total_tokens")
    if not isinstance(summed, int) or summed == state.total:
        return
    state.total = summed
    sent, cached = _number(last.get("input_tokens")), _number(last.get("cached_input_tokens"))
    output = _number(last.get("output_tokens"))
    if not sent and not output:
        return
    state.context = sent + output
    if not state.tokens:
        return
    state.out.append(
        Used(
            state.line,
            state.model,
            max(sent - cached, 0),
            output,
            sent,
            window=state.window,
            uuid=state.uuid,
            time=state.time,
            source=state.source,
        )
    )


def _number(value: "Any") -> int:
    return value if isinstance(value, int) and value > 0 else 0
