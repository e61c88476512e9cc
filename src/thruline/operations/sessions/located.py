"""A session's files, wherever they are read from."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from thruline.harnesses.registry import Harness
    from thruline.session.found import Found


class Located:
    """A session's files: its own transcript first, then copies of it elsewhere, and what belongs to it.

    `originals` tells of copies that were written out to be read what they are copies of; `kept` are those of them that
    came out of the ark: the client no longer has their originals. No dataclass, for the quick lane.
    """

    __slots__ = ("companions", "files", "harness", "kept", "originals", "session_id")

    def __init__(
        self,
        harness: "Harness",
        session_id: str,
        files: tuple[str, ...],
        companions: "tuple[Found, ...]",
        originals: "Mapping[str, str] | None" = None,
        kept: frozenset[str] = frozenset(),
    ) -> None:
        self.harness = harness
        self.session_id = session_id
        self.files = files
        self.companions = companions
        self.originals = originals or {}
        self.kept = kept

    @property
    def only_kept(self) -> bool:
        """Whether the session's own transcript is in the ark alone."""
        return self.files[0] in self.kept

    def shown(self, path: str) -> str:
        """The path to tell people: of the original, also where that is gone and a copy was read."""
        return self.originals.get(path, path)

    def sources(self) -> dict[str, str]:
        """The session's transcript files by their label.

        "" is its own, `p1` one it was forked from, `b1` a copy elsewhere, `a1` its first subagent's: a later one must
        not take the label of an earlier, which a pointer may have been written with.
        """
        bases = [found.path for found in self.companions if found.kind == "base"]
        theirs = [found for found in self.companions if found.kind == "subagent"]
        agents = [found.path for found in sorted(theirs, key=lambda one: (one.born, self.shown(one.path)))]
        named = {f"b{number}" if number else "": path for number, path in enumerate(self.files)}
        named |= {f"p{number}": path for number, path in enumerate(bases, 1)}
        return named | {f"a{number}": path for number, path in enumerate(agents, 1)}
