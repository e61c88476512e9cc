"""What a run of a loop tells while it is under way, and when it is over."""

from collections.abc import Callable
from dataclasses import dataclass

from thruline.artifacts.loop import Loop


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is. `seconds` is of this iteration; `done` tells that it was answered, or in `problem` why not.

    `begun` is a new session in which it is about to be given, `harness:` alone where the client chooses its id.
    """

    iteration: int
    most: int
    seconds: float
    last_line: str
    tokens: int = 0
    done: bool = False
    problem: str = ""
    begun: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """A loop after a run: how many iterations this run took, what they cost, and whether in a new session."""

    loop: Loop
    iterations: int
    tokens: int
    problem: str = ""
    new_session: bool = False


Tell = Callable[[Progress], None]
