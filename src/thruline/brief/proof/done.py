"""What a session did, held against what a brief states of it: folded from the transcript beside the evidence."""

from collections.abc import Callable, Iterable

from thruline.brief.claims import denials
from thruline.brief.claims.called import is_disguised, is_named, is_path
from thruline.brief.claims.mentioned import KINDS as MENTIONED
from thruline.brief.claims.standing import is_standing
from thruline.brief.claims.stated import (
    COMMITTED,
    COUNTED,
    CREATED,
    DELETED,
    EDITED,
    ELSEWHERE,
    GONE,
    HIDDEN,
    KEPT,
    LOGGED,
    MERGED,
    MOVED,
    NO_FILE,
    OPENED,
    PULLED,
    PUSHED,
    RAN,
    REBASED,
    REVERTED,
    STASHED,
    TOUCHED,
    WRITTEN,
    Fact,
)
from thruline.brief.pointer import decode_path
from thruline.brief.proof.ended import Ended
from thruline.brief.proof.known import Mentioned
from thruline.brief.proof.placed import is_at, is_part
from thruline.brief.proof.pulls import Pulls
from thruline.brief.proof.touching import Touching
from thruline.session import parts
from thruline.session.aside import Aside
from thruline.session.commits import CommitFact
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger
from thruline.session.places import find_branch
from thruline.session.pushes import find_push
from thruline.session.runs import hides_status

# What the words of no tool tell.
_BY_COMMAND = frozenset((WRITTEN, MOVED))
# Git shortens no name of a commit further, unless it was told to.
_SHORTEST = 7
# What must have happened to a file that a sentence tells of; of others any change will do.
_HOW = {
    CREATED: (CREATED, WRITTEN, MOVED),
    EDITED: (EDITED, CREATED, WRITTEN),
    DELETED: (DELETED, MOVED),
    GONE: (DELETED,),
    WRITTEN: (WRITTEN, CREATED, EDITED),
}


