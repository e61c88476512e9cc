"""How a session and its forks share their history."""

from collections.abc import Iterator
from dataclasses import dataclass

from thruline.disk.faults import build_disk_error
from thruline.errors import ThrulineError
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import is_stored, open_reader
from thruline.index.sessions import SessionRow
from thruline.operations.sessions.copies import Copies, drop_copies, write_stored
from thruline.operations.sessions.kept import read_kept, restore_kept
from thruline.operations.sessions.listing import list_sessions
from thruline.operations.sessions.locate import Located
from thruline.session.lineage import Branch, Trace, build_fork_tree, find_twins
from thruline.session.summary import Summary


@dataclass(frozen=True, slots=True)
class Fork:
    """One session of the tree. It left its parent behind the parent's line `at`; its own words begin at line `own`."""

    session: str
    path: str
    title: str
    turns: int
    at: int
    own: int
    shared: int
    sure: bool
    asked: bool
    children: tuple["Fork", ...]


@dataclass(frozen=True, slots=True)
class ForkTree:
    """The tree that holds the session asked for, and prompts that stand in two of its files under different ids."""

    root: Fork
    twins: tuple[tuple[str, int, str, int], ...]


def find_forks(located: Located) -> ForkTree:
    """The tree of the sessions that share records with this one, among those of the same folder and client."""
    traces: dict[str, Trace] = {}
    titles: dict[str, tuple[str, int]] = {}
    shown: dict[str, str] = {}
    for path, original in _open_family(located):
        shown[path] = original
        reader = open_reader(located.harness, path)
        summary = Summary()
        try:
            for found in reader.blocks():
                summary.see_all(found)
        except OSError as error:
            if path in located.files:
                raise build_disk_error(error, "read", shown[path]) from None
            continue  # a relative that vanished or is closed to us: the tree is drawn without it
        traces[path] = reader.trace()
        titles[path] = (summary.title or summary.first_prompt, summary.turns)
    trees = build_fork_tree(traces.values())
    asked = located.files[0]
    root = next((tree for tree in trees if asked in _paths(tree)), None)
    if root is None:  # a session without one record: nothing can share its history
        title, turns = titles[asked]
        return ForkTree(Fork(located.session_id, shown[asked], title, turns, 0, 0, 0, True, True, ()), ())
    family = _paths(root)
    twins = find_twins(trace for path, trace in traces.items() if path in family)
    told = tuple((shown[path], line, shown[other], other_line) for path, line, other, other_line in twins)
    return ForkTree(_build(shown, root, titles, asked), told)


def _open_family(located: Located) -> Iterator[tuple[str, str]]:
    """The session and those that may be related: where each can be read, until the next is asked for, and its path."""
    for path in located.files:
        yield path, located.shown(path)
    found = list_sessions(harness=located.harness.name)
    asked = {located.shown(path) for path in located.files}
    folder = next((row.cwd for row in found.rows if row.path in asked), "")
    for row in found.rows:
        if not folder or row.cwd != folder or row.path in asked:
            continue
        try:
            copies = _copy(located.harness, row, kept=row.path in found.kept)
        except ThrulineError:
            continue  # as above: the tree is drawn without it
        yield copies.files[0] if copies is not None else row.path, row.path
        if copies is not None:
            drop_copies(copies)


def _copy(harness: Harness, row: SessionRow, *, kept: bool) -> Copies | None:
    """What has to be written out to be read: of the ark, or of the client's store; None for a file of lines."""
    if kept:
        entry = read_kept(harness, row.session_id)
        return restore_kept(entry, row.path, only={row.path}) if entry is not None else None
    return write_stored(harness, row.path) if is_stored(harness, row.path) else None


def _paths(branch: Branch) -> set[str]:
    return {branch.trace.path}.union(*(_paths(child) for child in branch.children))


def _build(shown: dict[str, str], branch: Branch, titles: dict[str, tuple[str, int]], asked: str) -> Fork:
    title, turns = titles[branch.trace.path]
    return Fork(
        session=branch.trace.session_id,
        path=shown[branch.trace.path],
        title=title,
        turns=turns,
        at=branch.at,
        own=branch.own,
        shared=branch.shared,
        sure=branch.sure,
        asked=branch.trace.path == asked,
        children=tuple(_build(shown, child, titles, asked) for child in branch.children),
    )


def render_forks(tree: ForkTree) -> str:
    """The tree as text, one session a line."""
    lines = _render(tree.root, "", "")
    if not tree.root.children:
        lines.append("No other session of this project shares records with it.")
    for path, line, other, other_line in tree.twins:
        lines.append(f"the same prompt under two ids: {path}:{line} and {other}:{other_line}")
    return "\n".join(lines) + "\n"


def _render(fork: Fork, first: str, rest: str) -> list[str]:
    mark = "▶ " if fork.asked else ""
    left = ""
    if fork.shared:
        left = f"  left behind L{fork.at}, {fork.shared} records shared" + ("" if fork.sure else " (inferred)")
    turns = "1 turn" if fork.turns == 1 else f"{fork.turns} turns"
    lines = [f"{first}{mark}{fork.session}  {turns}  {fork.title[:60]}{left}"]
    for number, child in enumerate(fork.children):
        last = number == len(fork.children) - 1
        lines += _render(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
    return lines
