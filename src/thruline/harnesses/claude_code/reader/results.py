"""Tool results: how a call ended, what it changed, and the human words that stand inside one.

A refused call holds the reason that a person typed; an answered question holds the answer. Both come with the client's
own sentences around them, which are taken off here.
"""

from thruline.harnesses.claude_code.reader import answers, delegations, tasks
from thruline.harnesses.claude_code.words import client_kind, human_text, plain_text, take_words
from thruline.session import parts
from thruline.session.commands import parse_commits, parse_log, parse_pull, parse_pushed
from thruline.session.foreign import find_made
from thruline.session.parts import ALLOWED, Changed, Planned, Result, Said
from thruline.session.runs import may_push

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import OpenCall, State
    from thruline.session.parts import Part

# To the session, and to a subagent.
_REFUSED = (
    "The user doesn't want to proceed with this tool use",
    "Permission for this tool use was denied. The tool use was rejected",
)
_CANCELLED = ("The user doesn't want to take this action right now", "[Request interrupted by user")

# The sentences after which the typed reason stands: new wording, the one to a subagent, and the old one.
_REASONS = ("the user said:", "The user said:", "reason for the rejection:")

# What the client may put behind a reason.
_NOTE = "\n\nNote: The user's next message may contain a correction or preference."

# Since this version, perhaps longer, the record says who refused a call.
_TELLING = [2, 1, 325]
_BY_PERSON = "user-rejected"

# In the same slot after a declined question, but the client's words.
_NOT_A_REASON = ("The user wants to clarify these questions",)

# Refused by a rule, without a person.
_DENIED = (
    "Claude requested permissions",
    "Permission to use",
    "Permission for this tool use was denied",
    "This command requires approval",
    "This Bash command contains multiple operations",
    "Permission for this action has been denied",
)

# What is no text, and not left undecoded either.
_DECODED = (list, dict, int, float, type(None))

_ABORTED = b"Command was aborted before completion"
# The field of a command that runs on, and the client's sentence where it writes no fields.
_HANDLE = "backgroundTaskId"
_HANDLE_FIELD = b'"backgroundTaskId"'
_BEGUN = "Command running in background"
_BEGUN_RAW = b'"' + _BEGUN.encode()
_SHELLS = ("Bash", "PowerShell")
_KEPT = 2000

_HOW = {"read": "read", "edit": "edited", "write": "edited"}


def read_result(
    state: "State", record: "dict[str, Any]", block: "dict[str, Any]", line: int, size: int, out: "list[Part]"
) -> None:
    """Adds the result of one `tool_result` block and what it tells beyond itself."""
    call_id = block.get("tool_use_id")
    if not isinstance(call_id, str):
        state.count("result without a call")
        return
    uuid, time = record["uuid"], record["timestamp"]
    call = state.calls.pop(call_id, None)
    if block.get("is_error") is True:
        _read_failure(state, record, block, call_id, call, line, size, out)
        return
    outcome = parts.OK
    status: int | None = None
    text = ""
    changes: tuple[tuple[str, str], ...] = ()
    commits: tuple[tuple[str, str], ...] = ()
    logged: tuple[tuple[str, str], ...] = ()
    pushed: tuple[tuple[str, str], ...] = ()
    moves: tuple[parts.Move, ...] = ()
    if call is not None:
        action = call.action
        if call.path:
            changes = ((call.path, _how(state, call, block)),)
        elif action == "run":
            if _ends_aborted(block.get("content")):
                outcome = parts.INTERRUPTED
            elif call.name in _SHELLS and _in_background(call, record, block):
                outcome = parts.UNKNOWN
            elif call.extra is not None and call.name == "Bash":
                commit, changed, answer, tells, _, *moved = call.extra
                changes = tuple([(path, how) for path, how in changed])
                moves = tuple([(old, new, sure, by_git) for each in moved for old, new, sure, by_git in each])
                status = None if answer else 0
                pushes = "push" in call.target and may_push(call.target)
                if commit or pushes or tells:
                    printed = plain_text(state.value(block.get("content")))
                    commits = find_made(call.target, parse_commits(printed)) if commit else ()
                    logged = parse_log(printed) if tells == "log" else ()
                    pushed = parse_pushed(printed) if pushes else ()
                    pull = parse_pull(printed) if tells == "pull" else ""
                    if pull:
                        out.append(Changed(line, "pull", pull, uuid=uuid, time=time, source=state.source))
        elif action == "delegate":
            text = delegations.read_result(state, call, call_id, record, block, line, out)
        elif action == "ask":
            answers.read_answers(state, call, call_id, record, line, out)
        elif action == "plan":
            if call.extra:
                out.append(
                    Planned(line, call.extra, "approved", call_id=call_id, uuid=uuid, time=time, source=state.source)
                )
        elif action == "tasks":
            result = state.value(record.get("toolUseResult"))
            tasks.read_result(state, call.name, call.extra, result, line, uuid, time, out)
    source = state.source
    result = Result(line, call_id, outcome, size, uuid, time, source, text, status, changes, commits, logged, pushed)
    result.moves = moves
    out.append(result)


