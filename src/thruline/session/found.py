"""A transcript that was found on disk, before anyone opened it."""


class Found:
    """One transcript file; `session_id` as the client names it, from the path.

    `kind` is `session`, `subagent`, `packed` for one that the client compressed and nobody here can read, or `closed`
    for a folder of transcripts (so without an id) that may not be read; among a
    session's companions also `base` (the session it was forked from, where a fork's file does not repeat the history)
    and what else a client keeps beside it. Of a base only what stands before the client's own record number `until`
    belongs to the session. Subagents are numbered in the order of `born`, a text that sorts by when they began.
    """

    __slots__ = ("born", "kind", "mtime", "path", "session_id", "size", "until")

    def __init__(
        self, path: str, session_id: str, size: int, mtime: float, kind: str = "session", until: int = 0, born: str = ""
    ) -> None:
        self.path = path
        self.session_id = session_id
        self.size = size
        self.mtime = mtime
        self.kind = kind
        self.until = until
        self.born = born

    def __repr__(self) -> str:
        return f"Found({self.path!r}, {self.session_id!r}, {self.size}, {self.mtime}, {self.kind!r})"
