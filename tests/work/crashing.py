"""What is killed in test_crash.py; a file of its own, since a server process loads it."""

import os
from pathlib import Path

from tests.work.shop import FIRST, NOBODY, OTHER, SECOND, Shop

ALIVE = 1  # a process that is always there


def enter(folder: str) -> Shop:
    """A shop whose home and state lie in `folder`; without git, which would only cost time."""
    os.environ.update(HOME=os.path.join(folder, "home"), THRULINE_HOME=os.path.join(folder, "state"), PATH="")
    return Shop(Path(folder), Path(folder, "home"), marked=True)


def leave_events(folder: str) -> None:
    """A session that ran and ended, and another that touched a file; nothing taken in yet."""
    shop = enter(folder)
    shop.put()
    shop.spool("session_start", source="startup")
    shop.spool("tool_done", files=[[str(shop.root / "a.py"), "edited"]])
    shop.spool("turn_end")
    shop.spool("session_end", reason="other")
    shop.spool("session_start", SECOND, source="resume")
    shop.spool("tool_done", SECOND, files=[[str(shop.root / "b.py"), "created"]])


def work_all(folder: str) -> None:
    """One run of the worker."""
    enter(folder).work()


def leave_second_half(folder: str) -> None:
    """A turn taken in whose notes lie ready; then the end, not taken in."""
    shop = enter(folder)
    shop.put()
    shop.spool("session_start", source="startup", pid=os.getppid())
    shop.spool("turn_end", pid=os.getppid())
    shop.work()
    shop.spool("session_end", reason="other")


def leave_told(folder: str) -> None:
    """A session that ended and was told; the event that says so not taken in."""
    shop = enter(folder)
    shop.run_session(FIRST)
    told = shop.tell(shop.hooks.build_resume(OTHER), SECOND)
    shop.spool("session_start", SECOND, source="startup", told=[told])


def leave_late(folder: str) -> None:
    """Notes ready of a session whose client is dead; one that started without hearing them, not taken in."""
    shop = enter(folder)
    shop.put()
    shop.spool("turn_end", pid=ALIVE)
    shop.work()
    shop.spool("prompt", pid=NOBODY)
    shop.spool("session_start", SECOND, source="startup", pid=ALIVE)
