"""How a fork of this client differs from what it copied.

`/branch` adds to every record the session it came from and the record's own id. No fork copies the notes between the
records (titles, modes, the queue): they are the lines without an id of their own.
"""

RECORD_KEY = '"uuid":"'

_HEAD = 1 << 20
_BEGIN = b',"forkedFrom":{"sessionId":"'
_MIDDLE = b'","messageUuid":"'


def read_mark(path: str) -> str:
    """The text before the record's own id at the end of each copied record; "" where none was copied so."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    begin = head.find(_BEGIN)
    end = head.find(_MIDDLE, begin + len(_BEGIN), begin + len(_BEGIN) + 64)
    return head[begin : end + len(_MIDDLE)].decode("utf-8", "replace") if begin >= 0 and end >= 0 else ""
