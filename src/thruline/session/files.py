"""What became of each file of a session, from what happened to it in order: under another name too.

Readers tell what a call did to a path. What that makes of a file needs its past: one that was made and moved was made
under its new name, and one that was moved away and back is where it was.
"""

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from thruline.session.parts import Move, Result

# What happened, and what became of a file; `reverted` is one that is as it was, `gone` one that was made and removed.
READ, CREATED, EDITED, DELETED, WRITTEN, MOVED = "read", "created", "edited", "deleted", "written", "moved"
GONE, REVERTED = "gone", "reverted"
# How a path stands: with a file of the session's, without one any more, or left for another name.
_THERE, _REMOVED, _LEFT = "there", "removed", "left"


class FileFact:
    """One path of the session. `how` lists what happened to it in order of first happening.

    `first` and `last` are lines of the file labelled `source`: of its changes, or where it was only read. `touches`
    counts all, `changes` those that did more than read. `symbols` weighs, for each definition, the edits that touched
    it; one that was taken away, also with the file, is not there. `new` is a file that the session made, `unsure` one
    that a command wrote, of which nobody knows whether it was there before. Of one that was moved here `came` is where
    it lay before the session ("" for one that was not there then), `moved` the line of the move, and `by_git` whether
    git did it.
    """

    __slots__ = (
        "by_git",
        "came",
        "changes",
        "first",
        "how",
        "last",
        "moved",
        "new",
        "path",
        "source",
        "state",
        "symbols",
        "touches",
        "unsure",
    )

    def __init__(self, path: str, line: int, source: str) -> None:
        self.path = path
        self.first = line
        self.last = line
        self.source = source
        self.how: list[str] = []
        self.state = ""
        self.new = False
        self.unsure = False
        self.touches = 0
        self.changes = 0
        self.symbols: dict[str, int] = {}
        self.came = ""
        self.moved = 0
        self.by_git = False

    def judge(self) -> str:
        """What became of the file: created, edited, deleted, written, moved, reverted, gone, or "" where nothing did.

        Nothing became of one that was only read, under the name that it had before it was moved, and of one of which
        nobody knows whether it was there before a command wrote it and another removed it.
        """
        if self.state == _REMOVED:
            return GONE if self.new else "" if self.unsure else DELETED
        if self.state != _THERE:
            return ""
        if self.new:
            return CREATED
        known = next((how for how in (EDITED, CREATED, WRITTEN) if how in self.how), "")
        return (EDITED if known == CREATED else known) or (MOVED if self.came else REVERTED)

    def see(self, how: str, line: int, source: str) -> None:
        """Takes in something that happened to it."""
        if how not in self.how:
            self.how.append(how)
        self.touches += 1
        if how == READ and self.changes:
            return  # who looks at it again changes nothing
        if self.source != source or (how != READ and not self.changes):
            self.first, self.source = line, source
        self.last = line
        if how == READ:
            return
        self.changes += 1
        if how == DELETED:
            self.symbols = {}
            self.state = _REMOVED
            return
        if self.state in ("", _LEFT):
            self.new = how == CREATED
            self.unsure = how == WRITTEN and READ not in self.how
            self.came = ""
        self.state = _THERE

    def was_there(self) -> bool:
        """Whether a file was at this path before the session, as far as is known."""
        if self.state == "":
            return READ in self.how
        return self.state != _LEFT and not self.new and not self.unsure and not self.came

    def leave(self, line: int, source: str) -> None:
        """Takes in that it was moved away."""
        self.see(MOVED, line, source)
        self.state, self.came, self.new, self.unsure, self.symbols = _LEFT, "", False, False, {}


