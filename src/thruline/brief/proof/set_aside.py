"""Work that a session left somewhere else than in its files: in a stash, or on a remote alone."""

from thruline.brief.claims.called import is_called
from thruline.brief.claims.stated import Fact
from thruline.brief.proof.placed import is_at
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger
from thruline.session.pushes import find_pushed_away
from thruline.session.stashed import find_lay, find_stashed, is_whole
from thruline.session.stashes import Stash

# Git shortens no name of a commit further, unless it was told to.
_SHORTEST = 7


class SetAside:
    """Asked at the end, when all of the session is in the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._stashed: list[tuple[Stash, list[FileFact]]] | None = None
        self._paths: set[str] = set()

    def is_stashed(self, fact: Fact) -> bool:
        """Whether such a file lies in the stash that a claim points at, and so many lie there."""
        there = [files for stash, files in self._find_stashed() if is_at(fact, stash.line)]
        return any(fact.count <= len(files) and _names(fact.name, files) for files in there)

    def is_pushed_away(self, fact: Fact, folder: str, branches: list[tuple[int, str]]) -> bool:
        """Whether such a commit was pushed and is no longer on the branch, and so many are."""
        away, push = find_pushed_away(self._ledger, None, folder, branches)
        there = any(is_at(fact, line) for one in away for line in (one.line, push, one.left_at))
        named = any(len(fact.name) >= _SHORTEST and one.digest.startswith(fact.name) for one in away)
        return there and named and fact.count <= len(away)

    def has(self, file: FileFact) -> bool:
        """Whether all that the session did to a file lies in a stash."""
        return bool(self._find_stashed()) and not file.source and file.path in self._paths

    def _find_stashed(self) -> list[tuple[Stash, list[FileFact]]]:
        if self._stashed is None:
            self._stashed = find_stashed(self._ledger)
            self._paths = {find_lay(one) for stash, files in self._stashed for one in files if is_whole(stash, one)}
        return self._stashed


def _names(name: str, files: list[FileFact]) -> bool:
    return any(is_called(name, find_lay(one)) for one in files)
