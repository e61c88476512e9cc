"""Which edits of each file no later one took back: a file with none of them is as it was."""

from thruline.session import parts


class Edits:
    """Give it every edit whose texts before and after are known, with its result; `is_back` tells at the end."""

    __slots__ = ("_open", "_seen", "undone")

    def __init__(self) -> None:
        self.undone: dict[str, int] = {}  # the line of the last edit that took one back, by path
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._seen: dict[str, int] = {}

    def see(self, call: parts.Call, result: parts.Result) -> None:
        """Takes an edit in; one that a subagent made is not counted, so its file is not back."""
        if result.outcome != parts.OK or result.source:
            return
        for path, _ in result.changes[:1]:
            left = self._open.setdefault(path, [])
            self._seen[path] = self._seen.get(path, 0) + 1
            if left and left[-1] == (call.after, call.before):
                left.pop()
                self.undone[path] = call.line
            else:
                left.append((call.before, call.after))

    def is_back(self, path: str, changes: int) -> bool:
        """Whether every one of so many changes of a file was an edit that is known, and was taken back."""
        return path in self.undone and not self._open[path] and self._seen[path] == changes
