"""What a session did, held against what a brief states of it: folded from the transcript beside the evidence."""

from collections.abc import Callable, Iterable

from thruline.brief.pointer import decode_path
from thruline.brief.stated import COMMITTED, CREATED, DELETED, EDITED, RAN, Fact
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.ledger import CommitFact, Ledger

_REDACTED = compile_later(r"\[redacted:[^\]]*\]")
# What must have happened to a file that is said to be created, edited, deleted; of others any change will do.
_HOW = {CREATED: (CREATED,), EDITED: (EDITED, CREATED), DELETED: (DELETED,)}


class Done:
    """Give it each part with `see`; `has` tells at the end. `name_command` makes of a command what a brief shows."""

    def __init__(self, facts: Iterable[Fact], name_command: Callable[[str], str]) -> None:
        stated = list(facts)
        self._name_command = name_command
        self._wanted = {fact.name for fact in stated if fact.kind == RAN}
        self._named = {_find_mention(fact) for fact in stated if fact.kind not in (RAN, COMMITTED)} - {""}
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
        else:
            return
        self._ledger.see(part)

    def _note(self, command: str) -> None:
        self._mentioned |= {name for name in self._named - self._mentioned if name in command}
        # What a brief shows of a command begins as the command does; most are not named at all.
        head = command.split(maxsplit=1)[0] if command.strip() else ""
        if any(name.startswith(head) for name in self._wanted - self._ran):
            self._ran.add(self._name_command(command))

    def has(self, fact: Fact) -> bool:
        """Whether the session did this."""
        if fact.kind == RAN:
            return fact.name in self._ran
        if fact.kind == COMMITTED:
            return any(made.digest.startswith(fact.name) or fact.name.startswith(made.digest) for made in self.commits)
        how = _HOW.get(fact.kind, (CREATED, EDITED, DELETED))
        touched = [one for one in self._ledger.files.values() if not set(how).isdisjoint(one.how)]
        # A file that a command made or removed is known by the command alone.
        return any(_is_named(fact.name, one.path) for one in touched) or _find_mention(fact) in self._mentioned

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
    bare = shown.removeprefix("…/")
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
