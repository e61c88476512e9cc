"""What subagents did to the disk, from transcripts of their own.

Their words are not the session's, but a file that one changed was changed by the session, and what it committed is on
a branch of the project. It is kept apart from the session's own ledger: a rule about what the agent did next, or what
it left undone, is not about them.
"""

from thruline.session import parts
from thruline.session.ledger import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Aside:
    """Give it the parts of each subagent's file. `folders` tells by label where each one worked first.

    It is not `whole` where one of the files is lost or could not be read: then it cannot tell what was not done.
    """

    __slots__ = ("folders", "ledger", "whole")

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.folders: dict[str, str] = {}
        self.whole = True

    def see_all(self, found: "Iterable[parts.Part]") -> None:
        """Takes parts in, one after another."""
        see = self.ledger.see
        for part in found:
            kind = type(part)
            if kind is parts.Result or kind is parts.Call:
                see(part)
            elif kind is parts.Delegated:
                self.whole = self.whole and not part.is_lost  # type: ignore[attr-defined]
            elif kind is parts.Changed and part.name == "cwd":  # type: ignore[attr-defined]
                self.folders.setdefault(part.source, part.value)  # type: ignore[attr-defined]
                see(part)
