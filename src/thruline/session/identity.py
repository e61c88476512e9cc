"""Which session it is: its id, the folder it was started in, and the record it ends with."""

from thruline.session.parts import Changed, Used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from thruline.session.parts import Part


class Identity:
    """Give it the parts with `see_all`. The least that can be asked of a session, so the least that a fold can cost."""

    __slots__ = ("cwd", "last_line", "last_uuid", "session_id")

    def __init__(self) -> None:
        self.session_id = ""
        self.cwd = ""
        self.last_uuid = ""
        self.last_line = 0  # of that record: what is told late stands further up

    def see_all(self, found: "Collection[Part]") -> None:
        """Takes parts in, one after another."""
        last_uuid, last_line = self.last_uuid, self.last_line
        for part in found:
            kind = type(part)
            # What an answer cost ends no session: a reading without tokens ends with the same record.
            if part.line >= last_line and part.uuid and not part.source and kind is not Used:
                last_uuid, last_line = part.uuid, part.line
            if kind is Changed and isinstance(part, Changed):  # the second for the checker of types
                if part.name == "session_id":
                    from thruline.session.names import is_id  # here: a session that is read on has its id already

                    # What a transcript calls itself is text of a stranger; its file has a name too.
                    self.session_id = part.value if is_id(part.value) else self.session_id
                elif part.name == "cwd":
                    # The folder it was started in is the project; later ones are where the agent went.
                    self.cwd = self.cwd or part.value
        self.last_uuid, self.last_line = last_uuid, last_line