def _read_failure(
    state: "State",
    record: "dict[str, Any]",
    block: "dict[str, Any]",
    call_id: str,
    call: "OpenCall | None",
    line: int,
    size: int,
    out: "list[Part]",
) -> None:
    uuid, time = record["uuid"], record["timestamp"]
    text = plain_text(state.value(block.get("content")))
    outcome = parts.ERROR
    status: int | None = None
    commits: tuple[tuple[str, str], ...] = ()
    about = f"{call.name} {call.target}".strip() if call is not None else ""
    if text.startswith(_REFUSED) and _is_clients_word(state, record, call):
        outcome = parts.REFUSED
        if call is not None and call.action == "plan" and call.extra:
            out.append(Planned(line, call.extra, "refused", call_id=call_id, uuid=uuid, time=time, source=state.source))
        reason = typed_reason(text)
        if reason:
            out.append(
                Said(
                    line,
                    "human",
                    "rejection",
                    reason,
                    uuid=uuid,
                    time=time,
                    source=state.source,
                    about=about,
                    call_id=call_id,
                )
            )
    elif text.startswith(_CANCELLED):
        outcome = parts.INTERRUPTED
    elif text.startswith(_DENIED):
        outcome = parts.REFUSED
    elif text.startswith("Exit code "):
        number = text[10:].split("\n", 1)[0].strip()
        status = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if call is not None and call.action == "run" and call.extra is not None and call.extra[0]:
            commits = find_made(call.target, parse_commits(text))
    if call is not None and call.action == "delegate":
        delegations.read_failure(state, call, call_id, record, text, line, out)
    out.append(
        Result(
            line,
            call_id,
            outcome,
            size,
            uuid=uuid,
            time=time,
            source=state.source,
            text=text[:_KEPT],
            exit_status=status,
            commits=commits,
        )
    )


def _is_clients_word(state: "State", record: "dict[str, Any]", call: "OpenCall | None") -> bool:
    # The error of a tool that a server brings is that server's text, and could put words into a person's mouth.
    if call is None or not call.name.startswith("mcp__"):
        return True
    told = record.get("toolDenialKind")
    return told == _BY_PERSON if told or _parse_version(state.version) >= _TELLING else True


def _parse_version(text: str) -> "list[int]":
    return [int(number) for number in text.split(".") if number.isascii() and number.isdigit()]


def typed_reason(text: str) -> str:
    """What a person typed when refusing a call, or "" where nothing was typed."""
    found = [(text.find(mark), len(mark)) for mark in _REASONS if mark in text]
    if not found:
        return ""
    at, size = min(found)
    reason = take_words(text[at + size :].partition(_NOTE)[0])
    return "" if reason.startswith(_NOT_A_REASON) else reason


def read_remark(
    state: "State", record: "dict[str, Any]", content: "list[Any]", call_id: str, line: int, out: "list[Part]"
) -> None:
    """Adds what stands beside the result in the same record: words typed when allowing the call, or client text."""
    if state.inside:
        return
    uuid, time, source = record["uuid"], record["timestamp"], state.source
    typed: list[str] = []
    for block in content:
        if not isinstance(block, dict) or block.get("type") != "text":
            continue
        text = human_text([block])
        if not text:
            continue
        kind = client_kind(text) or ("other" if record.get("isMeta") is True else "")
        if not kind:
            typed.append(text)
            continue
        if kind == "notification":
            delegations.read_notification(state, text, line, uuid, time, out)
        out.append(Said(line, "client", kind, text, uuid=uuid, time=time, source=source, call_id=call_id))
    if typed:
        words = "\n".join(typed)
        out.append(Said(line, "human", "answer", words, uuid, time, source, ALLOWED, call_id))


def _how(state: "State", call: "OpenCall", block: "dict[str, Any]") -> str:
    if call.action == "write" and plain_text(state.value(block.get("content"))).startswith("File created"):
        return "created"
    return _HOW[call.action]


def _ends_aborted(content: "Any") -> bool:
    if isinstance(content, str):
        return _ABORTED.decode() in content[-120:]
    return not isinstance(content, _DECODED) and _ABORTED in bytes(memoryview(content)[-120:])


def _in_background(call: "OpenCall", record: "dict[str, Any]", block: "dict[str, Any]") -> bool:
    """Whether the command still ran when the client answered: it was asked to, or was sent there meanwhile."""
    if call.extra is not None and call.extra[4]:
        return True
    told = record.get("toolUseResult")
    if isinstance(told, dict):
        return bool(told.get(_HANDLE))
    if not isinstance(told, (*_DECODED, str)):
        # What a command printed stands there with its quotation marks escaped: only a field is written so.
        return _HANDLE_FIELD in bytes(told)
    content = block.get("content")  # nothing stands beside it: by the client's own sentence
    if isinstance(content, _DECODED):
        return plain_text(content).startswith(_BEGUN)
    return content.startswith(_BEGUN) if isinstance(content, str) else bytes(content).startswith(_BEGUN_RAW)
