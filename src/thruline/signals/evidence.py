"""What the record itself proves, whatever was said: commands that worked or failed, edits undone, files, commits.

Structure works in any language. A dead end by evidence is a command that failed and gave way to another of the same
program, an edit put back as it was, a branch left by a rewind, a subagent that came to nothing.
"""

from thruline.session import parts
from thruline.session.foreign import is_foreign
from thruline.session.runs import puts_back
from thruline.signals.quote import LONGEST
from thruline.signals.signal import Signal
from thruline.value import replace

MOST_OPEN = 400
MOST_COMMANDS = 2000
MOST_EDITS = 40  # remembered per file

# Programs that look around; that they worked is no news.
_LOOKING = frozenset(
    [
        "ls",
        "cat",
        "head",
        "tail",
        "echo",
        "cd",
        "pwd",
        "grep",
        "rg",
        "find",
        "wc",
        "sed",
        "awk",
        "which",
        "file",
        "stat",
        "tree",
        "sort",
        "diff",
        "true",
        "sleep",
        "kill",
        "mkdir",
        "cp",
        "mv",
        "rm",
        "touch",
        "chmod",
        "printf",
        "test",
        "export",
        "source",
    ]
)
# Where commands of several lines come from: here-documents, messages, continued lines.
_SEVERAL_LINES = (
    "<<",
    "$(cat",
    "git commit",
    ' -m "',
    " -m '",
    "--body",
    "\\ ",
    "python -c",
    "python3 -c",
    "node -e",
    " do ",
    "; then",
)
_CHANGED = ("created", "edited", "deleted")


