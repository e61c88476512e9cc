"""The transcripts that a session's subagents have of their own, read for what they did to the disk."""

import os

from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import may_change, open_reader
from thruline.operations.sessions.located import Located
from thruline.session.aside import Aside
from thruline.session.parts import Delegated, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from thruline.brief.proof.done import Done
    from thruline.session.parts import Part


class SideReading:
    """Iterate `blocks` for the parts of every subagent that may have changed something.

    `problems` are complete afterwards; it is not `whole` where a file could not be read to its end, or a record in it.
    """

    def __init__(self, located: Located) -> None:
        self._located = located
        # By the last part of each path: a copy of a file stands elsewhere.
        self._labels = {os.path.basename(located.shown(path)): label for label, path in find_side_files(located)}
        self.problems: list[Problem] = []
        self.whole = True

    def blocks(self) -> "Iterator[list[Part]]":
        """The parts of one block of lines after another, file by file."""
        for label, path in find_side_files(self._located):
            yield from self.read(label, path)

    def read(self, label: str, path: str) -> "Iterator[list[Part]]":
        """The parts of one of them; nothing of one that only looked."""
        shown = self._located.shown(path)
        try:
            if not may_change(self._located.harness, path):
                return
            reader = open_reader(self._located.harness, path, label=label, tokens=False)
            for found in reader.blocks():
                for part in found:
                    if type(part) is Delegated:
                        part.label = self._labels.get(os.path.basename(part.path), "")
                yield found
        except (OSError, ThrulineError) as error:
            # Deleted meanwhile, or damaged: the session itself was read.
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.problems.append(Problem(shown, 0, "subagent", f"a subagent's transcript could not be read: {why}"))
            self.whole = False
            return
        self.problems += reader.problems
        self.whole = self.whole and all(one.kind in Problem.MENDED for one in reader.problems)


def find_side_files(located: Located) -> list[tuple[str, str]]:
    """(label, path) of the transcripts of the subagents, in the order of their labels."""
    agents = {found.path for found in located.companions if found.kind == "subagent"}
    return [(label, path) for label, path in located.sources().items() if path in agents] if agents else []


def read_aside_on(located: Located, aside: Aside, known: "list[tuple[str, int, int]]") -> Aside:
    """What the subagents did, gone on with: of those in `known`, which grows, nothing is read again.

    (path, size, time of change) each. Where one of them is another now, or grew, all are read anew.
    """
    files = find_side_files(located)
    now = [_describe(path) for _, path in files]
    if now[: len(known)] != known:
        aside = Aside()
        known.clear()
    reading = SideReading(located)
    for (label, path), described in zip(files[len(known) :], now[len(known) :], strict=True):
        for found in reading.read(label, path):
            aside.see_all(found)
        known.append(described)
    aside.whole = aside.whole and reading.whole
    return aside


def _describe(path: str) -> tuple[str, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return path, -1, 0
    return path, found.st_size, found.st_mtime_ns


def read_aside(located: Located) -> tuple[Aside, list[Problem]]:
    """What the subagents of a session did, folded, and what could not be read of it."""
    aside, reading = Aside(), SideReading(located)
    for found in reading.blocks():
        aside.see_all(found)
    aside.whole = aside.whole and reading.whole
    return aside, reading.problems


def prove_aside(located: Located, done: "Done") -> None:
    """Gives `done` what the subagents of a session did."""
    reading = SideReading(located)
    for found in reading.blocks():
        done.see_aside(found)
    if not reading.whole:
        done.miss_aside()
