"""The commits of a session, and which of them still stand.

Git prints a line for most commits. One made with `-q`, by a merge or by a script prints none: it is known by a later
log, where its subject is the one that the session gave it. What a log shows on top of the commit that the first log of
the session began with is new in the branch, whoever made it: a subagent that left no transcript, the user meanwhile.
Errs on the side of silence: after a `git pull`, a merge or a change of the branch a log may begin with anybody's work.
"""

from thruline.session import parts
from thruline.session.commands import may_commit

_TEMPORARY = ("cd /tmp", "cd /private/tmp", "cd /var/folders", "cd $TMPDIR", "-C /tmp", "init /tmp", "init -q /tmp")
# After one of these the branch holds what others did, or is another one.
_MOVING = ("git pull", "git fetch", "git merge", "git checkout", "git switch", "git rebase", "git reset", "git am")
# A log with one of these is not the log of the branch, or not in its order.
_ELSEWHERE = ("--all", "--branches", "--remotes", "--author", "--grep", "--reverse", "--since", "--until")
_ENDS = frozenset(("&&", "||", "|", ";"))
_MOST_SILENT = 40
# A subject shorter than this may stand in a command by chance.
_TELLING = 8


class CommitFact:
    """A commit that the session made. `gone` tells why it no longer stands ("" for one that does).

    A `rebased` one may have another name since. A `logged` one was on the branch when the session looked, and not when
    it looked first; who made it is not known.
    """

    __slots__ = ("digest", "gone", "line", "logged", "rebased", "source", "subject", "uuid")

    def __init__(
        self, digest: str, subject: str, line: int, source: str, uuid: str = "", *, logged: bool = False
    ) -> None:
        self.digest = digest
        self.subject = subject
        self.line = line
        self.source = source
        self.uuid = uuid
        self.gone = ""
        self.rebased = False
        self.logged = logged


class Commits:
    """Give it every command that ended, with `see`; `made` are the commits, the oldest first."""

    __slots__ = ("_began", "_moved", "_silent", "_told", "made")

    def __init__(self) -> None:
        self.made: list[CommitFact] = []
        self._silent: list[str] = []  # commands that may have made a commit, and printed no line of it
        self._told = ""  # the same, joined
        self._began = ""  # the commit that the first log began with
        self._moved = False

    def see(self, command: str, result: parts.Result) -> None:
        """Takes in a command and how it ended; "" for one that is not known."""
        if result.commits:
            if is_trial(command):
                return
            self._add(command, result)
        elif result.outcome != parts.OK or "git" not in command:
            return
        else:
            self._note(command, result)
        if result.logged:
            self._read_log(command, result)

    def _add(self, command: str, result: parts.Result) -> None:
        amended = command.count("--amend")
        for number, (digest, subject) in enumerate(result.commits):
            fact = CommitFact(digest, subject, result.line, result.source, result.uuid)
            if number >= len(result.commits) - amended:
                self._drop(1, result.source, "amended")
            self.made.append(fact)

    def _note(self, command: str, result: parts.Result) -> None:
        if may_commit(command):
            self._silent = [*self._silent[1 - _MOST_SILENT :], command]
            self._told = ""
        if "git reset" in command and "HEAD" in command:
            self._drop(_count_back(command), result.source, "reset")
        if "rebase" in command and "--abort" not in command:
            for fact in self.made:
                fact.rebased = fact.rebased or fact.source == result.source
        if not self._moved:
            self._moved = any(words in command for words in _MOVING)

    def _drop(self, count: int, source: str, why: str) -> None:
        standing = [fact for fact in self.made if fact.source == source and not fact.gone and not fact.logged]
        for fact in standing[-count:] if count else ():
            fact.gone = why

    def _read_log(self, command: str, result: parts.Result) -> None:
        fresh = self._find_new(command, result.logged)
        names = {fact.digest[:7]: fact for fact in self.made}
        found: list[CommitFact] = []
        for number, (digest, subject) in enumerate(result.logged):
            known = names.get(digest[:7])
            if known is not None:
                known.rebased = False
                continue
            own = bool(self._silent) and self._is_own(subject)
            if own or number < fresh:
                for fact in self.made:
                    if own and fact.rebased and fact.subject == subject:
                        fact.gone = "rebased"
                found.append(CommitFact(digest, subject, result.line, result.source, result.uuid, logged=not own))
        self.made += found[::-1]

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


def _count_back(command: str) -> int:
    """How many commits a `git reset` takes back."""
    at = command.find("HEAD", command.find("git reset")) + 4
    if command.startswith("~", at):
        number = command[at + 1 : at + 3].strip()
        return int(number) if number.isascii() and number.isdigit() else 1
    return len(command[at:]) - len(command[at:].lstrip("^"))


def is_trial(command: str) -> bool:
    """Whether a command line makes a repository in a temporary folder: what it commits there is not the project's."""
    if "git init" not in command:
        return False
    return "mktemp" in command or any(place + end in command + " " for place in _TEMPORARY for end in "/ ;&")
