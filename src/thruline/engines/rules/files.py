"""The files of a session as a brief names them: relative to the project, by what became of them."""

from collections.abc import Container, Iterable, Mapping

from thruline.engines.rules.reverted import find_reverted
from thruline.session.aside import Aside
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger
from thruline.session.stashed import find_stashed, is_whole
from thruline.value import dataclass, replace

# Where clients and people put the worktrees of a project.
_WORKTREE = "worktree"
CREATED, EDITED, DELETED, REVERTED, GONE = "created", "edited", "deleted", "reverted", "gone"
STASHED, MOVED, WRITTEN = "stashed", "moved", "written"
_THERE = frozenset((CREATED, EDITED, WRITTEN))


@dataclass(frozen=True, slots=True)
class Touched:
    """One file that the session changed.

    `how` is created, edited, deleted, `reverted` (as it was before the session), `stashed` (the same, but its work lies
    in a stash), `gone` (made and removed again), `written` (by a command: whether it was there before is not known) or
    `moved`. One that was moved has its name of before in `came` and the line of the move in `moved_at`, whatever else
    was done to it. `first` is the line of the first change of one that is there, `line` that of the last.
    """

    path: str
    name: str
    how: str
    line: int
    touches: int
    source: str = ""
    came: str = ""
    moved_at: int = 0
    first: int = 0


def find_touched(ledger: Ledger, folder: str) -> list[Touched]:
    """Every file the session changed, the most worked on first; files of the project before others."""
    reverted = {path: (REVERTED, line) for path, line in find_reverted(ledger, folder).items()}
    for stash, lies in find_stashed(ledger):
        reverted |= {fact.path: (STASHED, stash.line) for fact in lies if is_whole(stash, fact)}
    found = [_judge(fact, folder, reverted) for fact in ledger.files.values()]
    kept = [touched for touched in found if touched is not None]
    return sorted(kept, key=lambda touched: (is_outside(touched.name), -touched.touches, touched.line))


def find_touched_aside(aside: Aside, own: Iterable[Touched], folder: str) -> list[Touched]:
    """Every file that subagents changed and the session itself did not, named as in the project, not its worktree."""
    found = find_touched(aside.ledger, folder)
    # The folder of the session may be a worktree as well.
    began = {one.replace("\\", "/").rstrip("/") for one in set(aside.folders.values()) if _WORKTREE in one.lower()}
    trees = {tree for tree in began if len(tree) > len(folder)}
    named = [_rename(each, _find_tree(each.path, trees) or folder, aside.ledger) for each in found]
    known = {each.name for each in own}
    return list({each.name: each for each in reversed(named) if each.name not in known}.values())[::-1]


def _rename(each: Touched, tree: str, ledger: Ledger) -> Touched:
    """The file under the name that it has in its tree, and had there."""
    came = shorten_path(ledger.files[each.path].came, tree) if each.came else ""
    return replace(each, name=shorten_path(each.path, tree), came=came)


def _find_tree(path: str, trees: Container[str]) -> str:
    """The worktree, of those that subagents were started in, that the file is in; the innermost of several."""
    above = path.replace("\\", "/").rpartition("/")[0]
    while above:
        if above in trees:
            return path[: len(above)]
        above = above.rpartition("/")[0]
    return ""


def _judge(fact: FileFact, folder: str, back: Mapping[str, tuple[str, int]]) -> Touched | None:
    verdict = fact.judge()
    if not verdict:
        return None
    verdict, line = back.get(fact.path, (verdict, fact.last))
    if verdict == WRITTEN and is_outside(shorten_path(fact.path, folder)):
        return None  # what a command printed, kept for a while
    if not fact.came:
        first = fact.first if verdict in _THERE else 0
        return Touched(
            fact.path, shorten_path(fact.path, folder), verdict, line, fact.touches, fact.source, first=first
        )
    if fact.path in back:  # it lies where it lay, under its old name
        by_hand = verdict == REVERTED and not fact.by_git
        came = Touched(fact.came, shorten_path(fact.came, folder), verdict, line, fact.touches, fact.source)
        return None if by_hand else came
    names = shorten_path(fact.path, folder), shorten_path(fact.came, folder)
    first = fact.first if verdict in _THERE else 0
    return Touched(fact.path, names[0], verdict, line, fact.touches, fact.source, names[1], fact.moved, first)


def is_outside(name: str) -> bool:
    """Whether a name that a brief gives to a file is of one outside the project."""
    return name.startswith(("/", "~", "…", "../"))


def shorten_path(path: str, folder: str) -> str:
    """`path` relative to the project; one outside it by its last parts."""
    root = folder.rstrip("/\\")
    for separator in ("/", "\\"):
        if root and path.startswith(root + separator):
            return path[len(root) + 1 :]
    path = path.removeprefix("./")
    if not path.startswith(("/", "~")):
        return path
    parts = path.split("/")
    return path if len(parts) <= 4 else "…/" + "/".join(parts[-3:])


def group_names(names: list[str]) -> list[str]:
    """Names with the folder that several share told once: `src/ui/{a.ts, b.ts}`; the order of first mention stays."""
    groups: dict[str, list[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        groups.setdefault(folder, []).append(file)
    shown = []
    for folder, files in groups.items():
        at = f"{folder}/" if folder else ""
        shown += [f"{at}{{{', '.join(files)}}}"] if folder and len(files) > 1 else [at + file for file in files]
    return shown


def shorten_call(about: str, folder: str) -> str:
    """A call as a person would name it: its path relative to the project."""
    name, _, target = about.partition(" ")
    return f"{name} {shorten_path(target, folder)}" if target.startswith("/") and " " not in target else about
