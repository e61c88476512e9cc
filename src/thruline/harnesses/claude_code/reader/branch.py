"""Where the conversation went: branches left behind by going back, and subagents whose records stand in the main file.

Every record names its parent, but few forks are a person's: parallel tool results, hooks, reminders, attachments and
resumed sessions all hang beside the chain. Going back puts a new prompt under an *earlier* record, although another
prompt came after that record; only this is told. Before the last compaction, or from a branch that was left already,
it cannot be told for certain, and then nothing is: a branch wrongly kept is only longer, one wrongly marked is wrong.
"""

from zlib import crc32

from thruline.harnesses.claude_code.reader.keys import key_of
from thruline.harnesses.claude_code.reader.state import Side
from thruline.harnesses.claude_code.words import one_line, plain_text
from thruline.session.parts import Rewound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import State
    from thruline.session.parts import Part


def read_turn(state: "State", record: "dict[str, Any]", text: str, line: int, out: "list[Part]") -> None:
    """Takes a prompt into the active branch; adds what it left behind."""
    parent = record.get("parentUuid")
    turns = state.turns
    above = key_of(parent) if isinstance(parent, str) else 0
    key = key_of(record["uuid"]) if record["uuid"] else 0
    state.prompts.append([line, key, above, crc32(text.encode("utf-8", "replace")), record["timestamp"]])
    if above and turns:
        at = state.line_of(above)
        if at and turns[-1] > at >= state.wall and not _is_left(state, at):
            kept = len(turns)
            while kept and turns[kept - 1] > at:
                kept -= 1
            first, last = turns[kept], state.tip
            del turns[kept:]
            state.left.append([first, last])
            out.append(Rewound(line, first, last, uuid=record["uuid"], time=record["timestamp"], source=state.source))
    turns.append(line)


def _is_left(state: "State", line: int) -> bool:
    return any(first <= line <= last for first, last in state.left)


def raise_wall(state: "State", line: int) -> None:
    """A compaction: what came before is closed."""
    state.wall = state.tip = line
    state.turns.clear()
    state.left.clear()


def read_side(state: "State", record: "dict[str, Any]", line: int, key: int) -> None:
    """Takes a record of an inline subagent into its one entry."""
    sides = state.sides
    parent = record.get("parentUuid")
    agent = record.get("agentId")
    agent_id = agent if isinstance(agent, str) else ""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    side = sides.get(key_of(parent)) if isinstance(parent, str) else None
    if side is None and agent_id:
        side = next((known for known in sides.values() if known.agent_id == agent_id), None)
    if side is None and isinstance(parent, str) and sides:
        side = next(reversed(sides.values()))  # its parent was not stored (a progress record, a hook)
    if side is None:
        task = plain_text(content)
        digest = crc32(task.encode("utf-8", "replace")) if task else 0
        side = Side(line, record["uuid"], record["timestamp"], agent_id, digest, one_line(task, 120))
    side.last = line
    if record.get("type") == "assistant":
        text = plain_text(content)
        if text:
            side.outcome = one_line(text, 500)
    sides[key] = side
