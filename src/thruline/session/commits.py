"""The commits of a session, and which of them still stand.

Git prints a line for most commits. One made with `-q`, by a merge or by a script prints none: it is known by a later
log, where its subject is the one that the session gave it. What a log shows on top of the commit that the first log of
the session began with is new in the branch, whoever made it: a subagent that left no transcript, the user meanwhile.
Errs on the side of silence: after a `git pull`, a merge or a change of the branch a log may begin with anybody's work.
"""

from thruline.session import parts
from thruline.session.commands import may_commit
from thruline.session.foreign import is_foreign
from thruline.session.places import Places, resolve_folder
from thruline.session.runs import UNKNOWN, Asked, find_asked

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Sequence

# After one of these the branch holds what others did, or is another one.
_MOVING = frozenset(("pull", "fetch", "merge", "checkout", "switch", "rebase", "reset", "am"))
# Reading a line is dear: only one with such a word may have amended, taken back, rebased or moved anything.
_TELLING_WORDS = ("--amend", "pull", "fetch", "merge", "checkout", "switch", "rebase", "reset", " am ")
_COMMITTING = frozenset(("commit", "cherry-pick", "revert", "am", "merge"))
# A log with one of these is not the log of the branch, or not in its order.
_ELSEWHERE = ("--all", "--branches", "--remotes", "--author", "--grep", "--reverse", "--since", "--until")
# A `git reset` with one of these takes no names of files.
_WHOLE = frozenset(("--soft", "--mixed", "--hard", "--keep", "--merge"))
_ENDS = frozenset(("&&", "||", "|", ";"))
_MOST_SILENT = 40
# Of more commits, the oldest stay where they are.
_MOST_SORTED = 200
# A subject shorter than this may stand in a command by chance.
_TELLING = 8


class CommitFact:
    """A commit that the session made. `gone` tells why it no longer stands, "" for one that does; `left_at` since when.

    `gone_at` is the line where a reset or an amendment took it back, 0 where its changes stayed as they were.
    A `rebased` one may have another name since. A `logged` one was on the branch when the session looked, and not when
    it looked first; who made it is not known.
    """

    __slots__ = (
        "digest",
        "folder",
        "gone",
        "gone_at",
        "left_at",
        "line",
        "logged",
        "rebased",
        "source",
        "subject",
        "uuid",
    )

    def __init__(
        self, digest: str, subject: str, line: int, source: str, uuid: str = "", *, logged: bool = False
    ) -> None:
        self.digest = digest
        self.subject = subject
        self.folder = UNKNOWN  # where it was made
        self.line = line
        self.source = source
        self.uuid = uuid
        self.gone = ""
        self.gone_at = 0
        self.left_at = 0
        self.rebased = False
        self.logged = logged


