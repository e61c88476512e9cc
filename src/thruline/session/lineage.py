"""Which sessions come from which: forks and resumed sessions copy records, and with them their ids.

The facts it rests on. A fork's file begins with copies of its parent's records under the same ids; some clients also
note the parent. So two files that share ids share a history. Which of the two is the original is inferred where no one
noted it, and `sure` is false then. Nothing is ever trimmed by a guess: a record counts as a copy only where its id is
the same, a prompt as a twin only where the same words stand under the same parent record.
"""

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterable


class Prompt:
    """A prompt as lineage sees it: its line and time, its own key, the key of the record before it, its words' CRC."""

    __slots__ = ("digest", "key", "line", "parent", "time")

    def __init__(self, line: int, key: int, parent: int, digest: int, time: str) -> None:
        self.line = line
        self.key = key
        self.parent = parent
        self.digest = digest
        self.time = time


class Trace:
    """What lineage needs of one transcript: its records' keys with their lines, in order, and its prompts.

    `parent` is the session it says it was forked from, "" where it says nothing.
    """

    __slots__ = ("keys", "parent", "path", "prompts", "session_id")

    def __init__(
        self, path: str, session_id: str, keys: "dict[int, int]", prompts: "list[Prompt]", parent: str = ""
    ) -> None:
        self.path = path
        self.session_id = session_id
        self.keys = keys
        self.prompts = prompts
        self.parent = parent


class Branch:
    """A session in the tree. It shares `shared` records with its parent, the last of them at the parent's line `at`.

    `own` is the line of its own first record (0 where it has none). `sure` is false where the parent was inferred.
    """

    __slots__ = ("at", "children", "own", "shared", "sure", "trace")

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.children: list[Branch] = []
        self.shared = 0
        self.at = 0
        self.own = next(iter(trace.keys.values()), 0)
        self.sure = True


def build_fork_tree(traces: "Iterable[Trace]") -> "list[Branch]":
    """The sessions as trees, each under the session it was forked from; roots and children oldest first."""
    ordered = _order([trace for trace in traces if trace.keys])
    branches = [Branch(trace) for trace in ordered]
    by_session = {trace.session_id: at for at, trace in reversed(list(enumerate(ordered)))}
    holders: dict[int, list[int]] = {}
    for at, trace in enumerate(ordered):
        for key in trace.keys:
            holders.setdefault(key, []).append(at)
    parents: dict[int, int] = {}
    for at, trace in enumerate(ordered):
        shared = _count_shared(trace, at, holders)
        told = by_session.get(trace.parent, -1) if trace.parent else -1
        if told >= 0 and told != at and not _descends(parents, told, at):
            parents[at] = told
        else:
            earlier = [(count, -other) for other, count in shared.items() if other < at]
            if earlier:
                parents[at] = -max(earlier)[1]
                branches[at].sure = False
    roots: list[Branch] = []
    for at, branch in enumerate(branches):
        if at not in parents:
            roots.append(branch)
            continue
        _place(branch, branches[parents[at]])
    return roots


def _order(traces: "list[Trace]") -> "list[Trace]":
    # Originals first: between their records stand the client's notes of the moment (queue, titles, modes), which a copy
    # leaves out, so a copied stretch has no gaps. Then by the first prompt that is a session's own; a file whose every
    # prompt is also elsewhere is the older one: someone went on from it.
    held: dict[int, int] = {}
    for trace in traces:
        for key in trace.keys:
            held[key] = held.get(key, 0) + 1

    def rank(trace: Trace) -> "tuple[bool, str, str]":
        shared = [line for key, line in trace.keys.items() if held[key] > 1]
        copied = bool(shared) and len(set(shared)) == shared[-1] - shared[0] + 1
        own = next((prompt.time for prompt in trace.prompts if held.get(prompt.key, 0) == 1), "")
        return copied, own, trace.path

    return sorted(traces, key=rank)


def _count_shared(trace: Trace, at: int, holders: "dict[int, list[int]]") -> "dict[int, int]":
    shared: dict[int, int] = {}
    for key in trace.keys:
        for other in holders[key]:
            if other != at:
                shared[other] = shared.get(other, 0) + 1
    return shared


def _descends(parents: "dict[int, int]", at: int, ancestor: int) -> bool:
    while at in parents:
        at = parents[at]
        if at == ancestor:
            return True
    return False


def _place(branch: Branch, parent: Branch) -> None:
    parent.children.append(branch)
    own, other = branch.trace.keys, parent.trace.keys
    copies = [key for key in own if key in other]
    branch.shared = len(copies)
    branch.at = max((other[key] for key in copies), default=0)
    branch.own = next((line for key, line in own.items() if key not in other), 0)


def find_copies(traces: "Iterable[Trace]") -> "dict[str, str]":
    """(path -> path) of each file that is no session of its own: all its records stand in the other, of the same id.

    Such as one session under two accounts, a backup of its file, or the file as it was some time ago.
    """
    kept: dict[str, list[Trace]] = {}
    found: dict[str, str] = {}
    for trace in sorted(traces, key=lambda trace: -len(trace.keys)):
        held = kept.setdefault(trace.session_id, [])
        whole = next((each for each in held if trace.keys and trace.keys.keys() <= each.keys.keys()), None)
        if whole is None:
            held.append(trace)
        else:
            found[trace.path] = whole.path
    return found


def find_twins(traces: "Iterable[Trace]") -> "list[tuple[str, int, str, int]]":
    """(path, line, other path, other line) of one message stored in two files under different ids.

    Only where the same words stand under the same parent record: the same words elsewhere may have been typed twice.
    """
    first: dict[tuple[int, int], tuple[str, Prompt]] = {}
    found: list[tuple[str, int, str, int]] = []
    for trace in traces:
        for prompt in trace.prompts:
            if not prompt.parent:
                continue
            path, known = first.setdefault((prompt.parent, prompt.digest), (trace.path, prompt))
            if path != trace.path and known.key != prompt.key:
                found.append((path, known.line, trace.path, prompt.line))
    return found
