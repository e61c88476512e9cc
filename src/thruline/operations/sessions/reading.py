"""One pass over a session's files: every part once, problems beside them."""

import os

from thruline.disk.faults import EACCES, EPERM, build_disk_error
from thruline.errors import DiskError
from thruline.harnesses.elsewhere import Elsewhere
from thruline.harnesses.transcripts import open_reader
from thruline.operations.sessions.locate import Located
from thruline.session.parts import Delegated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from thruline.session.parts import Part, Problem


class Reading:
    """Iterate for the parts of the whole session; `problems` and `counts` are complete afterwards.

    Where the session's own transcript does not repeat what it was forked from, that comes first (`p1`, up to the fork);
    then its own. A second file of the same session is read behind it under a label of its own (`b1`), without the
    records that were there already. Without `tokens` no `Used` is among the parts. `offset` counts the bytes that were
    read so far.
    """

    def __init__(self, located: Located, *, tokens: bool = True) -> None:
        self.located = located
        self.tokens = tokens
        self.problems: list[Problem] = []
        self.counts: dict[str, int] = {}
        self.offset = 0
        # Who reads here waits for nobody: never called (see `ReadingAside`).
        self.meanwhile: list[Callable[[float], bool]] = []

    def close(self) -> None:
        """Nothing: what was opened is closed as soon as it is read."""

    def __iter__(self) -> "Iterator[Part]":
        for found in self.blocks():
            yield from found

    def blocks(self) -> "Iterator[list[Part]]":
        """The same, many at a time: for what folds a whole session."""
        labels = {path: label for label, path in self.located.sources().items()}
        kept = [path for path in labels if path in self.located.kept]
        deleted = {os.path.basename(self.located.shown(path)): labels[path] for path in kept}
        seen = Elsewhere()
        bases = {found.path: found.until for found in self.located.companions if found.kind == "base"}
        before = 0
        for path in dict.fromkeys([*bases, *self.located.files]):
            until = {"until": bases[path]} if path in bases else {}
            reader = open_reader(self.located.harness, path, label=labels[path], seen=seen, tokens=self.tokens, **until)
            try:
                size = os.path.getsize(path)
                for found in reader.blocks():
                    if len(labels) > 1:
                        _label(found, labels, deleted)
                    self.offset = before + reader.offset
                    yield found
                check_whole(path, size)
                before += size
            except OSError as error:
                # Also one that was deleted meanwhile: no pointer into it could be opened.
                raise build_unread(error, "to its end", self.located.shown(path)) from None
            self.problems += reader.problems
            for kind, count in reader.counts.items():
                self.counts[kind] = self.counts.get(kind, 0) + count
            if len(self.located.files) > 1 and path != self.located.files[-1]:
                reader.give(seen)


def build_unread(error: OSError, how: str, path: str) -> DiskError:
    """What the system said of a transcript that could not be read `how`: again, to its end."""
    if error.errno in (EACCES, EPERM):
        return build_disk_error(error, "read", path)
    return DiskError(f"The transcript could not be read {how}: {error.strerror}.", where=path, next="try again")


def _label(found: "list[Part]", labels: "dict[str, str]", deleted: "dict[str, str]") -> None:
    """Names the file of every subagent by its source label."""
    for part in found:
        if type(part) is Delegated:
            part.label = labels.get(part.path) or deleted.get(os.path.basename(part.path), "")


def check_whole(path: str, size: int) -> None:
    """Refuses what was cut while it was read: a session without its end would be told as a whole one."""
    if os.path.getsize(path) < size:
        raise DiskError("The transcript was cut while it was read.", where=path, next="try again")
