"""Races: contestants run in turn, in a new random order every round, so that drift of the machine hits all alike."""

import gc
import os
import random
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bench import Row

WARM_UP = 2
SCALE = {"s": 1.0, "ms": 1e3, "µs": 1e6}


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments; `stdin` must fit a pipe (64 KB)."""

    argv: Sequence[str]
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)

    def __call__(self) -> None:
        # posix_spawn and not subprocess, whose own milliseconds would flatter every ratio.
        reader, writer = os.pipe()
        os.write(writer, self.stdin)
        os.close(writer)
        actions = [
            (os.POSIX_SPAWN_DUP2, reader, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            pid = os.posix_spawn(self.argv[0], list(self.argv), self.env, file_actions=actions)
            _, status = os.waitpid(pid, 0)
        finally:
            os.close(reader)
        if status:
            raise RuntimeError(f"{' '.join(self.argv)} ended with {os.waitstatus_to_exitcode(status)}")


@dataclass(frozen=True, slots=True)
class Entrant:
    """One contestant: anything callable, raced against the entrant named by `floor`."""

    name: str
    run: Callable[[], object]
    bar: float | None = None
    note: str = ""


def read_processor_time() -> float:
    """Seconds of processor time that finished children took: what a busy machine does not change."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def race(
    entrants: Sequence[Entrant],
    *,
    rounds: int,
    unit: str = "ms",
    floor: str = "",
    clock: Callable[[], float] = time.perf_counter,
) -> list[Row]:
    """A row per entrant, in the order given: median, p95 and ratio of medians to `floor` (else the first entrant)."""
    floor = floor or entrants[0].name
    times: dict[str, list[float]] = {entrant.name: [] for entrant in entrants}
    order = list(entrants)
    gc.collect()
    gc.disable()
    try:
        for number in range(WARM_UP + rounds):
            random.shuffle(order)
            for entrant in order:
                start = clock()
                entrant.run()
                taken = clock() - start
                if number >= WARM_UP:
                    times[entrant.name].append(taken)
    finally:
        gc.enable()
    base = statistics.median(times[floor])
    return [build_row(entrant, times[entrant.name], base, floor, unit) for entrant in entrants]


def build_row(entrant: Entrant, times: Sequence[float], base: float, floor: str, unit: str) -> Row:
    """The row of one entrant; the floor itself has no ratio to speak of."""
    middle = statistics.median(times)
    return Row(
        name=entrant.name,
        value=middle * SCALE[unit],
        unit=unit,
        floor="" if entrant.name == floor else floor,
        ratio=None if entrant.name == floor else middle / base,
        bar=entrant.bar,
        p95=find_p95(times) * SCALE[unit],
        note=entrant.note,
    )


def find_p95(times: Sequence[float]) -> float:
    """The time that one run in twenty exceeds."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * 0.95))]
