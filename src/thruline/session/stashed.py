"""Which files of a session lie in a stash that was not taken out again, or went with one that was dropped.

Only what is certain: a file that was changed before the last commit, or after the stash, is not told; nor is one that
git did not know, unless it was asked to take such files along.
"""

from functools import partial

from thruline.session.commits import find_committed
from thruline.session.put_back import Files
from thruline.session.stashes import DROPPED, KEPT, Stash

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from thruline.session.files import FileFact
    from thruline.session.ledger import Ledger


def find_stashed(ledger: "Ledger") -> "list[tuple[Stash, list[FileFact]]]":
    """Each stash that is there still, with the files whose work lies in it, the oldest first."""
    return _find(ledger, KEPT)


def find_dropped(ledger: "Ledger") -> "list[tuple[Stash, list[FileFact]]]":
    """Each stash that was dropped, with the files whose work went with it."""
    return _find(ledger, DROPPED)


def is_whole(stash: Stash, fact: "FileFact") -> bool:
    """Whether all that the session did to a file lies in a stash: nothing was changed in it afterwards."""
    return fact.last <= stash.line


def find_lay(fact: "FileFact") -> str:
    """Where a file lay before the session: what was moved, and stashed then, lies there again."""
    return fact.came or fact.path


def _find(ledger: "Ledger", fate: str) -> "list[tuple[Stash, list[FileFact]]]":
    stashes = [(stash, stash.back) for stash in ledger.stashes.all if not stash.source]
    if not any(stash.fate == fate and back is not None for stash, back in stashes):
        return []
    commits = [made for made in ledger.commits if not made.source]
    files = Files(fact for fact in ledger.files.values() if not fact.source and fact.changes)
    found: list[tuple[Stash, list[FileFact]]] = []
    holding: dict[str, Stash] = {}  # the last stash that a file went into
    for stash, back in stashes:
        start = find_committed(commits, stash.line)
        # With what is staged kept in place, only what was changed after the last `git add` is certainly out of the way.
        start = max(start, ledger.find_staged(stash.line)) if stash.keeps else start
        lies = files.find(back, partial(_is_in, stash, start)) if back is not None else []
        lies = [fact for fact in lies if not _is_away(fact, holding.get(fact.path), stash)]
        holding |= dict.fromkeys([fact.path for fact in lies], stash)
        if lies and stash.fate == fate:
            found.append((stash, lies))
    return found


def _is_in(stash: Stash, start: int, fact: "FileFact") -> bool:
    known = not (fact.new or fact.unsure) or stash.untracked
    # What was moved by hand is two files for git: one that is missing, and one that it does not know.
    moved = fact.came and not fact.by_git
    return known and not moved and fact.judge() != "" and start < fact.first <= stash.line


def _is_away(fact: "FileFact", held: Stash | None, stash: Stash) -> bool:
    """Whether the work on a file lay in an earlier stash when this one was made."""
    return held is not None and fact.last <= held.line and not 0 < held.end <= stash.line
