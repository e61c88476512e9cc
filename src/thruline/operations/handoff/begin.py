"""How a handoff begins: what its files are is noted, then they are read; on the quick lane by another process.

Apart from what makes a brief: that takes forty milliseconds to import, in which a session can be read.
"""

from thruline.operations.sessions.measure import measure_file, measure_files, stamp_files
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.reading_aside import ReadingAside, begin_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.brief.attempts.watch import AttemptWatch
    from thruline.operations.sessions.locate import Located


class Begun:
    """A session that is being read, with what its files were before: `own` the transcript, `size` and `stamp` all."""

    __slots__ = ("own", "reading", "size", "stamp")

    def __init__(self, located: "Located", *, aside: bool = False) -> None:
        # First: what is written while it is read makes another session of it.
        self.own = measure_file(located, located.sources()[""])
        self.size = measure_files(located)
        self.stamp = stamp_files(located)
        self.reading: Reading | ReadingAside
        if aside:
            self.reading = begin_reading(located, tokens=False, behind=_begin_watch)
        else:
            self.reading = Reading(located, tokens=False)


def _begin_watch() -> "AttemptWatch":
    from thruline.brief.attempts.watch import AttemptWatch  # by the child, when it has read

    return AttemptWatch()
