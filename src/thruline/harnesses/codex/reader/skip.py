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
_RECORD = b'{"timestamp":'
_CALL = b'"call_id":"'
_ORDINAL = b'"ordinal":'
_TOTAL = b'"total_tokens":'
_NEAR = 160

# Kinds of payload that may say nothing new, and the name they are counted under.
_KINDS = {
    b"function_call_output": "response_item/function_call_output",
    b"custom_tool_call_output": "response_item/custom_tool_call_output",
    b"reasoning": "response_item/reasoning",
    b"message": "response_item/message",
    b"token_count": "event_msg/token_count",
}


def skip(state: "State", raw: bytes, line: int) -> bool:
    """Whether the line said nothing new; then it is counted."""
    at = raw.find(_PAYLOAD, 0, _NEAR) + 19
    end = raw.find(b'"', at, at + 32)
    name = _KINDS.get(raw[at:end])
    if name is None or at < 19:
        return False
    kind = raw[at]
    empty = False
    if kind == 102 or kind == 99:  # f, c: an output, whose call ended already
        begin = raw.find(_CALL, end, end + _NEAR) + 11
        if begin < 11 or raw[begin : raw.find(b'"', begin, begin + _NEAR)].decode("ascii", "replace") not in state.done:
            return False
    elif kind == 114:  # r: what the model thought, in words that were told, or in none
        empty = not state.thought
        if empty and raw.find(b'"summary":[]', end, end + _NEAR) < 0:
            return False
    elif kind == 109:  # m: an answer that was told
        if not state.spoke or raw.find(b'"role":"assistant"', end, end + _NEAR) < 0:
            return False
    else:  # t: the tokens of an answer that were told
        begin = raw.find(_TOTAL, end, end + 2 * _NEAR) + 15
        if begin < 15 or raw[begin : raw.find(b"}", begin, begin + 20)] != b"%d" % state.total:
            return False
    # Two records on one line are both read, and a line that is cut is told.
    if not raw.endswith(b"}\n") or raw.find(_RECORD, 1) >= 0:
        return False
    ordinal = -1
    begin = raw.find(_ORDINAL, 0, at)
    if begin >= 0:
        digits = raw[begin + 10 : raw.find(b",", begin, at)]
        if not digits.isdigit():
            return False
        ordinal = int(digits)
    if state.pass_record(name, ordinal, line):
        if empty:
            state.count("thinking without text")
        elif kind == 114:
            state.thought = False
        elif kind == 109:
            state.spoke = False
    return True
