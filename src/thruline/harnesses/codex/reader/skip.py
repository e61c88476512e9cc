"""Lines that need no decoding: what they would tell was told.

The client writes most things twice, once for itself and once as the model saw it, and the model's copy holds every
tool's output again: half of the bytes. Their first bytes tell what they are: inside a JSON text every quote is escaped,
so `"payload":{"type":"reasoning"` near the start of a line is the record's own. A line in any other shape is decoded
like the rest.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.harnesses.codex.reader.state import State

_PAYLOAD = b'"payload":{"type":"'
_CALL = b'"call_id":"'
_ORDINAL = b'"ordinal":'
_TOTAL = b'"total_tokens":'
_START = 200


def skip(state: "State", raw: bytes, line: int) -> bool:
    """Whether the line said nothing new; then it is counted."""
    at = raw.find(_PAYLOAD, 0, _START)
    if at < 0:
        return False
    at += len(_PAYLOAD)
    end = raw.find(b'"', at, at + 40)
    kind = raw[at:end]
    if kind == b"function_call_output" or kind == b"custom_tool_call_output":
        begin = raw.find(_CALL, end, end + _START)
        if begin < 0:
            return False
        begin += len(_CALL)
        if raw[begin : raw.find(b'"', begin, begin + _START)].decode("ascii", "replace") not in state.done:
            return False
        name = "response_item/" + kind.decode()
    elif kind == b"reasoning":
        if not state.thought:
            return False
        name = "response_item/reasoning"
    elif kind == b"message":
        if not state.spoke or raw.find(b'"role":"assistant"', end, end + _START) < 0:
            return False
        name = "response_item/message"
    elif kind == b"token_count":
        begin = raw.find(_TOTAL, end, end + 2 * _START) + len(_TOTAL)
        if begin < len(_TOTAL) or raw[begin : raw.find(b"}", begin, begin + 20)] != b"%d" % state.total:
            return False
        name = "event_msg/token_count"
    else:
        return False
    # Two records on one line are both read, and a line that is cut is told.
    if not raw.endswith(b"}\n") or raw.find(b'}{"') >= 0:
        return False
    ordinal = -1
    begin = raw.find(_ORDINAL, 0, at)
    if begin >= 0:
        digits = raw[begin + len(_ORDINAL) : raw.find(b",", begin, at)]
        if not digits.isdigit():
            return False
        ordinal = int(digits)
    if not state.pass_record(name, ordinal, line):
        return True
    if kind == b"reasoning":
        state.thought = False
    elif kind == b"message":
        state.spoke = False
    return True
