"""The transcripts that a session's subagents have of their own, read for what they did to the disk."""

from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import may_change, open_reader
from thruline.operations.sessions.located import Located
from thruline.session.aside import Aside
from thruline.session.parts import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from thruline.brief.watch import AttemptWatch
    from thruline.session.parts import Part


def read_side_files(located: Located) -> "Iterator[list[Part]]":
    """The parts of every subagent that may have changed something; one that cannot be read did nothing we know of."""
    agents = {found.path for found in located.companions if found.kind == "subagent"}
    for label, path in located.sources().items() if agents else ():
        try:
            if path in agents and may_change(located.harness, path):
                yield from open_reader(located.harness, path, label=label, tokens=False).blocks()
        except (OSError, ThrulineError):
            continue  # deleted meanwhile, or damaged: the session itself was read


def read_aside(located: Located, watch: "AttemptWatch") -> Aside:
    """What the subagents of a session did, folded; subjects of their commits may be quoted, so they are watched."""
    aside = Aside()
    for found in read_side_files(located):
        aside.see_all(found)
        watch.see_all(part for part in found if type(part) is Result and part.commits)
    return aside
