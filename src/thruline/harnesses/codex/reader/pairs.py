"""A call and its end: adding the one, closing it with the other.

What a call needs to be closed (files it will change, whether it may commit) waits in `state.calls`, never its payload.
"""

from thruline.harnesses.codex.reader.patch import parse_patch
from thruline.harnesses.codex.reader.state import OpenCall
from thruline.harnesses.paths import resolve, resolve_moves
from thruline.harnesses.text import find_telling, one_line
from thruline.session import parts
from thruline.session.commands import (
    answers_by_status,
    may_commit,
    may_log,
    parse_commits,
    parse_log,
    parse_pull,
    parse_pushed,
)
from thruline.session.file_changes import find_file_changes
from thruline.session.foreign import find_made
from thruline.session.parts import Call, Changed, Result
from thruline.session.runs import may_push, opens_pull

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

# The tool through which newer models run scripts.
SCRIPT = "exec"

# How much is kept of a text that tells why.
KEPT = 2000

# Arguments that say what a tool we do not know is about, the best first.
_TELLING = ("command", "query", "path", "url", "uri", "objective", "id", "title", "name", "prompt", "description")


def add_call(
    state: "State",
    call_id: str,
    name: str,
    action: str,
    target: str,
    cwd: str,
    extra: "Any" = None,
    *,
    paths: "tuple[str, ...]" = (),
    before: int = 0,
    after: int = 0,
    symbols: "tuple[tuple[str, int], ...]" = (),
) -> None:
    """Adds a call and waits for its end."""
    state.calls[call_id] = OpenCall(state.line, state.uuid, state.time, name, action, target, cwd, extra)
    state.out.append(
        Call(
            state.line,
            call_id,
            name,
            action,
            target,
            uuid=state.uuid,
            time=state.time,
            source=state.source,
            paths=paths,
            before=before,
            after=after,
            symbols=symbols,
        )
    )


def open_command(state: "State", call_id: str, name: str, command: str, cwd: str) -> None:
    """Adds a call that runs a command."""
    # What it may have removed or committed is only asked when it ended.
    add_call(state, call_id, name, "run", one_line(command), cwd, command)


def open_patch(state: "State", call_id: str, name: str, text: str, cwd: str) -> None:
    """Adds a call that applies a patch."""
    patch = parse_patch(text)
    paths = tuple(dict.fromkeys([path for path, _ in patch.changes]))
    changes = [[path, how] for path, how in patch.changes]
    add_call(
        state,
        call_id,
        name,
        patch.action(),
        one_line(", ".join(paths)),
        cwd,
        changes,
        paths=paths,
        before=patch.before,
        after=patch.after,
        symbols=patch.symbols,
    )


def close(
    state: "State",
    call_id: str,
    outcome: str,
    *,
    text: str = "",
    status: "int | None" = None,
    changes: "tuple[tuple[str, str], ...]" = (),
    commits: "tuple[tuple[str, str], ...]" = (),
    logged: "tuple[tuple[str, str], ...]" = (),
    pushed: "tuple[tuple[str, str], ...]" = (),
    moves: "tuple[parts.Move, ...]" = (),
) -> None:
    """Adds the end of an open call."""
    del state.calls[call_id]
    state.finish(call_id)
    state.out.append(
        Result(
            state.line,
            call_id,
            outcome,
            state.size,
            uuid=state.uuid,
            time=state.time,
            source=state.source,
            text=text,
            exit_status=status,
            changes=changes,
            commits=commits,
            logged=logged,
            pushed=pushed,
            moves=moves,
        )
    )


def close_command(state: "State", call_id: str, status: int, text: str, read: "list[str]") -> None:
    """Adds the end of a command; `text` is what it printed, needed only if it failed, or tells of commits."""
    call = state.calls[call_id]
    command = call.extra if call.action == "run" else ""
    changes: list[tuple[str, str]] = []
    moves: tuple[parts.Move, ...] = ()
    if status == 0:
        changes = [(resolve(call.cwd, path), "read") for path in read]
        found, moved = find_file_changes(command) if call.action == "run" else (call.extra or (), ())
        changes += [(resolve(call.cwd, path), how) for path, how in found]
        moves = resolve_moves(call.cwd, moved)
    failed = status != 0 and not (status == 1 and answers_by_status(command))
    pull = parse_pull(text) if text and not failed and opens_pull(command) else ""
    if pull:
        state.out.append(Changed(state.line, "pull", pull, uuid=state.uuid, time=state.time, source=state.source))
    close(
        state,
        call_id,
        parts.ERROR if failed else parts.OK,
        # What went wrong stands at the end of what a command prints.
        text=text[-KEPT:] if failed else "",
        status=status if status >= 0 else None,
        changes=tuple(changes),
        commits=find_made(command, parse_commits(text)) if text and may_commit(command) else (),
        logged=parse_log(text) if text and not failed and may_log(command) else (),
        pushed=parse_pushed(text) if text and may_push(command) else (),
        moves=moves,
    )


def note_inner(state: "State") -> None:
    """An action came that no call of the model asked for: it is one of the running scripts'."""
    for call in state.calls.values():
        if call.name == SCRIPT:
            call.extra += 1


def command_text(command: "Any") -> str:
    """The command line of a command given as a text or as words, without the shell that runs it."""
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list) else []
    if len(words) == 3 and words[1] in ("-lc", "-c", "-Command", "/c"):
        return words[2]
    return " ".join(words)


def find_target(given: "dict[str, Any]") -> str:
    """What a call of a tool we do not know is about, from its arguments."""
    return find_telling(given, _TELLING)
