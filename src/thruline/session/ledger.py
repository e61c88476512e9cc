"""What a session did to the disk: files, commands and commits, folded from its parts.

"The session did" is one of two lists that are never merged; the other is what git says.
"""

from thruline.session import parts
from thruline.session.commits import CommitFact, Commits
from thruline.session.edits import Edits
from thruline.session.files import Files
from thruline.session.stashes import Stashes
from thruline.session.symbols import TAKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Files that nothing runs: they are texts.
PROSE = (".md", ".txt", ".rst", ".adoc", ".markdown")


# A line of git with such a word may have staged something; to take each of them apart would be dear.
_STAGING = (" add", " stage", " rm", " mv", " apply", "update-index", " reset")
_SEEN = (parts.Result, parts.Call, parts.Changed)


class CommandFact:
    """A command that was asked for; the last of the same text wins. `pushed` is what git told to have sent in it.

    `begun` is the line of the last one that nobody refused, however it ended; 0 where it never ran. `folder` is where
    the last one of git began, "" where that is not told.
    """

    __slots__ = ("begun", "command", "exit_status", "folder", "line", "outcome", "pushed", "runs", "source")

    def __init__(self, command: str) -> None:
        self.command = command
        self.begun = 0
        self.folder = ""
        self.line = 0
        self.source = ""
        self.outcome = ""
        self.exit_status: int | None = None
        self.pushed: tuple[tuple[str, str], ...] = ()
        self.runs = 0

    def copy(self) -> "CommandFact":
        """This run of it alone."""
        made = CommandFact(self.command)
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        made.runs = 1
        return made


class Ledger:
    """Give it each part with `see`; read `files`, `commands`, `commits` at the end."""

    __slots__ = ("_calls", "_here", "_kept", "_made", "_staged", "commands", "edits", "files", "pushes", "stashes")

    def __init__(self) -> None:
        self._kept = Files()
        self.files = self._kept.known
        self.commands: dict[str, CommandFact] = {}
        self.pushes: list[CommandFact] = []  # each that may have pushed, also where another of the same text followed
        self.edits = Edits()
        self._made = Commits()
        self.stashes = Stashes(self._made.places)
        self._staged: list[int] = []  # where something was put into git's index
        self._calls: dict[str, parts.Call] = {}
        self._here: dict[str, str] = {}  # where the calls of git began, since a command may leave its folder

    @property
    def commits(self) -> list[CommitFact]:
        """The commits that were made, the oldest first."""
        return self._made.made

    @property
    def commits_elsewhere(self) -> list[CommitFact]:
        """The commits that were made in folders that are none of the project's."""
        return self._made.elsewhere

    def see_all(self, found: "Iterable[parts.Part]") -> None:
        """Takes parts in, one after another."""
        see = self.see
        for part in found:
            if type(part) in _SEEN:
                see(part)

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        if isinstance(part, parts.Call):
            if part.action in ("run", "write") or part.symbols or part.before:
                self._calls[part.call_id] = part
                if part.action == "run" and "git" in part.target:
                    self._here[part.call_id] = self._made.places.find_here(part.source)
        elif isinstance(part, parts.Changed):
            if part.name == "cwd":
                self._made.places.enter(part.value, part.source)
        elif isinstance(part, parts.Result):
            if part.changes:
                self._kept.see(part)
            call = self._calls.pop(part.call_id, None)
            if call is not None and (call.symbols or call.before or call.action == "write"):
                self._note_symbols(call, part)
                if call.before and call.after:
                    self.edits.see(call, part)
            elif call is not None:
                here = self._here.pop(part.call_id, "")
                self._made.see(call.target, part, here)
                self._ran(call, part, here)
                if "git" in call.target:
                    self._follow(call.target, part, here)
            elif part.commits:
                self._made.see("", part)

    def _follow(self, command: str, result: parts.Result, here: str) -> None:
        """Takes in what git was asked to stage or to lay aside."""
        if any(word in command for word in _STAGING):
            self._staged.append(result.line)
        committed = self._made.made[-1].line if self._made.made else 0
        self.stashes.see(command, result, here, tuple([line if line > committed else 0 for line in self._kept.changed]))

    def find_staged(self, line: int) -> int:
        """The last line before this one where something was staged; 0 where nothing was."""
        return max((at for at in self._staged if at < line), default=0)

    def _note_symbols(self, call: parts.Call, result: parts.Result) -> None:
        for path, _ in result.changes[:1]:  # a refused or failed one changed nothing
            fact = self.files[path]
            if call.action == "write":  # the whole file: what it had before and has no more is gone
                fact.symbols = {name: fact.symbols[name] for name, _ in call.symbols if name in fact.symbols}
            counts = fact.symbols
            for name, worth in call.symbols:
                if worth == TAKEN:
                    counts.pop(name, None)
                else:
                    counts[name] = counts.get(name, 0) + worth

    def _ran(self, call: parts.Call, result: parts.Result, here: str) -> None:
        fact = self.commands.get(call.target)
        if fact is None:
            fact = self.commands[call.target] = CommandFact(call.target)
        fact.folder = here
        fact.line = result.line
        if result.outcome != parts.REFUSED:
            fact.begun = result.line
        fact.source = result.source
        fact.outcome = result.outcome
        fact.exit_status = result.exit_status
        fact.pushed = result.pushed
        fact.runs += 1
        if "push" in call.target and result.outcome != parts.REFUSED:
            self.pushes.append(fact.copy())
