"""What a session did, held against what a brief states of it: folded from the transcript beside the evidence."""

from collections.abc import Callable, Iterable

from thruline.brief import pulls
from thruline.brief.names import encode_name
from thruline.brief.pointer import decode_path
from thruline.brief.quote import CUT
from thruline.brief.stated import (
    COMMITTED,
    CREATED,
    DELETED,
    EDITED,
    KEPT,
    LOGGED,
    MERGED,
    NO_FILE,
    OPENED,
    PULLED,
    PUSHED,
    RAN,
    TOUCHED,
    Fact,
)
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.aside import Aside
from thruline.session.commits import CommitFact, is_same_commit
from thruline.session.ledger import Ledger
from thruline.session.pushes import find_push

_REDACTED = compile_later(r"\[redacted:[^\]]*\]")
# What must have happened to a file that is said to be created, edited, deleted; of others any change will do.
_HOW = {CREATED: (CREATED,), EDITED: (EDITED, CREATED), DELETED: (DELETED,)}


class Done:
    """Give it each part with `see`; `has` tells at the end. `name_command` makes of a command what a brief shows.

    What subagents did is in transcripts of their own, which are read where `wants_aside`, with `see_aside`.
    """

    def __init__(self, facts: Iterable[Fact], name_command: Callable[[str], str]) -> None:
        stated = list(facts)
        self._name_command = name_command
        self._wanted = {fact.name for fact in stated if fact.kind == RAN}
        self._named = {_find_mention(fact) for fact in stated if fact.kind not in NO_FILE} - {""}
        self._opened: set[str] = set()
        self._merged: set[str] = set()
        self._pulls: dict[str, int] = {}  # what was done to each is worth
        self.wants_aside = any(fact.aside for fact in stated)
        self._aside = Aside()
        self._ran: set[str] = set()
        self._mentioned: set[str] = set()
        self._calls: dict[str, str] = {}
        self._ledger = Ledger()

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        if isinstance(part, parts.Call):
            if part.action == "run":
                self._calls[part.call_id] = part.target
        elif isinstance(part, parts.Result):
            command = self._calls.pop(part.call_id, "")
            if command and part.outcome == parts.OK:
                self._note(command)
        elif isinstance(part, parts.Changed) and part.name == "pull":
            self._opened.add(pulls.name_pull(part.value))
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

    def _note(self, command: str) -> None:
        for what, number in pulls.find_pulls(command):
            self._pulls[number] = self._pulls.get(number, 0) + pulls.WORTH[what]
            if what == pulls.MERGED:
                self._merged.add(number)
        self._mentioned |= {name for name in self._named - self._mentioned if name in command}
        # What a brief shows of a command begins as the command does; most are not named at all.
        head = command.split(maxsplit=1)[0] if command.strip() else ""
        if any(name.startswith(head) for name in self._wanted - self._ran):
            self._ran.add(self._name_command(command))

    def has(self, fact: Fact) -> bool | None:
        """Whether the session did this; None of a subagent whose transcript is not there."""
        if fact.kind == RAN:
            return fact.name in self._ran
        if fact.kind in (OPENED, MERGED, PULLED):
            return self._has_pull(fact)
        if fact.kind in (PUSHED, KEPT):
            state = find_push(self._ledger, self._aside.ledger)[0]
            return state == fact.kind if state else None
        if fact.kind == TOUCHED:
            having = [one for one in self._ledger.files.values() if fact.name in one.symbols]
            return any(not fact.file or _is_named(fact.file, one.path) for one in having)
        ledger = self._aside.ledger if fact.aside else self._ledger
        unknown = None if fact.aside and not self._aside.whole else False
        if fact.kind in (COMMITTED, LOGGED):
            # Who made a commit that was only new in the log is not known; one that the session made is new in it too.
            same = [made for made in ledger.commits if is_same_commit(made.digest, fact.name)]
            return any(fact.kind == LOGGED or not made.logged for made in same) or unknown
        how = _HOW.get(fact.kind, (CREATED, EDITED, DELETED))
        touched = [one for one in ledger.files.values() if not set(how).isdisjoint(one.how)]
        # A file that a command made or removed is known by the command alone.
        known = any(_is_named(fact.name, one.path) for one in touched)
        return known or (not fact.aside and _find_mention(fact) in self._mentioned) or unknown

    def tells(self, fact: Fact) -> bool:
        """Whether the transcript itself knows the commit that this names: git knows no better who made it."""
        return any(is_same_commit(made.digest, fact.name) for made in self._ledger.commits)

    def _has_pull(self, fact: Fact) -> bool:
        if fact.kind == OPENED:
            return fact.name in self._opened
        if fact.kind == MERGED:
            return fact.name in self._merged
        known = fact.name in self._opened or fact.name in self._merged
        return known or self._pulls.get(fact.name, 0) >= pulls.LEAST_WORK

    @property
    def commits(self) -> list[CommitFact]:
        """The commits that it made, the oldest first."""
        return self._ledger.commits


def _find_mention(fact: Fact) -> str:
    """What a command must name: in a sentence a file may be called by its last part."""
    name = decode_path(fact.name)
    return name if fact.listed else name.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_named(shown: str, path: str) -> bool:
    """Whether a brief may call the file at `path` this: by the last parts of the path."""
    whole = "/" + path.replace("\\", "/").removeprefix("./").lstrip("/")
    if shown.startswith(CUT) and not shown.startswith(f"{CUT}/"):
        # A long name lost its beginning, maybe in the middle of an encoded sign.
        return encode_name(whole.rpartition("/")[2]).endswith(shown[len(CUT) :].rpartition("/")[2])
    bare = shown.removeprefix(f"{CUT}/")
    for name in (bare, decode_path(bare)):
        name = name.replace("\\", "/")
        if whole.endswith("/" + name.lstrip("/")):
            return True
    pieces = _REDACTED.split(bare)
    return len(pieces) > 1 and _are_in_order(pieces, whole)


def _are_in_order(pieces: list[str], text: str) -> bool:
    at = 0
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
