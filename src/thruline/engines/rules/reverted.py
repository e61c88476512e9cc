"""Files that a session changed and put back: by git, or by edits that undid each other.

Only what is certain: a file that was changed before the last commit is not put back by a `git checkout` after it, a
file that git does not know yet is not put back at all, and what was stashed is only once the stash was dropped.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import partial

from thruline.engines.rules.material import Material
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.commits import find_committed
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger
from thruline.session.put_back import ALL, Files, PutBack, find_put_back
from thruline.session.runs import runs_git
from thruline.session.stashed import find_dropped, is_whole
from thruline.session.stashes import TAKEN
from thruline.signals.signal import Signal
from thruline.value import dataclass

_MADE = compile_later(r"L(\d+)")


@dataclass(frozen=True, slots=True)
class Undoing:
    """Changes of `paths`, made at or after line `made`, that were put back at `line`."""

    made: int
    line: int
    paths: frozenset[str]


def find_undoings(ledger: Ledger, material: Material, folder: str, signals: Iterable[Signal]) -> list[Undoing]:
    """All that was made and put back, in order."""
    commits = [made for made in ledger.commits if not made.source]
    edits = _Edits(material.edits)
    files = Files(fact for fact in ledger.files.values() if not fact.source)
    found: list[Undoing] = []
    for line, back in (*_find_all(ledger, folder), *_find_aside(ledger)):
        start = find_committed(commits, line)
        own = files.find(back, partial(_may_be_back, start))
        found += _build_undoing(line, edits.find(start, line, [fact.path for fact in own]))
    for signal in signals:
        if signal.kind != "dead_end" or signal.source:
            continue
        if signal.variety == "edit_undone":
            found += _read_undone_edit(signal, edits)
        elif signal.variety == "reverted" and runs_git(signal.quote, "revert"):
            before = [made for made in commits if made.line < signal.line]
            named = [made for made in before if made.digest[:7] in signal.quote] or before[-1:]
            for gone in named[-1:]:
                start = max((made.line for made in commits if made.line < gone.line), default=0)
                found += _build_undoing(signal.line, edits.find(start, gone.line + 1))
    return sorted(found, key=lambda one: one.line)


class _Edits:
    """The edits of a session by path: a session of thousands that undo each other asks for them as often."""

    def __init__(self, edits: Iterable[tuple[int, str]]) -> None:
        self.lines: dict[str, list[int]] = {}
        for line, path in sorted(edits):
            self.lines.setdefault(path, []).append(line)

    def find(self, start: int, end: int, paths: Iterable[str] | None = None) -> list[tuple[int, str]]:
        """The first edit between two lines of each of these paths, or of all, in order."""
        firsts = ((path, self.lines.get(path, ())) for path in (self.lines if paths is None else set(paths)))
        told = [(path, lines, bisect_right(lines, start)) for path, lines in firsts]
        return sorted((lines[at], path) for path, lines, at in told if at < len(lines) and lines[at] < end)


def _read_undone_edit(signal: Signal, edits: _Edits) -> list[Undoing]:
    """The edit that was put back, where nothing else was changed in its file meanwhile."""
    made = _MADE.search(signal.about)
    lines = edits.lines.get(signal.quote, [])
    end = bisect_left(lines, signal.line)
    if made is None or end - bisect_right(lines, int(made[1]), 0, end) != 1:
        return []
    return _build_undoing(signal.line, [(lines[end - 1], signal.quote)])


def _build_undoing(line: int, edits: list[tuple[int, str]]) -> list[Undoing]:
    return [Undoing(edits[0][0], line, frozenset(path for _, path in edits))] if edits else []


def find_reverted(ledger: Ledger, folder: str) -> dict[str, int]:
    """The paths that are as they were before the session, with the line where they were put back."""
    found: dict[str, int] = {}
    commits = [made for made in ledger.commits if not made.source]
    files = Files(fact for fact in ledger.files.values() if not fact.source and _is_known(fact))
    for line, back in _find_all(ledger, folder):
        committed = find_committed(commits, line)
        own = files.find(back, partial(_changed_between, committed, line))
        found |= {fact.path: line for fact in own if not fact.came or _is_moved_back(back)}
    for stash, lies in find_dropped(ledger):
        found |= {fact.path: stash.end for fact in lies if is_whole(stash, fact)}
    undone = [(ledger.files[path], line) for path, line in ledger.edits.undone.items()]
    return found | {
        fact.path: line
        for fact, line in undone
        if not fact.source and _is_known(fact) and ledger.edits.is_back(fact.path, fact.changes)
    }


def puts_back_own(command: str, line: int, ledger: Ledger, folder: str) -> bool:
    """Whether a command puts back a file that the session had changed before this line, not somebody else's."""
    known = ledger.commands.get(command)
    here = known.folder if known is not None else ""
    backs = list(find_put_back(command, here or folder))
    own = (fact for fact in ledger.files.values() if not fact.source and fact.first <= line and fact.how != ["read"])
    files = Files(own if backs else ())
    return any(files.find(one, bool) for one in backs)


def _is_known(fact: FileFact) -> bool:
    """Whether git had the file before: it was edited or deleted, not made by the session."""
    return bool(fact.changes) and not fact.new and not fact.unsure


def _is_moved_back(back: PutBack) -> bool:
    """Whether a file that was moved is put back too: where git moved it, or what it was moved from, is nowhere else."""
    return back.hard and back.names == ALL


def _may_be_back(start: int, fact: FileFact) -> bool:
    return _is_known(fact) or fact.first <= start


def _changed_between(start: int, end: int, fact: FileFact) -> bool:
    return start < fact.first <= fact.last <= end


def _find_all(ledger: Ledger, folder: str) -> Iterator[tuple[int, PutBack]]:
    """What commands put back, in their order, with their lines."""
    ran = [each for each in ledger.commands.values() if each.outcome == parts.OK and not each.source]
    for each in sorted(ran, key=lambda each: each.line):
        for one in find_put_back(each.command, each.folder or folder):
            yield each.line, one


def _find_aside(ledger: Ledger) -> Iterator[tuple[int, PutBack]]:
    """What was stashed and not taken out again: it is out of the way, wherever it lies."""
    for stash in ledger.stashes.all:
        if stash.back is not None and stash.fate != TAKEN and not stash.source:
            yield stash.line, stash.back
