"""How a handoff begins: what its files are is noted, then they are read; on the quick lane by another process.

Apart from what makes a brief: that takes forty milliseconds to import, in which a session can be read.
"""

import os

from thruline.operations.sessions.measure import measure_file, measure_files, stamp_files
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.reading_aside import ReadingAside, begin_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from thruline.brief.watch import AttemptWatch
    from thruline.layout import ProjectPaths
    from thruline.operations.handoff.brief import Made
    from thruline.operations.sessions.locate import Located

# From here on a session takes longer to read than all else takes to get ready.
LONG = 32 << 20
# `engines.rules.NAME`, which is dear to import; a test holds both together.
ENGINE = "rules"


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
    from thruline.brief.watch import AttemptWatch  # by the child, when it has read

    return AttemptWatch()


def make_ahead(
    located: "Located",
    paths: "ProjectPaths | None",
    *,
    budget: int,
    fresh: bool,
    progress: "Callable[[int], None] | None" = None,
) -> "Made":
    """What `make_brief` makes; the session is read while all that judges it is still imported."""
    begun = Begun(located, aside=not _may_be_kept(located, paths, fresh))
    try:
        from thruline.operations.handoff.brief import make_brief

        if isinstance(begun.reading, ReadingAside) and begun.own.size >= LONG:
            from thruline.operations.handoff.rehearsal import rehearse

            steps = rehearse()
            begun.reading.meanwhile.append(lambda share: next(steps, True) is None)
        return make_brief(located, paths, budget=budget, fresh=fresh, progress=progress, begun=begun)
    finally:
        begun.reading.close()


def _may_be_kept(located: "Located", paths: "ProjectPaths | None", fresh: bool) -> bool:
    if fresh or paths is None:
        return False
    from thruline.operations.handoff.cache import find_cached

    return os.path.exists(find_cached(paths, located.session_id, ENGINE))
