"""What a subagent did to the disk, where its records stand in the session's own file.

Its words are one line of outcome, but a file that it changed was changed by the session: the results of its writing
calls are told, without the calls, so that a ledger sees them and a spine does not. What a person typed to refuse such a
call is a person's words here as anywhere.
"""

from thruline.harnesses.claude_code.reader.calls import TOOLS, read_call
from thruline.harnesses.claude_code.reader.results import read_result
from thruline.session.parts import Result, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part

_WRITING = ("edit", "write", "run")


def read_work(state: "State", record: "dict[str, Any]", line: int, size: int, out: "list[Part]") -> None:
    """Adds the results of this record that changed files or made commits, and refusals that were typed."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "tool_use" and _is_writing(block.get("name")):
            read_call(state, block, line, "", record["timestamp"], record.get("cwd"), [])
        elif kind == "tool_result" and _is_open(state, block.get("tool_use_id")):
            told: list[Part] = []
            read_result(state, record, block, line, size, told)
            for part in told:
                if isinstance(part, Said):
                    out.append(part)
                elif isinstance(part, Result) and (part.changes or part.commits):
                    # Not the end of the conversation, wherever it stands in the file.
                    part.uuid = ""
                    out.append(part)


def _is_writing(name: "Any") -> bool:
    return isinstance(name, str) and name in TOOLS and TOOLS[name][0] in _WRITING


def _is_open(state: "State", call_id: "Any") -> bool:
    return isinstance(call_id, str) and call_id in state.calls and state.calls[call_id].action in _WRITING
