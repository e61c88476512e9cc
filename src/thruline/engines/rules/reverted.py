"""Files that a session changed and put back: by git, or by edits that undid each other.

Only what is certain: a file that was changed before the last commit is not put back by a `git checkout` after it, a
file that git does not know yet is not put back at all, and a stash that was taken up again put nothing back.
"""

from collections.abc import Iterable, Iterator

from thruline.engines.rules.material import Material
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.commands import parse_steps
from thruline.session.ledger import FileFact, Ledger
from thruline.session.runs import runs_git
from thruline.signals.signal import Signal
from thruline.value import dataclass

# All that is not committed, instead of names.
_ALL = ("*",)
_WHOLE = frozenset((".", ":/", "./", "*"))
_KEPT_ASIDE = frozenset(("push", "save"))
_PUTTING_BACK = ("restore", "checkout", "reset", "stash")
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
    found: list[Undoing] = []
    for line, names in _find_put_back(ledger):
        start = max((made.line for made in commits if made.line < line), default=0)
        files = [fact for fact in ledger.files.values() if not fact.source]
        own = [fact for fact in files if _is_known(fact) or fact.first <= start]
        edits = [(at, path) for at, path in material.edits if start < at < line]
        paths = {fact.path for fact in own if names == _ALL or _is_named(fact.path, names, folder, own)}
        found += _build_undoing(line, [(at, path) for at, path in edits if path in paths])
    for signal in signals:
        if signal.kind != "dead_end" or signal.source:
            continue
        if signal.variety == "edit_undone":
            found += _read_undone_edit(signal, material)
        elif signal.variety == "reverted" and runs_git(signal.quote, "revert"):
            before = [made for made in commits if made.line < signal.line]
            named = [made for made in before if made.digest[:7] in signal.quote] or before[-1:]
            for gone in named[-1:]:
                start = max((made.line for made in commits if made.line < gone.line), default=0)
                edits = [(at, path) for at, path in material.edits if start < at <= gone.line]
                found += _build_undoing(signal.line, edits)
    return sorted(found, key=lambda one: one.line)


def _read_undone_edit(signal: Signal, material: Material) -> list[Undoing]:
    """The edit that was put back, where nothing else was changed in its file meanwhile."""
    made = _MADE.search(signal.about)
    edits = [(at, path) for at, path in material.edits if path == signal.quote and at < signal.line]
    if made is None or len([at for at, _ in edits if at > int(made[1])]) != 1:
        return []
    return _build_undoing(signal.line, edits[-1:])


def _build_undoing(line: int, edits: list[tuple[int, str]]) -> list[Undoing]:
    return [Undoing(edits[0][0], line, frozenset(path for _, path in edits))] if edits else []


def find_reverted(ledger: Ledger, folder: str, signals: Iterable[Signal] = ()) -> dict[str, int]:
    """The paths that are as they were before the session, with the line where they were put back."""
    found: dict[str, int] = {}
    commits = [made.line for made in ledger.commits if not made.source]
    for line, names in _find_put_back(ledger):
        committed = max((each for each in commits if each < line), default=0)
        own = [
            fact
            for fact in ledger.files.values()
            if not fact.source and committed < fact.first <= fact.last <= line and _is_known(fact)
        ]
        found |= {fact.path: line for fact in own if names == _ALL or _is_named(fact.path, names, folder, own)}
    undone: dict[str, list[int]] = {}
    for signal in signals:
        if signal.kind == "dead_end" and signal.variety == "edit_undone" and not signal.source:
            undone.setdefault(signal.quote, []).append(signal.line)
    for path, lines in undone.items():
        fact = ledger.files.get(path)
        if fact is not None and fact.changes == 2 * len(lines) and _is_known(fact):
            found[path] = lines[-1]
    return found


def puts_back_own(command: str, line: int, ledger: Ledger, folder: str) -> bool:
    """Whether a command puts back a file that the session had changed before this line, not somebody else's."""
    own = [fact for fact in ledger.files.values() if not fact.source and fact.first <= line and fact.how != ["read"]]
    for step in parse_steps(command) or ():
        names = _read_names(step.words)
        if names == _ALL and own:
            return True
        if names and any(_is_named(fact.path, names, folder, own) for fact in own):
            return True
    return False


def _is_known(fact: FileFact) -> bool:
    """Whether git had the file before: it was edited or deleted, not made by the session."""
    return "created" not in fact.how and fact.how != ["read"]


def _is_named(path: str, names: tuple[str, ...], folder: str, own: list[FileFact]) -> bool:
    for name in names:
        wanted = name.removeprefix("./").rstrip("/")
        exact = wanted if wanted.startswith("/") else f"{folder.rstrip('/')}/{wanted}"
        if path == exact or path.startswith(exact + "/"):
            return True
        # Named from a folder below the project's: only where no other file fits better.
        if path.endswith("/" + wanted) and not any(fact.path == exact for fact in own):
            return True
    return False


def _find_put_back(ledger: Ledger) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The commands that put files back, in order, with what they name."""
    ran = [each for each in ledger.commands.values() if each.outcome == parts.OK and not each.source]
    taken_up = max(
        (each.line for each in ran if "stash pop" in each.command or "stash apply" in each.command), default=0
    )
    for each in sorted(ran, key=lambda each: each.line):
        if "git" not in each.command or not any(verb in each.command for verb in _PUTTING_BACK):
            continue  # taking a line apart is dear beside looking for a word in it
        for step in parse_steps(each.command) or ():
            names = _read_names(step.words)
            # `git stash && make test; git stash pop` takes it up in the same breath.
            if names and not (step.words[1:2] == ["stash"] and each.line <= taken_up):
                yield each.line, names


def _read_names(words: list[str]) -> tuple[str, ...]:
    """What a step of git puts back: names, everything, or nothing."""
    if words[:1] != ["git"] or len(words) < 2:
        return ()
    verb, rest = words[1], words[2:]
    named = rest[rest.index("--") + 1 :] if "--" in rest else []
    plain = [word for word in rest if not word.startswith("-")]
    if verb == "restore":
        index_only = ("--staged" in rest or "-S" in rest) and not ("--worktree" in rest or "-W" in rest)
        found = [] if index_only else named or plain
    elif verb == "checkout":
        # Without the two dashes a name may be a branch; one with a dot or a slash that was changed before is a file.
        found = named or [word for word in plain if word in _WHOLE or "." in word.rsplit("/", 1)[-1]]
        found = [] if "-b" in rest or "-B" in rest else found
    elif verb == "reset":
        found = list(_ALL) if "--hard" in rest else []
    elif verb == "stash" and (not rest or rest[0].startswith("-") or rest[0] in _KEPT_ASIDE):
        found = named or list(_ALL)
    else:
        found = []
    return _ALL if any(word in _WHOLE for word in found) else tuple(found)
