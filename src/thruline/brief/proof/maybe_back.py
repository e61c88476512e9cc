"""Which files of a session may be as they were before: by an edit that undid another, or by git.

What git certainly put back is another question (`session/put_back.py`): here a doubt is enough to ask for no flag.
"""

from thruline.session import parts
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger
from thruline.session.runs import find_asked, puts_back

# Git with one of these may have put a file back as it was.
_PUTTING_BACK = frozenset(("restore", "checkout", "reset", "stash", "revert", "clean", "switch"))


class MaybeBack:
    """Give it every call that ended well, with `see`; it tells then what was undone.

    `undone` are the lines of edits that undid another, by path; `work` are commands that put work back, with theirs.
    Errs on the side of what the rules call reverted (`engines/rules/reverted.py`): each of those may be back.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.undone: dict[str, list[int]] = {}
        self.work: list[tuple[str, int]] = []
        self._ledger = ledger
        self._edits: dict[str, set[tuple[int, int]]] = {}
        self._last: int | None = None

    def see(self, call: parts.Call) -> None:
        """Takes in a call; of edits those whose texts before and after are known."""
        if call.action == "run" and puts_back(call.target):
            self.work.append((call.target, call.line))
        if not (call.before and call.after):
            return
        path = call.paths[0] if call.paths else call.target
        known = self._edits.setdefault(path, set())
        if (call.after, call.before) in known:
            self.undone.setdefault(path, []).append(call.line)
        known.add((call.before, call.after))

    def may_be_back(self, file: FileFact) -> bool:
        """Whether a file may be as it was: every edit of it undone, or git was asked for it after its last change."""
        return self.find_last() >= file.last or self._ledger.edits.is_back(file.path, file.changes)

    def find_last(self) -> int:
        """The last line where git may have put something back; 0 where it was never asked to."""
        if self._last is None:
            ran = [one for one in self._ledger.commands.values() if "git" in one.command]
            asked = [one for one in ran if any(step.verb in _PUTTING_BACK for step in find_asked(one.command, "git"))]
            # The lines of another transcript are not those of this one.
            self._last = max((_LATEST if one.source else one.line for one in asked), default=0)
        return self._last


_LATEST = 1 << 62
