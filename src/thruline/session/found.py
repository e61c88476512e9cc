"""A transcript that was found on disk, before anyone opened it."""


class Found:
    """One transcript file. `kind` is `session` or `subagent`; `session_id` as the client names it, from the path."""

    __slots__ = ("kind", "mtime", "path", "session_id", "size")

    def __init__(self, path: str, session_id: str, size: int, mtime: float, kind: str = "session") -> None:
        self.path = path
        self.session_id = session_id
        self.size = size
        self.mtime = mtime
        self.kind = kind

    def __repr__(self) -> str:
        return f"Found({self.path!r}, {self.session_id!r}, {self.size}, {self.mtime}, {self.kind!r})"
