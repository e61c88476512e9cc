"""Where the conversation went: branches left behind by going back, and subagents whose records stand in the main file.

Every record names its parent, but few forks are a person's: parallel tool results, hooks, reminders, attachments and
resumed sessions all hang beside the chain. Going back puts a new prompt under an *earlier* record, although another
prompt came after that record; only this is told. Before the last compaction, or from a branch that was left already,
it cannot be told for certain, and then nothing is: a branch wrongly kept is only longer, one wrongly marked is wrong.
"""

from zlib import crc32

from thruline.harnesses.claude_code.reader.sides import Side
from thruline.harnesses.claude_code.words import plain_text
from thruline.harnesses.ids import key_of
from thruline.harnesses.text import one_line
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
    if turns:
        at = _find_fork(state, record)
        if turns[-1] > at >= 0:
            kept = len(turns)
            while kept and turns[kept - 1] > at:
                kept -= 1
            first, last = turns[kept], state.tip
            del turns[kept:]
            _leave(state.left, first, last)
            out.append(Rewound(line, first, last, uuid=record["uuid"], time=record["timestamp"], source=state.source))
    turns.append(line)


def _find_fork(state: "State", record: "dict[str, Any]") -> int:
    # The line under which a prompt stands: 0 for the very beginning, -1 where that is not certain.
    parent = record.get("parentUuid")
    if isinstance(parent, str):
        at = state.line_of(parent)
        return at if at and at >= state.wall and not _is_left(state.left, at) else -1
    # A second root is the first prompt said anew, if that one is a root too and nothing was compacted away.
    began = record.get("parentUuid", "") is None and not state.wall and not state.prompts[0][2]
    return 0 if began else -1


def _leave(left: "list[list[int]]", first: int, last: int) -> None:
    # What was left inside a longer stretch is part of it; so the stretches stay apart, in order.
    while left and left[-1][0] >= first:
        left.pop()
    left.append([first, last])


def _is_left(left: "list[list[int]]", line: int) -> bool:
    low, high = 0, len(left)
    while low < high:
        middle = (low + high) // 2
        if left[middle][1] < line:
            low = middle + 1
        else:
            high = middle
    return low < len(left) and left[low][0] <= line


def raise_wall(state: "State", line: int) -> None:
    """A compaction: what came before is closed."""
    state.wall = state.tip = line
    state.turns.clear()
    state.left.clear()


def read_side(state: "State", record: "dict[str, Any]", line: int) -> None:
    """Takes a record of an inline subagent into its one entry."""
    key = key_of(record["uuid"]) if record["uuid"] else 0
    sides = state.sides
    parent = record.get("parentUuid")
    agent = record.get("agentId")
    agent_id = agent if isinstance(agent, str) else ""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    above = key_of(parent) if isinstance(parent, str) else -1
    side = sides.find(above, agent_id, orphan=above >= 0)
    if side is None:
        task = plain_text(content)
        digest = crc32(task.encode("utf-8", "replace")) if task else 0
        side = Side(line, record["uuid"], record["timestamp"], agent_id, digest, one_line(task, 120))
        sides.begin(side)
    if record.get("type") == "assistant":
        text = plain_text(content)
        if text:
            side.outcome = one_line(text, 500)
    sides.extend(side, key, line)
