"""Benchmarks: ratios against a floor that ran in the same minutes, never milliseconds alone.

A bench is a module with `run(context) -> list[Row]`, named in the table of `__main__.py`. Timing belongs here and not
in tests: a test that can fail because the machine was busy teaches people to ignore it.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a value in `unit`, and how it stands to the row named `floor`.

    `bar` is what `ratio` may reach, or `value` where there is no ratio; a row without a bar is there to compare.
    """

    name: str
    value: float
    unit: str
    floor: str = ""
    ratio: float | None = None
    bar: float | None = None
    p95: float | None = None
    note: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the bar is kept; None without a bar."""
        if self.bar is None:
            return None
        return (self.value if self.ratio is None else self.ratio) <= self.bar


@dataclass(frozen=True, slots=True)
class Context:
    """What a bench may use: how often to measure, and an empty folder of its own. `quick` asks for small inputs.

    `engines` are those that a person asked for by name; each of them calls a model.
    """

    rounds: int
    quick: bool
    folder: Path
    engines: tuple[str, ...] = ()