class EvidenceMiner:
    """Takes calls, results, rewinds and delegations; `finish` gives the signals."""

    __slots__ = ("_commands", "_edits", "_failed", "_files", "_open", "signals")

    def __init__(self) -> None:
        self.signals: list[Signal] = []
        self._open: dict[str, parts.Call] = {}
        # What becomes of them is known at the end, and only then they are signals.
        self._commands: dict[str, tuple[parts.Call, float]] = {}
        self._failed: dict[str, tuple[parts.Call, str]] = {}  # with the program that failed
        self._files: dict[str, tuple[str, parts.Part, str]] = {}
        self._edits: dict[str, list[tuple[int, int, int]]] = {}

    def call(self, part: parts.Call) -> None:
        """Takes in a call; what came of it is told by its result."""
        self._open[part.call_id] = part
        if len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]

    def result(self, part: parts.Result) -> None:
        """Takes in a result, and with it the call."""
        call = self._open.pop(part.call_id, None)
        for path, how in part.changes:
            if how in _CHANGED:
                self._file(path, how, part, call)
        foreign = call is not None and part.commits and is_foreign(call.target)
        for digest, subject in () if foreign else part.commits:
            quote = subject or digest
            self.signals.append(_signal("commit", quote, part, 1.0, "git printed it", about=digest))
        if call is None:
            return
        if part.outcome == parts.REFUSED:
            self._refused(call, part)
        elif call.action == "run":
            self._ran(call, part)
        elif call.action == "edit" and part.outcome == parts.OK:
            self._edited(call)
        elif call.action == "delegate" and part.outcome in (parts.ERROR, parts.INTERRUPTED) and call.target:
            why = "the subagent failed" if part.outcome == parts.ERROR else "the subagent was stopped"
            self.signals.append(_signal("dead_end", call.target, call, 0.7, why, variety="subagent"))

    def _refused(self, call: parts.Call, part: parts.Result) -> None:
        first = part.text.split("\n", 1)[0].strip()[:200].rstrip()
        self.signals.append(
            Signal(
                "refusal", "human", first, part.line, uuid=part.uuid, source=part.source, time=part.time,
                strength=0.9, why="the call was refused", about=f"{call.name} {call.target}"[:200],
            )
        )  # fmt: skip

    def _ran(self, call: parts.Call, part: parts.Result) -> None:
        command = call.target
        program = _program(command)
        if not command or not program:
            return
        if part.outcome == parts.ERROR:
            self._failed.setdefault(command, (call, program))
            self._commands.pop(command, None)
            if len(self._failed) > MOST_OPEN:
                del self._failed[next(iter(self._failed))]
            return
        if part.outcome != parts.OK:
            return
        self._failed.pop(command, None)
        if program not in _LOOKING:
            for failed in [name for name, (_, other) in self._failed.items() if other == program]:
                self._gave_way(self._failed.pop(failed)[0], call)
        if puts_back(command):
            if is_verbatim(command):
                self.signals.append(_signal("dead_end", command, call, 0.6, "work was put back", variety="reverted"))
        elif program not in _LOOKING and is_verbatim(command):
            _, known = self._commands.pop(command, (None, 0.4))
            self._commands[command] = (call, round(min(0.9, known + 0.1), 2))
            if len(self._commands) > MOST_COMMANDS:
                del self._commands[next(iter(self._commands))]

    def _gave_way(self, failed: parts.Call, worked: parts.Call) -> None:
        if not is_verbatim(failed.target):
            return
        self.signals.append(
            _signal(
                "dead_end", failed.target, failed, 0.5, "failed; another way worked", variety="command",
                about=worked.target[:200],
            )
        )  # fmt: skip

    def _edited(self, call: parts.Call) -> None:
        path = call.paths[0] if call.paths else call.target
        known = self._edits.setdefault(path, [])
        if call.before and call.after:
            for before, after, line in reversed(known):
                if before == call.after and after == call.before:
                    signal = _signal("dead_end", path, call, 0.8, "the edit was put back", variety="edit_undone")
                    self.signals.append(_with_about(signal, f"edit at L{line}"))
                    break
        known.append((call.before, call.after, call.line))
        del known[:-MOST_EDITS]

    def _file(self, path: str, how: str, part: parts.Result, call: parts.Call | None) -> None:
        # The path stands in the call's record; the result of a deletion need not name it.
        place = call or part
        quote = path
        if call is not None and path not in call.paths and path not in call.target:
            # Named from the folder it was in: the words are the end of the path.
            ends = [named for named in call.paths if path.endswith("/" + named.removeprefix("./"))]
            quote = ends[0] if ends else path.rstrip("/").rsplit("/", 1)[-1]
            if not ends and quote not in call.target:
                return
        self._files[path] = (quote, place, how)

    def finish(self) -> list[Signal]:
        """Everything, in order of line."""
        found = self.signals.copy()
        for command, (call, strength) in self._commands.items():
            found.append(_signal("command", command, call, strength, "ran without an error"))
        for path, (quote, place, how) in self._files.items():
            about = path if quote != path else ""
            found.append(_signal("file", quote, place, 1.0, how, variety=how, about=about))
        found.sort(key=lambda signal: signal.line)
        return found


def is_verbatim(command: str) -> bool:
    """Whether a call's one line is surely the command as typed: several lines of one are told joined, long ones cut."""
    if len(command) > LONGEST or command.endswith("…"):
        return False
    return not any(mark in command for mark in _SEVERAL_LINES)


def _program(command: str) -> str:
    # The last step tells what the line was for: `cd x && make test`.
    step = command.rsplit("&&", 1)[-1].split("|", 1)[0]
    words = [word for word in step.split() if "=" not in word]
    if not words:
        return ""
    name = words[0].rsplit("/", 1)[-1]
    if len(words) > 1 and name in (
        "git",
        "npm",
        "go",
        "cargo",
        "make",
        "uv",
        "python",
        "python3",
        "npx",
        "mise",
        "just",
    ):
        return f"{name} {words[1]}"
    return name


def _with_about(signal: Signal, about: str) -> Signal:
    return replace(signal, about=about)


def _signal(
    kind: str, quote: str, part: parts.Part, strength: float, why: str, *, variety: str = "", about: str = ""
) -> Signal:
    return Signal(
        kind, "agent", quote, part.line, uuid=part.uuid, source=part.source, time=part.time, strength=strength, why=why,
        variety=variety, about=about,
    )  # fmt: skip