class Commits:
    """Give it every command that ended, with `see`; `made` are the commits, the oldest first.

    Those that were made `elsewhere`, in a folder that is none of the project's, are kept apart: what they hold is
    nothing of the project, and what is not committed there is no less owed.
    """

    __slots__ = (
        "_began",
        "_doubted",
        "_firm",
        "_moved",
        "_names",
        "_silent",
        "_standing",
        "_told",
        "elsewhere",
        "made",
        "places",
    )

    def __init__(self) -> None:
        self.made: list[CommitFact] = []
        self.elsewhere: list[CommitFact] = []
        self.places = Places()
        self._names: dict[str, CommitFact] = {}
        self._standing: dict[str, list[CommitFact]] = {}  # of each source, the newest last: what a reset takes back
        self._firm: dict[str, list[CommitFact]] = {}  # of each source: what a rebase casts doubt on
        self._doubted: dict[str, list[CommitFact]] = {}  # by their subjects: those that a rebase may have renamed
        self._silent: list[str] = []  # commands that may have made a commit, and printed no line of it
        self._told = ""  # the same, joined
        self._began = ""  # the commit that the first log began with
        self._moved = False

    def see(self, command: str, result: parts.Result, here: str = "") -> None:
        """Takes in a command that ran in the folder `here`, and how it ended; "" for one that is not known."""
        if result.commits:
            if is_foreign(command):
                return
        elif result.outcome != parts.OK or "git" not in command:
            return
        tells = bool(result.commits) or any(word in command for word in _TELLING_WORDS)
        leads = "cd " in command or "-C" in command or "pushd" in command or self.places.is_away(result.source)
        leads = leads and (bool(result.logged) or may_commit(command))
        if self.places.learn(command, here):
            self._move_away()
        asked = find_asked(command, "git") if tells or leads else []
        away = [step for step in asked if self.places.is_elsewhere(step.folder, result.source, here)]
        if not result.commits and may_commit(command) and not any(step.verb in _COMMITTING for step in away):
            self._silent = [*self._silent[1 - _MOST_SILENT :], command]
            self._told = ""
        self._follow([step for step in asked if step not in away], away, result, here)
        if result.logged and not any(step.verb == "log" for step in away):
            self._read_log(command, result)

    def _follow(self, asked: list[Asked], away: list[Asked], result: parts.Result, here: str) -> None:
        """Takes the steps of a command in order; the commits that it printed were made where it committed first."""
        waiting = self._sort(asked, away, result)
        folders = {resolve_folder(here, step.folder) for step in asked if step.verb in _COMMITTING}
        folder = folders.pop() if len(folders) == 1 else UNKNOWN
        amended = sum(step.verb == "commit" and "--amend" in step.options for step in asked) if waiting else 0
        for step in asked:
            if step.verb in _COMMITTING and waiting:
                self._add(result, waiting, amended, folder)
                waiting = []
            elif result.outcome != parts.OK:
                continue  # it committed and failed then: how far it came is not known
            elif step.verb == "reset":
                kept = "--soft" in step.options
                self._drop(count_back(step), result.source, "reset", result.line, kept=kept)
            elif step.verb == "rebase" or (step.verb == "pull" and _rebases(step)):
                self._doubt(step, result)
            self._moved = self._moved or step.verb in _MOVING
        if waiting:
            self._add(result, waiting, amended, folder)

    def _sort(self, asked: list[Asked], away: list[Asked], result: parts.Result) -> "list[tuple[str, str]]":
        """The commits that a command printed, without those that it certainly made elsewhere, which are kept apart."""
        far = [step for step in away if step.verb in _COMMITTING]
        if not far or any(step.verb in _COMMITTING for step in asked):
            return list(result.commits)  # of several nobody knows which is whose
        place = result.line, result.source, result.uuid
        self.elsewhere += [CommitFact(digest, subject, *place) for digest, subject in result.commits]
        return []

    def _add(self, result: parts.Result, made: "list[tuple[str, str]]", amended: int, folder: str) -> None:
        for number, (digest, subject) in enumerate(made):
            if number >= len(made) - amended:
                self._drop(1, result.source, "amended", result.line)
            fact = CommitFact(digest, subject, result.line, result.source, result.uuid)
            fact.folder = folder
            self._keep(fact)

    def _move_away(self) -> None:
        """Sorts out the commits of which it is shown only now that they were made elsewhere."""
        for fact in self.made[-_MOST_SORTED:]:
            if not fact.gone and self.places.is_elsewhere(fact.folder, fact.source, ""):
                self.made.remove(fact)
                self.elsewhere.append(fact)
                for kept in (self._standing, self._firm):
                    kept[fact.source] = [one for one in kept.get(fact.source, ()) if one is not fact]

    def _keep(self, fact: CommitFact) -> None:
        self.made.append(fact)
        self._names[fact.digest[:7]] = fact
        if not fact.logged:
            self._firm.setdefault(fact.source, []).append(fact)
            self._standing.setdefault(fact.source, []).append(fact)

    def _drop(self, count: int, source: str, why: str, line: int, *, kept: bool = False) -> None:
        standing = self._standing.get(source, [])
        while count and standing:
            fact = standing.pop()
            count -= not fact.gone
            if not fact.gone:
                fact.gone, fact.gone_at, fact.left_at = why, 0 if kept else line, line

    def _doubt(self, step: Asked, result: parts.Result) -> None:
        if "--abort" in step.options:
            return
        for fact in self._firm.pop(result.source, ()):
            if fact.gone:
                continue
            fact.rebased = True
            fact.left_at = result.line
            self._doubted.setdefault(fact.subject, []).append(fact)

    def _read_log(self, command: str, result: parts.Result) -> None:
        fresh = self._find_new(command, result.logged)
        found: list[CommitFact] = []
        for number, (digest, subject) in enumerate(result.logged):
            known = self._names.get(digest[:7])
            if known is not None:
                if known.rebased:
                    known.rebased, known.left_at = False, 0
                    self._doubted[known.subject].remove(known)
                    self._firm.setdefault(known.source, []).append(known)
                continue
            before = self._find_renamed(subject)
            own = before is not None or (bool(self._silent) and self._is_own(subject))
            if own or number < fresh:
                found.append(CommitFact(digest, subject, result.line, result.source, result.uuid, logged=not own))
        for fact in found[::-1]:
            self._keep(fact)

    def _find_renamed(self, subject: str) -> CommitFact | None:
        """The commit that a log shows under another name since a rebase, which no longer stands under its own."""
        doubted = self._doubted.get(subject) if len(subject) >= _TELLING else None
        if not doubted:
            return None
        fact = doubted.pop()
        fact.gone, fact.rebased = fact.gone or "rebased", False
        return fact

    def _find_new(self, command: str, logged: "tuple[tuple[str, str], ...]") -> int:
        """How many of the first commits of a log are new since the session's first one."""
        if self._moved or not _is_whole_log(command):
            return 0
        if not self._began:
            self._began = logged[0][0]
            return 0
        if ".." in command:
            since = (f" {self._began[:7]}..HEAD", f" {self._began}..HEAD")
            return len(logged) if any(f"{words} " in f"{command} " for words in since) else 0
        return next((at for at, (digest, _) in enumerate(logged) if is_same_commit(digest, self._began)), 0)

    def _is_own(self, subject: str) -> bool:
        if subject.startswith("Merge ") and "'" in subject:
            name = subject.split("'", 2)[1]
            return any("merge" in command and name in command.split() for command in self._silent)
        self._told = self._told or "\n".join(self._silent)
        return len(subject) >= _TELLING and subject in self._told


