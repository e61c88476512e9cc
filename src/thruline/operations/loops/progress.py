"""What a run of a loop tells while it is under way, and when it is over."""

from collections.abc import Callable
from dataclasses import dataclass

from thruline.artifacts.loop import Loop


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is. `seconds` is of this iteration; `done` tells that it was answered, or in `problem` why not."""

    iteration: int
    most: int
    seconds: float
    last_line: str
    tokens: int = 0
    done: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """A loop after a run: how many iterations this run took, and what they cost."""

    loop: Loop
    iterations: int
    tokens: int
    problem: str = ""


Tell = Callable[[Progress], None]