class Done:
    """Give it each part with `see`; `has` tells at the end. `name_command` makes of a command what a brief shows.

    `last_line` is the last that the brief knew of (0: all): what was done after it is not what the brief speaks of.
    `seen` is the last line of the session's own file.
    What subagents did is in transcripts of their own, which are read where `wants_aside`, with `see_aside`.
    """

    def __init__(self, facts: Iterable[Fact], name_command: Callable[[str], str]) -> None:
        stated = list(facts)
        self.last_line = self.seen = 0
        self._name_command = name_command
        self._wanted = {fact.name for fact in stated if fact.kind in (RAN, HIDDEN)}
        files = [
            fact
            for fact in stated
            if fact.kind not in NO_FILE | MENTIONED | denials.KINDS and not is_standing(fact.kind)
        ]
        self._touching = Touching(map(_find_mention, files))
        self._pulls = Pulls()
        self._named_anyhow = Mentioned(stated)
        self._asks_aside = any(fact.aside or fact.kind in denials.KINDS for fact in stated)
        self._aside = Aside()
        self._ran: dict[str, set[tuple[str, int]]] = {}  # where each command that is named ended well
        self._worked: dict[str, set[tuple[str, int]]] = {}  # of those, what cannot have failed unseen
        self._calls: dict[str, str] = {}
        self._ledger = Ledger()
        self._files: dict[int, dict[str, list[FileFact]]] = {}  # of each ledger, by the last part of the path
        self.ended = Ended(self._ledger, name_command)

    @property
    def wants_aside(self) -> bool:
        """Whether what subagents did decides something."""
        return self._asks_aside or bool(self._named_anyhow.find_missing())

    def see(self, part: parts.Part) -> None:
        """Takes one part of the session in."""
        if self.last_line and part.line > self.last_line and not part.source:
            return
        self.seen = self.seen if part.source else part.line
        self.ended.see(part)
        self.see_other(part)

    def see_other(self, part: parts.Part) -> None:
        """Takes in a part of another transcript that a brief points into."""
        self._named_anyhow.see(part)
        if isinstance(part, parts.Call):
            if part.action == "run":
                self._calls[part.call_id] = part.target
        elif isinstance(part, parts.Result):
            command = self._calls.pop(part.call_id, "")
            if command and part.outcome == parts.OK:
                self._note(command, part)
        elif isinstance(part, parts.Changed) and part.name == "pull":
            self._pulls.open(part.value, part.line)
            return
        elif isinstance(part, parts.Delegated):
            self._aside.see_all((part,))
            return
        elif not isinstance(part, parts.Changed):
            return
        self._ledger.see(part)

    def see_aside(self, found: Iterable[parts.Part]) -> None:
        """Takes in the parts of a subagent's own transcript."""
        known = list(found)
        self._aside.see_all(known)
        for part in known:
            self._named_anyhow.see(part)

    def miss_aside(self) -> None:
        """Takes in that a subagent's own transcript could not be read."""
        self._aside.whole = False

    def _note(self, command: str, part: parts.Result) -> None:
        self._pulls.see(command, part.line)
        self._touching.see(command)
        # What a brief shows of a command begins as the command does; most are not named at all.
        head = command.split(maxsplit=1)[0] if command.strip() else ""
        if any(name.startswith(head) for name in self._wanted):
            name = self._name_command(command)
            self._ran.setdefault(name, set()).add((part.source, part.line))
            if not hides_status(command):
                self._worked.setdefault(name, set()).add((part.source, part.line))

    def has(self, fact: Fact) -> bool | None:
        """Whether the session did this; None of a subagent whose transcript is not there."""
        if is_standing(fact.kind):
            return self.ended.has(fact)
        if fact.kind in denials.KINDS:
            return denials.has_denied(fact, self._ledger, self._aside)
        if fact.kind in MENTIONED:
            return self._named_anyhow.has(fact) or (False if self._aside.whole else None)
        if fact.kind in (RAN, HIDDEN):
            ran = self._worked if fact.kind == RAN else self._ran
            return any(is_at(fact, line, source) for source, line in ran.get(fact.name, ()))
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
        unknown = None if fact.aside and not self._aside.whole and not self._did_itself(fact) else False
        if fact.kind in (COMMITTED, REBASED, ELSEWHERE, LOGGED):
            return self._has_commit(fact, ledger) or unknown
        return self._has_file(fact, ledger) or unknown

    def _did_itself(self, fact: Fact) -> bool:
        """Whether the session itself certainly did what is said of a subagent whose transcript is lost."""
        if fact.kind in (COMMITTED, REBASED, ELSEWHERE):
            own = [made for made in self._ledger.commits if not made.source and not made.logged]
            return any(_is_called(fact.name, made.digest) for made in own)
        return any(one.changes and not one.source for one in self._find_files(fact.name, self._ledger))

    def _has_commit(self, fact: Fact, ledger: Ledger) -> bool:
        # Who does not tell where a commit was made says nothing untrue: older briefs had no words for it.
        told = ledger.commits_elsewhere if fact.kind == ELSEWHERE else [*ledger.commits, *ledger.commits_elsewhere]
        same = [made for made in told if _is_called(fact.name, made.digest)]
        if not fact.aside:
            same = [made for made in same if is_at(fact, made.line, made.source)]
            # A subject below a commit's name is that commit's.
            same = [made for made in same if not made.subject or is_part(fact.said, made.subject)]
        if fact.file:
            same = [made for made in same if is_path(fact.file, find_branch(self.ended.branches, made.line))]
        if fact.kind == REBASED:
            return any(made.rebased for made in same)
        # Who made a commit that was only new in the log is not known; one that the session made is new in it too.
        return any(fact.kind == LOGGED or not made.logged for made in same)

    def _has_file(self, fact: Fact, ledger: Ledger) -> bool:
        named = self._find_files(fact.name, ledger)
        # Another file may end in the same; what is called so from the project on is the one that is meant.
        whole = (decode_path(fact.name), f"{self.ended.summary.cwd.rstrip('/')}/{decode_path(fact.name)}")
        named = [one for one in named if one.path in whole] or named
        if fact.kind == MOVED:
            return any(self._has_moved(fact, one) for one in ledger.files.values() if one.came)
        if not named:
            # A file that a command made or removed is known by the command alone.
            return not fact.aside and self._touching.has(_find_mention(fact), fact.kind)
        if fact.kind == REVERTED:
            return any(one.changes and (fact.aside or self._may_be_back(one)) for one in named)
        if fact.kind == STASHED:
            return any(fact.aside or self.ended.aside.has(one) for one in named)
        how = frozenset(_HOW.get(fact.kind, (CREATED, EDITED, DELETED)))
        done = [one for one in named if not how.isdisjoint(one.how)]
        if not fact.listed:
            return bool(done)
        # A list tells what became of each file; who tells no place may not know of what commands wrote and moved.
        judged = [one for one in named if one.judge() == fact.kind]
        if not judged and not fact.places:
            return any(not _BY_COMMAND.isdisjoint(one.how) for one in done)
        if fact.places:  # it points at what was done last: not at work that lies in a stash
            judged = [one for one in judged if fact.aside or not self.ended.aside.has(one)]
        return any(fact.aside or _is_told_at(fact, one) for one in judged)

    def _has_moved(self, fact: Fact, file: FileFact) -> bool:
        moved = is_named(fact.file, file.path) and is_named(fact.name, file.came)
        return moved and (fact.aside or is_at(fact, file.moved, file.source))

    def _may_be_back(self, file: FileFact) -> bool:
        back = file.judge() == REVERTED or self.ended.maybe_back.may_be_back(file)
        return back and not self.ended.aside.has(file)

    def _find_files(self, name: str, ledger: Ledger) -> list[FileFact]:
        """The files that a brief may call so: asked of those whose last part it is, unless that was cut or marked."""
        if is_disguised(name):
            return [one for one in ledger.files.values() if is_named(name, one.path)]
        known = self._files.get(id(ledger))
        if known is None:
            known = self._files[id(ledger)] = {}
            for one in ledger.files.values():
                known.setdefault(_find_last(one.path), []).append(one)
        found = [
            one for last in dict.fromkeys(map(_find_last, (name, decode_path(name)))) for one in known.get(last, ())
        ]
        return [one for one in found if is_named(name, one.path)]

    def _is_counted(self, fact: Fact) -> bool:
        """Whether so many are there: of files no less either, but for those that may have been put back."""
        if fact.file in (COMMITTED, LOGGED):
            made = [*self._ledger.commits, *self._ledger.commits_elsewhere]
            return fact.count <= sum(one.logged == (fact.file == LOGGED) for one in made)
        alike = [one for one in self._ledger.files.values() if one.judge() == fact.file and not one.source]
        if fact.file == MOVED:
            return fact.count <= sum(bool(one.came) for one in self._ledger.files.values())
        if fact.file in (REVERTED, STASHED):
            return fact.count <= len(self._ledger.files)
        return len(alike) - sum(map(self.ended.maybe_back.may_be_back, alike)) <= fact.count <= len(alike)

    def tells(self, fact: Fact) -> bool:
        """Whether the transcript itself knows the commit that this names: git knows no better who made it."""
        return any(_is_called(fact.name, made.digest) for made in self._ledger.commits)

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
    return name if fact.listed else _find_last(name)


def _find_last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_called(name: str, digest: str) -> bool:
    """Whether a brief may call a commit so: by as much of its name as git tells, or the whole of it."""
    return len(name) >= min(_SHORTEST, len(digest)) and digest.startswith(name)


def _is_told_at(fact: Fact, file: FileFact) -> bool:
    """Whether a claim points at what became of a file: at its last change, or where it was made."""
    return is_at(fact, file.last, file.source) or (fact.kind == CREATED and is_at(fact, file.first, file.source))