def _is_whole_log(command: str) -> bool:
    """Whether a command lists the branch itself: behind `log` stand options, and no other branch or file."""
    if any(words in command for words in _ELSEWHERE):
        return False
    for word in command.partition(" log")[2].split():
        if word in _ENDS or word.startswith(("2>", ">", "|")):
            return True
        named = not word.startswith("-") and not word.isdigit() and word != "HEAD" and not word.endswith("..HEAD")
        if named or word == "--":
            return False
    return True


def is_same_commit(one: str, other: str) -> bool:
    """Whether two names, perhaps shortened, are of one commit."""
    return one.startswith(other) or other.startswith(one)


def find_committed(commits: "Sequence[CommitFact]", line: int) -> int:
    """The line of the last commit before this one that it did not take back: what was changed before it stays."""
    return max((made.line for made in commits if made.line < line and not 0 < made.gone_at <= line), default=0)


def count_back(step: Asked) -> int:
    """How many commits a `git reset` takes back: none where it names files."""
    back = next((word[4:] for word in step.plain[:1] if word.startswith("HEAD")), "")
    if (len(step.plain) > 1 or "--" in step.options) and _WHOLE.isdisjoint(step.options):
        return 0
    if back.startswith("~"):
        number = back[1:]
        return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else int(not number)
    return len(back) if back == "^" * len(back) else 0


def _rebases(step: Asked) -> bool:
    return any(option == "-r" or option.startswith("--rebase") for option in step.options)
