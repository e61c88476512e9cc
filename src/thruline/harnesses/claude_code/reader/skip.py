"""Lines that need no decoding: floods of progress, and backups of files.

In some versions half of the records are progress, and a fifth of the bytes. Their bytes tell what they are: inside a
JSON text every quote is escaped, so `"type":"progress"` before the second brace of a line is a key of the record.
A line in any other shape is decoded like the rest.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.harnesses.claude_code.reader.state import State

_SNAPSHOT = b'{"type":"file-history-snapshot",'
_PROGRESS = b'"type":"progress","data":{'
_ID = b'"uuid":"'


def skippable(raw: bytes) -> str:
    """The kind of a line that need not be decoded, or ""."""
    at = raw.find(_PROGRESS, 0, 900)
    if at > 0 and raw.find(b"{", 1, at) < 0:
        return "progress" if _is_single(raw) else ""
    if raw.startswith(_SNAPSHOT) and _is_single(raw):
        return "file-history-snapshot"
    return ""


def _is_single(raw: bytes) -> bool:
    # One whole record: where two are glued on a line, the other may be anything.
    return raw.endswith(b"}\n") and b'}{"' not in raw


def skip(state: "State", kind: str, raw: bytes, line: int) -> None:
    """Counts the line, and notes its id: a prompt may name a progress record as the one before it."""
    counts = state.counts
    counts[kind] = counts.get(kind, 0) + 1
    begin = raw.rfind(_ID)
    if kind == "progress" and begin > 0:
        begin += len(_ID)
        # The record's own id stands behind its data; in front of a brace it is one of the data.
        if raw.find(b"}", begin) == len(raw) - 2:
            uuid = raw[begin : raw.find(b'"', begin)].decode("utf-8", "replace")
            if state.is_known(uuid):
                counts["copy"] = counts.get("copy", 0) + 1
            else:
                state.note(uuid, line)
