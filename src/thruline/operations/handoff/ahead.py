"""A brief whose session is read while all that judges it is still imported: that takes as long as many a session.

So `brief.py` is imported here only when the reading has begun.
"""

import os

from thruline.operations.handoff.begin import Begun
from thruline.operations.sessions.reading_aside import ReadingAside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from thruline.layout import ProjectPaths
    from thruline.operations.handoff.brief import Made
    from thruline.operations.sessions.locate import Located

# From here on a session takes longer to read than all else takes to get ready.
LONG = 32 << 20
# `engines.rules.NAME`, which is dear to import; a test holds both together.
ENGINE = "rules"


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
