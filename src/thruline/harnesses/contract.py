"""What a client's `reader` offers to everyone above; the contract test runs over all of them."""

from collections.abc import Iterator
from typing import Any, Protocol

from thruline.harnesses.elsewhere import Elsewhere
from thruline.session.lineage import Trace
from thruline.session.parts import Part, Problem


class Reader(Protocol):
    """One file of a session, read as parts; `checkpoint` is where a later reading may go on.

    Made by `open_reader`. Without `tokens` nobody asks what answers cost: no `Used` is told, and nothing goes on from
    such a reading.
    """

    problems: list[Problem]

    @property
    def offset(self) -> int: ...

    @property
    def counts(self) -> dict[str, int]: ...

    @property
    def lines(self) -> dict[int, int]: ...

    def __iter__(self) -> Iterator[Part]: ...

    def blocks(self) -> Iterator[list[Part]]: ...

    def pending(self) -> list[Part]: ...

    def give(self, seen: Elsewhere) -> None: ...

    def trace(self) -> Trace: ...

    def checkpoint(self) -> dict[str, Any]: ...