class Files:
    """Give it each result that changed something, with `see`; `known` are the files by path.

    `changed` is the last line where the session itself changed a file that git may know, and any file.
    """

    __slots__ = ("_folders", "_vague", "changed", "known")

    def __init__(self) -> None:
        self.known: dict[str, FileFact] = {}
        self.changed = (0, 0)
        self._folders: set[str] = set()
        self._vague: dict[str, str] = {}  # what was moved to a path that may be a folder, by that path: its own name

    def see(self, result: "Result") -> None:
        """Takes in what a call did to files."""
        if not result.moves:
            for path, how in result.changes:
                self._touch(path, how, result)
            return
        moves = {one[0]: one for one in result.moves}
        arrived = {one[1] for one in result.moves}
        for path, how in result.changes:
            move = moves.get(path) if how == DELETED else None
            if move is not None:
                self._move(move, result)
            elif how != CREATED or path not in arrived:
                self._touch(path, how, result)

    def _touch(self, path: str, how: str, result: "Result") -> None:
        fact = self._find(path, result)
        came = fact.came
        fact.see(how, result.line, result.source)
        if how == DELETED and came:
            # What was moved and removed then is missing where it lay.
            fact.leave(result.line, result.source)
            origin = self._find(came, result)
            if origin.state == _LEFT:
                origin.see(DELETED, result.line, result.source)
        if how != READ:
            self._note(fact, result)

    def _note(self, fact: FileFact, result: "Result") -> None:
        if not result.source:
            known = not fact.new and not fact.unsure
            self.changed = (result.line if known else self.changed[0], result.line)

    def _find(self, path: str, result: "Result") -> FileFact:
        fact = self.known.get(path)
        if fact is None:
            self._learn(path)
            fact = self.known.get(path)
        if fact is None:
            fact = self.known[path] = FileFact(path, result.line, result.source)
        return fact

    def _learn(self, path: str) -> None:
        """Takes in the folders that a path lies in: one of them may be what something was moved into."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._folders:
            self._folders.add(folder)
            name = self._vague.pop(folder, "")
            fact = self.known.get(folder) if name else None
            if fact is not None and fact.state == _THERE:
                del self.known[folder]
                fact.path = f"{folder}/{name}"
                self.known.setdefault(fact.path, fact)
            folder = folder.rpartition("/")[0]

    def _move(self, move: "Move", result: "Result") -> None:
        old, new, sure, by_git = move
        name = old.rpartition("/")[2]
        if not sure and new in self._folders:
            new, sure = f"{new}/{name}", True
        if old == new:
            return
        left = self._find(old, result)
        here = self._find(new, result)
        self._carry(left, here, result)
        here.by_git = by_git
        if not sure:
            self._vague[new] = name
        if sure and old in self._folders:
            for path in [path for path in self.known if path.startswith(f"{old}/")]:
                self._carry_below(path, f"{new}{path[len(old) :]}", result)

    def _carry(self, left: FileFact, here: FileFact, result: "Result") -> None:
        line, source = result.line, result.source
        stood = left.state == _THERE
        made = stood and left.new
        unsure = stood and left.unsure
        there = here.was_there()
        origin = "" if made or unsure else left.came or left.path
        how = [one for one in left.how if one in (EDITED, WRITTEN)] if stood else []
        symbols, first, touches = left.symbols, left.first if left.changes else line, left.touches
        left.leave(line, source)
        here.see(MOVED, line, source)
        here.first = min(first, line)
        here.touches += touches
        here.symbols = symbols
        here.moved = line
        # What was here was replaced: its past is nobody's any more.
        here.how = [*[one for one in here.how if one in (READ, MOVED)], *how]
        here.new, here.unsure = made and not there, unsure and not there
        here.came = "" if origin == here.path else origin
        if made or unsure:
            here.how.append(CREATED if here.new else EDITED if made else WRITTEN)
        self._note(here, result)

    def _carry_below(self, old: str, new: str, result: "Result") -> None:
        """Takes a file along with its folder: what was done to it is told under its new name."""
        left = self.known[old]
        if left.state == _THERE:
            here = self._find(new, result)
            self._carry(left, here, result)
            # Where it came from is told of the folder.
            if here.judge() == MOVED:
                here.state = _LEFT
            here.came = ""
