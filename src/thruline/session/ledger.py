"""What a session did to the disk: files, commands and commits, folded from its parts.

"The session did" is one of two lists that are never merged; the other is what git says.
"""

from thruline.session import parts


class FileFact:
    """One file of the session. `how` lists what happened to it in order of first happening."""

    __slots__ = ("first", "how", "last", "path", "touches")

    def __init__(self, path: str, line: int) -> None:
        self.path = path
        self.first = line
        self.last = line
        self.how: list[str] = []
        self.touches = 0


class CommandFact:
    """A command that ran; the last run of the same text wins."""

    __slots__ = ("command", "exit_status", "line", "outcome", "runs")

    def __init__(self, command: str) -> None:
        self.command = command
        self.line = 0
        self.outcome = ""
        self.exit_status: int | None = None
        self.runs = 0


class Ledger:
    """Give it each part with `see`; read `files`, `commands`, `commits` at the end."""

    __slots__ = ("_calls", "commands", "commits", "files")

    def __init__(self) -> None:
        self.files: dict[str, FileFact] = {}
        self.commands: dict[str, CommandFact] = {}
        self.commits: list[tuple[str, str, int]] = []
        self._calls: dict[str, parts.Call] = {}

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        if isinstance(part, parts.Call):
            if part.action == "run":
                self._calls[part.call_id] = part
        elif isinstance(part, parts.Result):
            for path, how in part.changes:
                self._touch(path, how, part.line)
            for commit, subject in part.commits:
                self.commits.append((commit, subject, part.line))
            call = self._calls.pop(part.call_id, None)
            if call is not None:
                self._ran(call, part)

    def _touch(self, path: str, how: str, line: int) -> None:
        fact = self.files.get(path)
        if fact is None:
            fact = self.files[path] = FileFact(path, line)
        if how not in fact.how:
            fact.how.append(how)
        fact.last = line
        fact.touches += 1

    def _ran(self, call: parts.Call, result: parts.Result) -> None:
        fact = self.commands.get(call.target)
        if fact is None:
            fact = self.commands[call.target] = CommandFact(call.target)
        fact.line = result.line
        fact.outcome = result.outcome
        fact.exit_status = result.exit_status
        fact.runs += 1
