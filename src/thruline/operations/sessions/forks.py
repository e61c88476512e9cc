"""How a session and its forks share their history."""

from dataclasses import dataclass

from thruline.disk.faults import build_disk_error
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_session_id, open_reader
from thruline.operations.sessions.family import Family
from thruline.operations.sessions.locate import Located
from thruline.session.lineage import Branch, Trace, build_fork_tree, find_copies, find_twins
from thruline.session.names import is_id
from thruline.session.summary import Summary


@dataclass(frozen=True, slots=True)
class Copy:
    """Another file of the same session, and how many of its records it has."""

    path: str
    records: int


@dataclass(frozen=True, slots=True)
class Fork:
    """One session of the tree. It left its parent after the parent's line `at`; its own words begin at line `own`."""

    session: str
    path: str
    title: str
    turns: int
    records: int
    at: int
    own: int
    shared: int
    sure: bool
    asked: bool
    copies: tuple[Copy, ...]
    children: tuple["Fork", ...]


@dataclass(frozen=True, slots=True)
class ForkTree:
    """The tree that holds the session asked for, and prompts that stand in two of its files under different ids.

    `unread` are files that may belong to it and could not be read, each with the reason.
    """

    root: Fork
    twins: tuple[tuple[str, int, str, int], ...]
    unread: tuple[tuple[str, str], ...]


def find_forks(located: Located) -> ForkTree:
    """The tree of the sessions that share records with this one, among those of the same folder and client."""
    drawing = _Drawing(located.harness, located.files[0])
    family = Family(located)
    for path, original in family:
        reader = open_reader(located.harness, path)
        summary = Summary()
        try:
            for found in reader.blocks():
                summary.see_all(found)
        except OSError as error:
            if path in located.files:
                raise build_disk_error(error, "read", original) from None
            family.unread.append((original, error.strerror or str(error)))
            continue
        if path in located.files or not summary.starter:  # a subagent is no session of its own
            drawing.add(reader.trace(), summary, original)
    root = drawing.build_root(located.session_id)
    return ForkTree(root, drawing.find_twins(root), tuple(family.unread))


class _Drawing:
    """What was read of a family, and the tree of it."""

    def __init__(self, harness: Harness, asked: str) -> None:
        self.harness = harness
        self.asked = asked
        self.traces: dict[str, Trace] = {}
        self.titles: dict[str, tuple[str, int]] = {}
        self.shown: dict[str, str] = {}
        self.copies: dict[str, str] = {}

    def add(self, trace: Trace, summary: Summary, original: str) -> None:
        self.traces[trace.path] = trace
        self.titles[trace.path] = (summary.title or summary.first_prompt, summary.turns)
        self.shown[trace.path] = original

    def build_root(self, session_id: str) -> Fork:
        """The session at the root of the tree that holds the one asked for."""
        self.copies = find_copies(self.traces.values())
        asked = self.copies.get(self.asked, self.asked)
        trees = build_fork_tree(trace for path, trace in self.traces.items() if path not in self.copies)
        for tree in trees:
            if asked in _paths(tree):
                return self._build(tree)
        # A session without one record: nothing can share its history.
        title, turns = self.titles[asked]
        return Fork(session_id, self.shown[asked], title, turns, 0, 0, 0, 0, True, True, (), ())

    def _build(self, branch: Branch) -> Fork:
        path = branch.trace.path
        title, turns = self.titles[path]
        others = [other for other, whole in self.copies.items() if whole == path]
        return Fork(
            session=_name(self.harness, branch.trace.session_id, self.shown[path]),
            path=self.shown[path],
            title=title,
            turns=turns,
            records=len(branch.trace.keys),
            at=branch.at,
            own=branch.own,
            shared=branch.shared,
            sure=branch.sure,
            asked=self.asked in (path, *others),
            copies=tuple(Copy(self.shown[other], len(self.traces[other].keys)) for other in others),
            children=tuple(self._build(child) for child in branch.children),
        )

    def find_twins(self, root: Fork) -> tuple[tuple[str, int, str, int], ...]:
        """Prompts of the tree that stand in two files under different ids."""
        family = set(_list_paths(root))
        traces = [trace for path, trace in self.traces.items() if self.shown[path] in family]
        return tuple((self.shown[path], at, self.shown[other], there) for path, at, other, there in find_twins(traces))


def _name(harness: Harness, told: str, path: str) -> str:
    return told if is_id(told) else find_session_id(harness, path)


def _paths(branch: Branch) -> set[str]:
    return {branch.trace.path}.union(*(_paths(child) for child in branch.children))


def _list_paths(fork: Fork) -> list[str]:
    return [fork.path, *(path for child in fork.children for path in _list_paths(child))]


def render_forks(tree: ForkTree) -> str:
    """The tree as text, one session a line."""
    lines = _render(tree.root, "", "")
    if not tree.root.children and not tree.root.copies:
        lines.append("No other session of its project, listed or beside it, shares records with it.")
    for path, line, other, other_line in tree.twins:
        lines.append(f"the same prompt under two ids: {path}:{line} and {other}:{other_line}")
    lines += [f"could not be read: {path} ({why.rstrip('.')})" for path, why in tree.unread]
    return "\n".join(lines) + "\n"


def _render(fork: Fork, first: str, rest: str) -> list[str]:
    mark = "▶ " if fork.asked else ""
    left = ""
    if fork.shared:
        shared = "1 record" if fork.shared == 1 else f"{fork.shared} records"
        left = f"  left after L{fork.at}, {shared} shared" + ("" if fork.sure else " (inferred)")
    turns = "1 turn" if fork.turns == 1 else f"{fork.turns} turns"
    lines = [f"{first}{mark}{fork.session}  {turns}  {fork.title[:60]}{left}"]
    below = rest + ("│  " if fork.children else "   ")
    if fork.copies:
        lines.append(f"{below}in {fork.path}")
    for copy in fork.copies:
        much = "all" if copy.records == fork.records else f"{copy.records} of {fork.records}"
        lines.append(f"{below}also in {copy.path}, {much} records")
    for number, child in enumerate(fork.children):
        last = number == len(fork.children) - 1
        lines += _render(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
    return lines
