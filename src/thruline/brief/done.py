"""What a session did, held against what a brief states of it: folded from the transcript beside the evidence."""

from collections.abc import Callable, Iterable

from thruline.brief.called import is_named
from thruline.brief.ended import Ended
from thruline.brief.pointer import decode_path
from thruline.brief.pulls import Pulls
from thruline.brief.standing import is_standing
from thruline.brief.stated import (
    COMMITTED,
    COUNTED,
    CREATED,
    DELETED,
    EDITED,
    GONE,
    HIDDEN,
    KEPT,
    LOGGED,
    MERGED,
    NO_FILE,
    OPENED,
    PULLED,
    PUSHED,
    RAN,
    REBASED,
    REVERTED,
    TOUCHED,
    Fact,
)
from thruline.session import parts
from thruline.session.aside import Aside
from thruline.session.commits import CommitFact, is_same_commit
from thruline.session.ledger import Ledger
from thruline.session.pushes import find_push
from thruline.session.runs import hides_status

# What must have happened to a file that a sentence tells of; of others any change will do.
_HOW = {CREATED: (CREATED,), EDITED: (EDITED, CREATED), DELETED: (DELETED,), GONE: (DELETED,)}


class Done:
    """Give it each part with `see`; `has` tells at the end. `name_command` makes of a command what a brief shows.

    `last_line` is the last that the brief knew of (0: all): what was done after it is not what the brief speaks of.
    What subagents did is in transcripts of their own, which are read where `wants_aside`, with `see_aside`.
    """

    def __init__(self, facts: Iterable[Fact], name_command: Callable[[str], str]) -> None:
        stated = list(facts)
        self.last_line = 0
        self._name_command = name_command
        self._wanted = {fact.name for fact in stated if fact.kind in (RAN, HIDDEN)}
        files = [fact for fact in stated if fact.kind not in NO_FILE and not is_standing(fact.kind)]
        self._named = {_find_mention(fact) for fact in files} - {""}
        self._pulls = Pulls()
        self.wants_aside = any(fact.aside for fact in stated)
        self._aside = Aside()
        self._ran: set[str] = set()
        self._worked: set[str] = set()  # of those, what cannot have failed unseen
        self._mentioned: set[str] = set()
        self._calls: dict[str, str] = {}
        self._ledger = Ledger()
        self.ended = Ended(self._ledger, name_command)

    def see(self, part: parts.Part) -> None:
        """Takes one part of the session in."""
        if self.last_line and part.line > self.last_line and not part.source:
            return
        self.ended.see(part)
        self.see_other(part)

    def see_other(self, part: parts.Part) -> None:
        """Takes in a part of another transcript that a brief points into."""
        if isinstance(part, parts.Call):
            if part.action == "run":
                self._calls[part.call_id] = part.target
        elif isinstance(part, parts.Result):
            command = self._calls.pop(part.call_id, "")
            if command and part.outcome == parts.OK:
                self._note(command, part.line)
        elif isinstance(part, parts.Changed) and part.name == "pull":
            self._pulls.open(part.value, part.line)
            return
        elif isinstance(part, parts.Delegated):
            self._aside.see_all((part,))
            return
        else:
            return
        self._ledger.see(part)

    def see_aside(self, found: Iterable[parts.Part]) -> None:
        """Takes in the parts of a subagent's own transcript."""
        self._aside.see_all(found)

    def miss_aside(self) -> None:
        """Takes in that a subagent's own transcript could not be read."""
        self._aside.whole = False

    def _note(self, command: str, line: int) -> None:
        self._pulls.see(command, line)
        self._mentioned |= {name for name in self._named - self._mentioned if name in command}
        # What a brief shows of a command begins as the command does; most are not named at all.
        head = command.split(maxsplit=1)[0] if command.strip() else ""
        if any(name.startswith(head) for name in self._wanted - self._worked):
            name = self._name_command(command)
            self._ran.add(name)
            if not hides_status(command):
                self._worked.add(name)

    def has(self, fact: Fact) -> bool | None:
        """Whether the session did this; None of a subagent whose transcript is not there."""
        if is_standing(fact.kind):
            return self.ended.has(fact)
        if fact.kind in (RAN, HIDDEN):
            return fact.name in (self._worked if fact.kind == RAN else self._ran)
        if fact.kind == COUNTED:
            return self._is_counted(fact)
        if fact.kind in (OPENED, MERGED, PULLED):
            return self._has_pull(fact)
        if fact.kind in (PUSHED, KEPT):
            ended = self.ended
            state = find_push(self._ledger, self._aside.ledger, ended.summary.cwd, ended.branches)[0]
            return state == fact.kind if state else None
        if fact.kind == TOUCHED:
            having = [one for one in self._ledger.files.values() if fact.name in one.symbols]
            return any(not fact.file or is_named(fact.file, one.path) for one in having)
        ledger = self._aside.ledger if fact.aside else self._ledger
        unknown = None if fact.aside and not self._aside.whole else False
        if fact.kind in (COMMITTED, REBASED, LOGGED):
            return self._has_commit(fact, ledger) or unknown
        return self._has_file(fact, ledger) or unknown

    def _has_commit(self, fact: Fact, ledger: Ledger) -> bool:
        same = [made for made in ledger.commits if is_same_commit(made.digest, fact.name)]
        if fact.kind == REBASED:
            return any(made.rebased for made in same)
        # Who made a commit that was only new in the log is not known; one that the session made is new in it too.
        return any(fact.kind == LOGGED or not made.logged for made in same)

    def _has_file(self, fact: Fact, ledger: Ledger) -> bool:
        named = [one for one in ledger.files.values() if is_named(fact.name, one.path)]
        # Another file may end in the same; what is called so from the project on is the one that is meant.
        whole = (decode_path(fact.name), f"{self.ended.summary.cwd.rstrip('/')}/{decode_path(fact.name)}")
        named = [one for one in named if one.path in whole] or named
        if not named:
            # A file that a command made or removed is known by the command alone.
            return not fact.aside and _find_mention(fact) in self._mentioned
        if not fact.listed or fact.kind == REVERTED:
            how = _HOW.get(fact.kind, (CREATED, EDITED, DELETED))
            return any(not set(how).isdisjoint(one.how) for one in named)
        # A list tells what became of each file.
        return any(one.judge() == fact.kind for one in named)

    def _is_counted(self, fact: Fact) -> bool:
        """Whether so many are there: of files no less either, but for those that may have been put back."""
        if fact.file in (COMMITTED, LOGGED):
            return fact.count <= sum(made.logged == (fact.file == LOGGED) for made in self._ledger.commits)
        alike = [one for one in self._ledger.files.values() if one.judge() == fact.file and not one.source]
        if fact.file == REVERTED:
            return fact.count <= len(self._ledger.files)
        return len(alike) - sum(map(self.ended.may_be_back, alike)) <= fact.count <= len(alike)

    def tells(self, fact: Fact) -> bool:
        """Whether the transcript itself knows the commit that this names: git knows no better who made it."""
        return any(is_same_commit(made.digest, fact.name) for made in self._ledger.commits)

    def _has_pull(self, fact: Fact) -> bool:
        if fact.kind == OPENED:
            return fact.name in self._pulls.opened
        if fact.kind == MERGED:
            return fact.name in self._pulls.merged
        return fact.name in self._pulls.opened or fact.name in self._pulls.merged or fact.name in self._pulls.others

    @property
    def commits(self) -> list[CommitFact]:
        """The commits that it made, the oldest first."""
        return self._ledger.commits


def _find_mention(fact: Fact) -> str:
    """What a command must name: in a sentence a file may be called by its last part."""
    name = decode_path(fact.name)
    return name if fact.listed else name.replace("\\", "/").rstrip("/").rpartition("/")[2]
